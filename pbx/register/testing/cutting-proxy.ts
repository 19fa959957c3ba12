/** A TCP proxy that cuts the connection when it sees a statement: before the server gets it, or before its answer returns. */
import { connect, createServer, type Socket } from 'node:net';

export interface CuttingProxy {
  port: number;
  /** Statements seen on their way to the server, in order. */
  seen: string[];
  /** How often it cut. */
  cuts(): number;
  close(): Promise<void>;
}

export interface Cut {
  /** Cuts at the first statement that starts so. */
  at: string;
  /** `request`: the server never gets it. `answer`: the server gets it, and its answer is lost. */
  lose: 'request' | 'answer';
  /** Whether it takes connections again after the cut. */
  thenRefuse?: boolean;
}

const statement = /(START TRANSACTION|SELECT|UPDATE|INSERT INTO|DELETE FROM|COMMIT|ROLLBACK)[^\0]*/i;

export async function startCuttingProxy(targetPort: number, cut: Cut): Promise<CuttingProxy> {
  const seen: string[] = [];
  const sockets = new Set<Socket>();
  let cuts = 0;
  const server = createServer((client) => {
    if (cuts > 0 && cut.thenRefuse === true) {
      client.destroy();
      return;
    }
    const upstream = connect(targetPort, '127.0.0.1');
    let losing = false;
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', end);
      socket.on('close', () => {
        sockets.delete(socket);
        if (!losing) end();
      });
    }
    client.on('data', (chunk) => {
      const found = statement.exec(chunk.toString('latin1'))?.[0];
      if (found !== undefined) seen.push(found);
      if (cuts === 0 && found?.startsWith(cut.at)) {
        cuts++;
        if (cut.lose === 'request') {
          end();
          return;
        }
        losing = true;
      }
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (losing) end();
      else client.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as { port: number }).port,
    seen,
    cuts: () => cuts,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
