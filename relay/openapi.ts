/** The interface's description, made from the schemas that the relay parses with, so that it cannot drift from them. */
import { z } from 'zod';
import {
  AnnouncedCall,
  Call,
  CallPage,
  EventPage,
  PlaceCallRequest,
  Problem,
  ReportReply,
  Ticket,
  TicketRequest,
} from '../shared/protocol/messages.ts';

const schemas = {
  Call,
  PlaceCallRequest,
  AnnouncedCall,
  ReportReply,
  CallPage,
  EventPage,
  TicketRequest,
  Ticket,
  Problem,
};
type SchemaName = keyof typeof schemas;

const reference = (name: SchemaName) => ({ $ref: `#/components/schemas/${name}` });
const content = (schema: object) => ({ 'application/json': { schema } });
const answer = (description: string, schema: object) => ({ description, content: content(schema) });
const problem = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: reference('Problem') } },
});
const header = (name: string, required: boolean, description: string) => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string' },
});
const query = (name: string, description: string, schema: object = { type: 'string' }) => ({
  name,
  in: 'query',
  description,
  schema,
});
const callId = {
  name: 'id',
  in: 'path',
  required: true,
  schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{22}$' },
};
const always = {
  '401': problem('No key or ticket, or not a good one'),
  '403': problem('Not allowed to this key or ticket'),
  '429': problem('Too many; Retry-After says when to come back'),
  '503': problem('The store cannot take this now; nothing was kept'),
};
const body = (name: SchemaName) => ({ required: true, content: content(reference(name)) });

const paths = {
  '/v1/calls': {
    post: {
      operationId: 'placeCall',
      summary: 'Place a call, or announce one that the client places itself',
      parameters: [
        header(
          'Idempotency-Key',
          true,
          'New for every click; kept for 24 hours. 22 random base64url characters become the id of the call',
        ),
      ],
      requestBody: body('PlaceCallRequest'),
      responses: {
        '201': answer('The call, whatever its state; with placedBy "client" also its return address', {
          anyOf: [reference('Call'), reference('AnnouncedCall')],
        }),
        '400': problem('Fields or the Idempotency-Key are missing or wrong'),
        '422': problem('The Idempotency-Key belongs to another request'),
        ...always,
      },
    },
    get: {
      operationId: 'listCalls',
      summary: 'History of one’s own callers, newest first',
      parameters: [
        query('limit', '1 to 200; 50 where absent', { type: 'integer', minimum: 1, maximum: 200 }),
        query('before', 'The id of a call: the page after it'),
      ],
      responses: { '200': answer('A page', reference('CallPage')), ...always },
    },
  },
  '/v1/calls/{id}': {
    get: {
      operationId: 'getCall',
      summary: 'One call',
      parameters: [callId],
      responses: {
        '200': answer('The call', reference('Call')),
        '404': problem('None, or not yours'),
        ...always,
      },
    },
  },
  '/v1/calls/{id}/reply': {
    post: {
      operationId: 'reportReply',
      summary: 'What the provider answered to a call that the client placed itself',
      parameters: [callId],
      requestBody: body('ReportReply'),
      responses: {
        '200': answer('The call', reference('Call')),
        '404': problem('None, or not yours'),
        ...always,
      },
    },
  },
  '/v1/events': {
    get: {
      operationId: 'followCalls',
      summary: 'Every change of one’s own calls, as a stream or as one page',
      parameters: [
        header('Last-Event-ID', false, 'The id of the last event handled; what came after it follows'),
        query('since', 'The same, where the header cannot be sent'),
        query('wait', 'With Accept: application/json, seconds to wait for an event, up to 25'),
      ],
      responses: {
        '200': {
          description:
            'Server-sent events `call` (one Call as JSON) and `reset` (the cursor is not known); or one page',
          content: {
            'text/event-stream': { schema: { type: 'string' } },
            'application/json': { schema: reference('EventPage') },
          },
        },
        ...always,
      },
    },
  },
  '/v1/tickets': {
    post: {
      operationId: 'makeTicket',
      summary: 'A short-lived ticket for a widget; needs a site key',
      requestBody: body('TicketRequest'),
      responses: {
        '201': answer('The ticket', reference('Ticket')),
        '400': problem('Wrong fields'),
        ...always,
      },
    },
  },
  '/h/v1/{capability}': {
    post: {
      operationId: 'notify',
      summary: 'The provider’s notification; only on the address made for that call',
      security: [],
      parameters: [{ name: 'capability', in: 'path', required: true, schema: { type: 'string' } }],
      requestBody: {
        required: true,
        description: 'Interface of the calling service, 2.3; at most 64 KiB',
        content: content({ type: 'object', additionalProperties: true }),
      },
      responses: {
        '200': { description: 'Durable, or known before' },
        '404': problem('Forged, expired or unknown; never said which'),
        '413': problem('Too large'),
        '415': problem('Not JSON'),
        '422': problem('Not the notification of an end'),
        '503': problem('Not kept; send it again'),
      },
    },
  },
};

export function openApiDocument(serverUrl: string): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Dialmark relay',
      version: '1',
      description: 'Places calls through a calling service, receives how they ended, and tells browsers.',
    },
    servers: [{ url: serverUrl }],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An agent key, a site key or a ticket' },
      },
      schemas: Object.fromEntries(
        Object.entries(schemas).map(([name, schema]) => {
          const { $schema: _, ...rest } = z.toJSONSchema(schema, { unrepresentable: 'any' });
          return [name, rest];
        }),
      ),
    },
  };
}
