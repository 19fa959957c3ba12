/** A proxy for Asterisk's manager interface. A test may hold its packets, or cut its connections. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

interface Hold {
  /** Resolves when the first packet is held. */
  reached: Promise<void>;
  /** Lets the held packets through, and all packets after them. */
  release(): void;
}

export interface AmiProxy {
  /** HOST:PORT. */
  readonly address: string;
  /** Holds the next Originate, and all that the service sends after it. */
  holdOriginate(): Hold;
  /** Lets the next Originate through and holds everything that Asterisk sends from then on. */
  holdAnswer(): Hold;
  /** Breaks every connection. Held packets are lost. */
  cut(): void;
  /** While false, connections are refused. */
  isOpen: boolean;
  close(): Promise<void>;
}

/** @param port of Asterisk's manager interface. */
export async function startAmiProxy(port: number): Promise<AmiProxy> {
  const sockets = new Set<Socket>();
  let originateHold: Gate | undefined;
  let answerHold: Gate | undefined;
  let holdsAnswers = false;

  // `noDelay`: a small packet would else wait up to 40 ms for the acknowledgement of the one before.
  const server = createServer({ noDelay: true }, (client) => {
    if (!proxy.isOpen) {
      client.destroy();
      return;
    }
    const asterisk = connect({ host: '127.0.0.1', port, noDelay: true });
    for (const socket of [client, asterisk]) {
      sockets.add(socket);
      socket.setEncoding('utf8').on('error', () => {});
      socket.once('close', () => sockets.delete(socket));
    }
    relay(client, asterisk, async (packet) => {
      if (!packet.startsWith('Action: Originate')) return;
      holdsAnswers = answerHold !== undefined;
      await originateHold?.pass();
    });
    relay(asterisk, client, async () => {
      if (holdsAnswers) await answerHold?.pass();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  const proxy: AmiProxy = {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    isOpen: true,
    holdOriginate() {
      originateHold = gate(() => (originateHold = undefined));
      return originateHold;
    },
    holdAnswer() {
      holdsAnswers = false;
      answerHold = gate(() => (answerHold = undefined));
      return answerHold;
    },
    cut() {
      for (const socket of sockets) socket.destroy();
      originateHold?.release();
      answerHold?.release();
    },
    async close() {
      proxy.cut();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}

interface Gate extends Hold {
  pass(): Promise<void>;
}

function gate(onRelease: () => void): Gate {
  let reach = () => {};
  let open = () => {};
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const opened = new Promise<void>((resolve) => (open = resolve));
  return {
    reached,
    release() {
      onRelease();
      open();
    },
    pass() {
      reach();
      return opened;
    },
  };
}

/** Passes packets on, one after the other. When one side ends, the other ends after the last packet. */
function relay(from: Socket, to: Socket, before: (packet: string) => Promise<void>): void {
  let rest = '';
  let passing = Promise.resolve();
  from.on('data', (chunk) => {
    const packets = (rest + chunk).split(/(?<=\r\n\r\n)/);
    rest = packets.at(-1)!.endsWith('\r\n\r\n') ? '' : packets.pop()!;
    // The greeting is one line, not a packet.
    if (rest.startsWith('Asterisk Call Manager') && rest.endsWith('\r\n')) {
      packets.push(rest);
      rest = '';
    }
    for (const packet of packets)
      passing = passing.then(() => before(packet)).then(() => void (to.writable && to.write(packet)));
  });
  from.once('close', () => {
    passing = passing.then(() => void to.end());
  });
}
