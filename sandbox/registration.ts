/** The registration API's login (section 4.2), with an account of its own; keys are made from the device's UUID. */
import { createHash } from 'node:crypto';
import { type FieldProblem, fieldRefusal } from '../shared/service/read-call.ts';

export interface Account {
  email: string;
  password: string;
}

export const demoAccount: Account = { email: 'admin@harbor.example', password: 'sandbox-password' };

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Status and JSON body of the answer to a login. */
export function login(body: unknown, account: Account): { status: number; body: unknown } {
  const problems = loginProblems(body);
  if (problems.length > 0) {
    const { message, errors } = fieldRefusal(problems);
    return { status: 400, body: { code: 400, status: 'Error', message, errors } };
  }
  const { device_uuid, email, password } = body as Record<'device_uuid' | 'email' | 'password', string>;
  if (email !== account.email || password !== account.password)
    return {
      status: 401,
      body: { code: 401, status: 'Error', message: 'email or password: not an account of this service' },
    };
  return { status: 200, body: { code: 200, status: 'Ok', details: details(device_uuid, email) } };
}

function loginProblems(body: unknown): FieldProblem[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return [{ field: 'body', expected: 'a JSON object', got: JSON.stringify(body) ?? 'nothing' }];
  const fields = body as Record<string, unknown>;
  const expected = { device_uuid: 'a UUID', email: 'a string', password: 'a string' };
  const missing = Object.entries(expected)
    .filter(([field]) => typeof fields[field] !== 'string' || fields[field] === '')
    .map(([field, what]) => ({
      field,
      expected: what,
      got: fields[field] === undefined ? 'nothing' : `${JSON.stringify(fields[field])}`,
    }));
  if (missing.length > 0) return missing;
  if (!uuid.test(fields.device_uuid as string))
    return [{ field: 'device_uuid', expected: 'a UUID', got: JSON.stringify(fields.device_uuid) }];
  return Object.keys(fields)
    .filter((field) => !(field in expected))
    .map((field) => ({ field, expected: 'no field but device_uuid, email, password', got: 'it' }));
}

function details(deviceUuid: string, email: string) {
  const hash = (purpose: string) =>
    createHash('sha256').update(`${purpose}:${deviceUuid.toLowerCase()}`).digest('base64');
  return {
    token: jwt({ sub: '7', email, device: deviceUuid.toLowerCase() }),
    id: 7,
    email,
    first_name: 'Harbor',
    last_name: 'Administrator',
    // Real keys hold `$`, `/` and dots, which trip whoever pastes them into a shell or an SQL text.
    client_key: `$2a$10$${hash('client').slice(0, 40)}./`,
    api_key: `${hash('api').slice(0, 43)}/$1$${hash('api-end').slice(0, 20)}`,
    settings: [
      {
        // The service has been seen to send this second key beside the first.
        service: { id: 1, name: 'intercomunexao', '   name': 'intercomunexao' },
        key: 'extension_limit',
        value: '50',
        id: 11,
      },
      { service: { id: 2, name: 'recordings' }, key: 'retention_days', value: '90', id: 12 },
    ],
  };
}

/** Three parts as a JWT has; unsigned, since it is not checked here. */
function jwt(claims: Record<string, string>): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signature = createHash('sha256').update(JSON.stringify(claims)).digest('base64url');
  return `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}.${signature}`;
}
