/**
 * The interface's description. The schemas are those that the relay parses with; a test compares the paths with the routes.
 * The rest is written by hand.
 */
import { z } from 'zod';
import {
  always,
  body,
  callId,
  json,
  messages,
  oneCall,
  parameter,
  problems,
  reference,
  response,
} from './openapi-parts.ts';
import { sheetPaths } from './openapi-sheets.ts';

const paths = {
  '/v1/calls': {
    post: {
      operationId: 'placeCall',
      summary: 'Place a call, or announce one that the client places itself',
      parameters: [
        {
          ...parameter(
            'header',
            'Idempotency-Key',
            'New for every click; a key that is sent again places no second call while its call is kept',
          ),
          required: true,
        },
      ],
      requestBody: body('PlaceCallRequest'),
      responses: {
        201: response('The call, whatever its state; with placedBy "client" also its return address', {
          anyOf: [reference('Call'), reference('AnnouncedCall')],
        }),
        ...always,
        ...problems({
          400: 'Fields or the Idempotency-Key are missing or wrong; without the `from` that is needed, `callers` are those it may name',
          403: 'Not allowed to this key, or the number must not be called (`doNotCall`, `callingHours`)',
          409: 'The last call needs an outcome first, somebody is calling the number (`leased`), or has the item (`itemTaken`)',
          422: 'The Idempotency-Key belongs to another request, or the record is not known',
        }),
      },
    },
    get: {
      operationId: 'listCalls',
      summary: 'History of one’s own callers, newest first',
      parameters: [
        parameter('query', 'limit', '1 to 200; 50 where absent', {
          type: 'integer',
          minimum: 1,
          maximum: 200,
        }),
        parameter('query', 'before', 'The id of a call: the page after it'),
        parameter('query', 'outcome', '`missing`: only finished calls of which the agent has said nothing', {
          type: 'string',
          enum: ['missing'],
        }),
      ],
      responses: {
        200: response(
          'A page; `callers` are those whose calls the key or ticket may read',
          reference('CallPage'),
        ),
        ...always,
      },
    },
  },
  '/v1/calls/{id}': {
    get: { operationId: 'getCall', summary: 'One call', parameters: [callId], responses: oneCall },
    delete: {
      operationId: 'hangUp',
      summary: 'Hangs the call up, where it says canHangUp; its end is reported as any other',
      parameters: [callId],
      responses: {
        202: response('Asked for; asking again is harmless', reference('Call')),
        ...problems({
          404: 'None, or not yours',
          409: 'The call is over, or the service cannot hang it up',
          502: 'The service did not confirm; the call may go on',
        }),
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
      responses: oneCall,
    },
  },
  '/v1/calls/{id}/wrap-up': {
    patch: {
      operationId: 'wrapUp',
      summary: 'What the agent says of the call; absent fields stay, null removes',
      parameters: [
        callId,
        {
          ...parameter(
            'header',
            'If-Match',
            'The revision of the wrap-up that was changed; 0 where there was none',
          ),
          required: true,
        },
      ],
      requestBody: body('WrapUpRequest'),
      responses: {
        ...oneCall,
        ...problems({
          412: 'It was changed meanwhile; `call` has the current one',
          422: 'The outcome is not known or needs a note; `outcomes` are those that exist',
          428: 'If-Match is missing',
        }),
      },
    },
  },
  '/v1/calls/{id}/record': {
    post: {
      operationId: 'chooseRecord',
      summary: 'Where the entry of a call goes, or that it goes nowhere; an entry that exists is amended',
      parameters: [callId],
      requestBody: body('RecordRequest'),
      responses: { ...oneCall, ...problems({ 422: 'No template has such a record' }) },
    },
  },
  '/v1/calls/{id}/records': {
    get: {
      operationId: 'listRecordCandidates',
      summary: 'What a call without a record may be about: people with its number who are records of a CRM',
      parameters: [callId],
      responses: { 200: response('Those that take an entry', reference('RecordCandidates')), ...always },
    },
  },
  '/v1/callbacks': {
    get: {
      operationId: 'listCallbacks',
      summary:
        'Calls to be repeated, by `wrapUp.callBackAt`: one’s own, and those that a colleague handed over',
      responses: { 200: response('At most 200 calls', reference('CallbackPage')), ...always },
    },
  },
  '/v1/rules': {
    get: {
      operationId: 'readRules',
      summary: "The team's rules; the event stream has `event: rules` when they change",
      responses: { 200: response('The rules', reference('Rules')), ...always },
    },
  },
  '/v1/rules/do-not-call': {
    get: {
      operationId: 'listDoNotCall',
      summary:
        'Numbers that must not be called, as agents and operators listed them; large lists are not in it',
      parameters: [
        parameter('query', 'after', 'The `next` of the page before'),
        parameter('query', 'limit', '1 to 1000; 100 where absent', {
          type: 'integer',
          minimum: 1,
          maximum: 1000,
        }),
      ],
      responses: { 200: response('A page', reference('DoNotCallPage')), ...always },
    },
    post: {
      operationId: 'listNumber',
      summary: 'A number or prefix that must not be called; an entry that lasts longer stays as it is',
      requestBody: body('DoNotCallRequest'),
      responses: {
        201: response('The entry', reference('DoNotCallEntry')),
        ...problems({ 422: 'The number cannot be read' }),
        ...always,
      },
    },
    delete: {
      operationId: 'unlistNumber',
      summary: 'Takes a number or prefix off the list; needs a key with the right "rules"',
      requestBody: body('ListedNumber'),
      responses: {
        204: { description: 'Removed' },
        ...problems({ 404: 'It is not listed', 422: 'The number cannot be read' }),
        ...always,
      },
    },
  },
  '/v1/numbers/status': {
    post: {
      operationId: 'readNumbers',
      summary: 'Who has these numbers, and what the team knows of them',
      requestBody: body('NumberStatusRequest'),
      responses: {
        200: response('In the order of the request', reference('NumberStatusPage')),
        ...problems({ 400: 'No number, more than 50, or one that is not E.164 or an extension' }),
        ...always,
      },
    },
  },
  '/v1/directory/search': {
    post: {
      operationId: 'searchDirectory',
      summary: 'People and places by part of their name, organisation or initials',
      requestBody: body('DirectorySearchRequest'),
      responses: {
        200: response('At most 20 entries', reference('DirectorySearchPage')),
        ...problems({ 400: 'Nothing to search for' }),
        ...always,
      },
    },
  },
  ...sheetPaths,
  '/v1/events': {
    get: {
      operationId: 'followCalls',
      summary: 'Every change of one’s own calls, as a stream or as one page',
      parameters: [
        parameter('header', 'Last-Event-ID', 'The id of the last event handled; what came after it follows'),
        parameter('query', 'since', 'The same, where the header cannot be sent'),
        parameter('query', 'wait', 'With Accept: application/json, seconds to wait for an event, up to 25'),
      ],
      responses: {
        200: {
          description:
            'Server-sent events `call` (one Call as JSON), `reset` (the cursor is not known), `rules` and `names`; or one page',
          content: { 'text/event-stream': { schema: { type: 'string' } }, ...json(reference('EventPage')) },
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
        201: response('The ticket', reference('Ticket')),
        ...problems({ 400: 'Wrong fields', 422: 'No template has such a record' }),
        ...always,
      },
    },
  },
  '/h/v1/{capability}': {
    post: {
      operationId: 'notify',
      summary: 'The provider’s notification; only on the address made for that call',
      security: [],
      parameters: [parameter('path', 'capability', 'Signed, for one call')],
      requestBody: {
        required: true,
        description: 'Interface of the calling service, 2.3; at most 64 KiB',
        content: json({ type: 'object', additionalProperties: true }),
      },
      responses: {
        200: { description: 'Durable, or known before' },
        ...problems({
          404: 'Forged, expired or unknown; never which',
          413: 'Too large',
          415: 'Not JSON',
          422: 'Not the notification of a call',
          503: 'Not kept; send it again',
        }),
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
      description: 'Places calls through a calling service, receives how they ended, and notifies browsers.',
    },
    servers: [{ url: serverUrl }],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An agent key, a site key or a ticket' },
      },
      schemas: Object.fromEntries(
        Object.entries(messages).flatMap(([name, schema]) => {
          if (!(schema instanceof z.core.$ZodType)) return [];
          const { $schema: _, ...rest } = z.toJSONSchema(schema, { unrepresentable: 'any' });
          return [[name, rest]];
        }),
      ),
    },
  };
}
