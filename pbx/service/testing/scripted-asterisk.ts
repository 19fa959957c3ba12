/** A manager interface on a real socket that answers as a test says. A real Asterisk cannot fail on command. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type AmiFields, type AmiPacket, encodeAction } from '../ami/ami-packets.ts';

type Answer = (action: AmiPacket, send: (packet: AmiFields) => void, socket: Socket) => void;

export interface ScriptedAsterisk {
  readonly port: number;
  /** Every action received, in order. */
  readonly actions: AmiPacket[];
  /** The replies by the name of the action. */
  readonly answers: Record<string, Answer>;
  /** What `Status` lists. */
  channels: AmiFields[];
  /** Sends an event to every client that is logged in. */
  event(fields: AmiFields): void;
  /** Writes any text to every client. */
  write(text: string): void;
  cut(): void;
  close(): Promise<void>;
}

export async function startScriptedAsterisk(): Promise<ScriptedAsterisk> {
  const sockets = new Set<Socket>();
  const success: Answer = (_action, send) => send({ Response: 'Success' });
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    socket.setEncoding('utf8').write('Asterisk Call Manager/5.0.4\r\n');
    let rest = '';
    socket.on('data', (chunk: string) => {
      const packets = (rest + chunk).split('\r\n\r\n');
      rest = packets.pop()!;
      for (const text of packets) {
        const action = Object.fromEntries(
          text.split('\r\n').map((line) => [line.split(': ', 1)[0]!, line.slice(line.indexOf(': ') + 2)]),
        ) as AmiPacket;
        asterisk.actions.push(action);
        const send = (packet: AmiFields) =>
          socket.write(encodeAction({ ...packet, ActionID: action.ActionID ?? '' }));
        (asterisk.answers[action.Action ?? ''] ?? success)(action, send, socket);
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const asterisk: ScriptedAsterisk = {
    port: (server.address() as AddressInfo).port,
    actions: [],
    channels: [],
    answers: {
      Challenge: (_action, send) => send({ Response: 'Success', Challenge: '123' }),
      Status: (_action, send) => {
        send({ Response: 'Success', EventList: 'start' });
        for (const channel of asterisk.channels) send({ Event: 'Status', ...channel });
        send({ Event: 'StatusComplete' });
      },
    },
    event: (fields) => asterisk.write(encodeAction(fields)),
    write: (text) => {
      for (const socket of sockets) socket.write(text);
    },
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
    close: async () => {
      asterisk.cut();
      server.close();
      await once(server, 'close');
    },
  };
  return asterisk;
}
