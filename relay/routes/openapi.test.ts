import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { startTestRelay } from '../../testing/relay/test-relay.ts';
import type { RelayContext } from '../relay-context.ts';
import { callRoutes } from './calls.ts';
import { eventRoutes } from './events.ts';
import { openApiDocument } from './openapi.ts';
import { sheetRoutes } from './sheets.ts';
import { ticketRoutes } from './tickets.ts';

// biome-ignore lint/suspicious/noExplicitAny: the document has no type
const document = openApiDocument('https://relay.example') as any;

describe('the OpenAPI document', () => {
  it('is served with the address of this relay', async () => {
    const relay = await startTestRelay();
    const answer = await relay.ask('/openapi.json');
    expect(answer.body).toEqual(openApiDocument(relay.url));
    await relay.stop();
  });

  it('defines every schema that it refers to', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
    expect(references.length).toBeGreaterThan(10);
    for (const [, name] of references) expect(document.components.schemas).toHaveProperty(name!);
  });

  it('describes a call, with its request, as the schemas do', () => {
    const { Call, PlaceCallRequest } = document.components.schemas;
    expect(Call.properties.state.enum).toContain('callingCaller');
    expect(Call.properties.state.enum).toContain('connected');
    expect(Call.required).toEqual(expect.arrayContaining(['id', 'state', 'revision']));
    expect(PlaceCallRequest).toMatchObject({ required: ['to'], additionalProperties: false });
  });

  it('describes only routes that the relay has', async () => {
    const relay = await startTestRelay();
    for (const [path, methods] of Object.entries(document.paths))
      for (const method of Object.keys(methods as object)) {
        const { status, body } = await relay.ask(path.replaceAll(/\{\w+\}/g, 'x'), {
          method: method.toUpperCase(),
        });
        // Without a key an existing route answers 401; the capability route always 404, by design.
        expect([path, method, status]).toEqual([path, method, path.startsWith('/h/') ? 404 : 401]);
        expect(body).toHaveProperty('code');
      }
    await relay.stop();
  });

  it('describes every route of calls, events or tickets', () => {
    const registered: string[] = [];
    const app = Fastify({ exposeHeadRoutes: false });
    app.addHook('onRoute', ({ method, url }) => void registered.push(`${method} ${url}`));
    for (const routes of [callRoutes, eventRoutes, sheetRoutes, ticketRoutes])
      routes(app, { store: {} } as RelayContext);
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map(
        (method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      ),
    );
    expect(described).toEqual(expect.arrayContaining(registered));
    expect(registered).toHaveLength(14);
  });
});
