/**
 * The Asterisk Manager Interface on the wire: packets of `Name: value` lines, each ended by an empty line. Pure,
 * without I/O. Bytes may be cut anywhere. A value with a line break is refused, since it could add an action.
 */

/** One response or event. It does not have a prototype, so that a name from the wire cannot reach a prototype. */
export type AmiPacket = Readonly<Record<string, string>>;

export type AmiFields = Readonly<Record<string, string | readonly string[]>>;

/** The most bytes of a packet. A packet of Asterisk has some 30 lines, so a larger text is not AMI. */
export const maxPacketBytes = 256 * 1024;

/** @throws Error if a name or a value could end its line, or a name is not a field name. */
export function encodeAction(fields: AmiFields): string {
  const lines = Object.entries(fields).flatMap(([name, values]) =>
    [values].flat().map((value) => {
      if (!/^[A-Za-z][A-Za-z-]*$/.test(name))
        throw new Error(`AMI: expected a field name, got ${JSON.stringify(name)}`);
      if (/[\u0000-\u001f\u007f]/.test(value))
        throw new Error(`AMI: expected no control characters in ${name}, got ${JSON.stringify(value)}`);
      return `${name}: ${value}`;
    }),
  );
  return `${lines.join('\r\n')}\r\n\r\n`;
}

interface AmiDecoder {
  /** @returns the packets that this chunk completes. @throws Error if the chunk is not AMI. */
  push(chunk: string): AmiPacket[];
}

/** Decodes a stream that begins with Asterisk's greeting line. */
export function amiDecoder(): AmiDecoder {
  let rest = '';
  let isGreeted = false;
  return {
    push(chunk) {
      rest += chunk;
      const packets: AmiPacket[] = [];
      if (!isGreeted) {
        const end = rest.indexOf('\r\n');
        if (end >= 0 || rest.length > 200) {
          const greeting = rest.slice(0, Math.max(end, 0));
          if (!greeting.startsWith('Asterisk Call Manager/'))
            throw new Error(
              `AMI: expected the greeting of Asterisk's manager interface, got ${JSON.stringify(rest.slice(0, 80))}`,
            );
          isGreeted = true;
          rest = rest.slice(end + 2);
        }
      }
      for (let end = rest.indexOf('\r\n\r\n'); isGreeted && end >= 0; end = rest.indexOf('\r\n\r\n')) {
        packets.push(decodePacket(rest.slice(0, end)));
        rest = rest.slice(end + 4);
      }
      if (rest.length > maxPacketBytes)
        throw new Error(`AMI: expected a packet of at most ${maxPacketBytes} bytes, got more`);
      return packets;
    },
  };
}

/** A name that occurs twice keeps its last value. The fields that are read here occur once. */
function decodePacket(text: string): AmiPacket {
  const packet: Record<string, string> = Object.create(null);
  for (const line of text.split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) packet[line.slice(0, colon)] = line.slice(colon + 1).trim();
  }
  return packet;
}
