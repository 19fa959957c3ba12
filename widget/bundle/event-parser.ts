/** The part of eventsource-parser's interface that `shared/protocol/stream.ts` uses, in 0.3 KB gzipped instead of 1.3. */
import type { EventSourceMessage } from 'eventsource-parser';

export type ParsedEvent = Pick<EventSourceMessage, 'event' | 'id' | 'data'>;

export function createParser(callbacks: {
  onEvent: (event: ParsedEvent) => void;
  onComment: (comment: string) => void;
}): { feed(text: string): void } {
  let rest = '';
  let fields: Record<string, string> = {};
  return {
    feed(text) {
      // A carriage return at the end may be half of a line break.
      const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop()!;
      for (const line of lines) {
        const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line)!;
        if (name) fields[name] = name === 'data' && 'data' in fields ? `${fields.data}\n${value}` : value;
        else if (line) callbacks.onComment(value);
        else {
          const { event, id, data } = fields;
          fields = {};
          if (data !== undefined) callbacks.onEvent({ event: event || undefined, id, data });
        }
      }
    },
  };
}
