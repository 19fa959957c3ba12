import { describe, expect, it } from 'vitest';
import { startTestRelay } from '../testing/relay/test-relay.ts';
import { openApiDocument } from './openapi.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document is read at will
const document = openApiDocument('https://relay.example') as any;

describe('the OpenAPI document', () => {
  it('is served, and points to this relay', async () => {
    const relay = await startTestRelay();
    const answer = await relay.ask('/openapi.json');
    expect(answer.body).toEqual(openApiDocument(relay.url));
    await relay.stop();
  });

  it('knows every schema that it refers to', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
    expect(references.length).toBeGreaterThan(10);
    for (const [, name] of references) expect(document.components.schemas).toHaveProperty(name!);
  });

  it('says of a call and its request what the schemas say', () => {
    const { Call, PlaceCallRequest } = document.components.schemas;
    expect(Call.properties.state.enum).toContain('callingCaller');
    expect(Call.properties.state.enum).not.toContain('connected');
    expect(PlaceCallRequest).toMatchObject({ required: ['to'], additionalProperties: false });
  });

  it('describes routes that the relay has, and a method that each of them takes', async () => {
    const relay = await startTestRelay();
    for (const [path, methods] of Object.entries(document.paths))
      for (const method of Object.keys(methods as object)) {
        const { status, body } = await relay.ask(path.replace(/\{\w+\}/, 'x'), {
          method: method.toUpperCase(),
        });
        // Without a key a route that exists says 401; the capability route says 404 to everyone, by design.
        expect([path, method, status]).toEqual([path, method, path.startsWith('/h/') ? 404 : 401]);
        expect(body).toHaveProperty('code');
      }
    await relay.stop();
  });
});
