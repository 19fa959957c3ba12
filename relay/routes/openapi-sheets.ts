/** Call sheets in the interface's description. */
import { always, body, parameter, problems, reference, response } from './openapi-parts.ts';

const sheetId = parameter('path', 'id', 'The id of a sheet');
const notThere = problems({ 404: 'Your team has no such sheet' });

export const sheetPaths = {
  '/v1/sheets': {
    get: {
      operationId: 'listSheets',
      summary: "The team's call sheets, newest first, with how far each is; needs an agent key with a team",
      responses: { 200: response('The sheets', reference('SheetPage')), ...always },
    },
    post: {
      operationId: 'makeSheet',
      summary: 'A sheet of up to 200 numbers; larger ones are imported by command',
      requestBody: body('SheetRequest'),
      responses: {
        201: response('The sheet', reference('MadeSheet')),
        ...problems({ 422: 'No number can be read' }),
        ...always,
      },
    },
  },
  '/v1/sheets/{id}': {
    delete: {
      operationId: 'deleteSheet',
      summary: 'Deletes a sheet; needs the key that made it, or the right "supervise"',
      parameters: [sheetId],
      responses: { 204: { description: 'Deleted' }, ...notThere, ...always },
    },
  },
  '/v1/sheets/{id}/items': {
    get: {
      operationId: 'listItems',
      summary: 'The items of a sheet, in their order',
      parameters: [
        sheetId,
        parameter('query', 'after', 'The `next` of the page before'),
        parameter('query', 'limit', '1 to 1000; 100 where absent', {
          type: 'integer',
          minimum: 1,
          maximum: 1000,
        }),
      ],
      responses: { 200: response('A page', reference('ItemPage')), ...notThere, ...always },
    },
  },
  '/v1/sheets/{id}/claim': {
    post: {
      operationId: 'claimItem',
      summary:
        'The next item, for this caller alone until the claim ends; repeated, the same item. It places no call',
      parameters: [sheetId],
      requestBody: { ...body('ClaimRequest'), required: false },
      responses: {
        200: response('The item, or when the next one is due', reference('ClaimReply')),
        ...notThere,
        ...always,
      },
    },
  },
  '/v1/sheets/{id}/items/{item}/claim': {
    delete: {
      operationId: 'releaseItem',
      summary: 'Gives an item back, behind the others that are due',
      parameters: [sheetId, parameter('path', 'item', 'The id of an item')],
      requestBody: { ...body('ReleaseRequest'), required: false },
      responses: {
        204: { description: 'Given back' },
        ...problems({ 404: 'Not claimed by you' }),
        ...always,
      },
    },
  },
};
