/** An error as a calling service answers it: JSON with `status`, `code`, `message` and the fields that are wrong. */
import type { FastifyReply } from 'fastify';
import { type RequestRefusal, refusal } from '../service/read-call.ts';
import { HttpError } from './problem.ts';

export class ServiceError extends HttpError {
  readonly status: number;

  constructor(private readonly refusal: RequestRefusal) {
    super(refusal.message);
    this.status = refusal.status;
  }

  send(reply: FastifyReply): FastifyReply {
    const { status, code, message, errors } = this.refusal;
    if (status === 401) reply.header('www-authenticate', 'Bearer');
    return reply.code(status).send({ status: 'ERROR', code, message, errors });
  }
}

export const serviceError = (status: number, code: string, message: string): ServiceError =>
  new ServiceError(refusal(status, code, message));
