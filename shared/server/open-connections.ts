/** Knows for each connection of a server which requests still need a reply. */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

class OpenConnections {
  /** Whether each connection is closed after the reply that is under way. */
  isClosing = false;
  private readonly requests = new Map<Socket, Set<IncomingMessage>>();
  /** The connections that are to be closed after their last reply. */
  private readonly ending = new WeakSet<Socket>();

  constructor(app: FastifyInstance) {
    app.server.on('connection', (socket) => this.follow(socket));
    app.addHook('onRequest', (request, reply, done) => {
      const { socket } = request.raw;
      const unanswered = this.follow(socket).add(request.raw);
      reply.raw.once('close', () => {
        unanswered.delete(request.raw);
        const isLast = this.ending.has(socket) && !this.owesReply(socket);
        if (this.isClosing || isLast) socket.destroySoon();
      });
      done();
    });
  }

  /** Whether a whole request has arrived on this connection and has no reply yet. */
  owesReply(socket: Socket): boolean {
    return [...this.follow(socket)].some(({ complete }) => complete);
  }

  endAfterReply(socket: Socket): void {
    this.ending.add(socket);
  }

  /** Cuts every connection that waits for no reply. */
  cutUnfinished(): void {
    for (const socket of this.requests.keys()) if (!this.owesReply(socket)) socket.destroy();
  }

  private follow(socket: Socket): Set<IncomingMessage> {
    const known = this.requests.get(socket);
    if (known) return known;
    const unanswered = new Set<IncomingMessage>();
    this.requests.set(socket, unanswered);
    socket.once('close', () => this.requests.delete(socket));
    return unanswered;
  }
}

const ofServers = new WeakMap<Server, OpenConnections>();

export function followConnections(app: FastifyInstance): void {
  ofServers.set(app.server, new OpenConnections(app));
}

/** @param app whose connections are followed. */
export const connectionsOf = (app: FastifyInstance): OpenConnections => ofServers.get(app.server)!;
