/** What the parts of the interface's description have in common. */
import type { z } from 'zod';
import * as protocolMessages from '../../shared/protocol/messages.ts';
import * as numberMessages from '../../shared/protocol/number-status.ts';
import * as sheetMessages from '../../shared/protocol/sheets.ts';

export const messages = { ...protocolMessages, ...numberMessages, ...sheetMessages };

type SchemaName = {
  [K in keyof typeof messages]: (typeof messages)[K] extends z.core.$ZodType ? K : never;
}[keyof typeof messages];

export const reference = (name: SchemaName) => ({ $ref: `#/components/schemas/${name}` });
export const json = (schema: object) => ({ 'application/json': { schema } });
export const body = (name: SchemaName) => ({ required: true, content: json(reference(name)) });
export const response = (description: string, schema: object) => ({ description, content: json(schema) });
export const problems = (descriptions: Record<number, string>) =>
  Object.fromEntries(
    Object.entries(descriptions).map(([status, description]) => [
      status,
      { description, content: { 'application/problem+json': { schema: reference('Problem') } } },
    ]),
  );
export const parameter = (
  place: 'header' | 'query' | 'path',
  name: string,
  description: string,
  schema: object = { type: 'string' },
) => ({ name, in: place, required: place === 'path', description, schema });

export const always = problems({
  401: 'No key or ticket, or not a valid one',
  403: 'Not allowed to this key or ticket',
  429: 'Too many; Retry-After says how long to wait',
  503: 'The store cannot take this now; nothing was kept',
});
export const callId = parameter('path', 'id', 'The id of a call', {
  type: 'string',
  pattern: '^[A-Za-z0-9_-]{22}$',
});
export const oneCall = {
  200: response('The call', reference('Call')),
  ...problems({ 404: 'None, or not yours' }),
  ...always,
};
