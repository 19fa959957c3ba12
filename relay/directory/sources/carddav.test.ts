/** Against a server that answers as each test says; `carddav.crm.test.ts` has the real ones. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RecordingServer, startRecordingServer } from '../../../testing/servers/recording-server.ts';
import { until } from '../../../testing/until.ts';
import type { DirectoryIndex } from '../index/directory-index.ts';
import { openSqliteIndex } from '../index/sqlite-index.ts';
import { syncSource } from '../sync.ts';
import { carddavSource } from './carddav.ts';

interface Asked {
  method: string;
  authorization: string | undefined;
  body: string;
}

let server: RecordingServer<Asked>;
let index: DirectoryIndex;
beforeEach(async () => {
  server = await startRecordingServer<Asked>(
    ({ method = '', headers }, body) => ({
      method,
      authorization: headers.authorization,
      body: String(body),
    }),
    () => {},
  );
  index = openSqliteIndex(':memory:');
});
afterEach(async () => {
  index.close();
  await server.close();
});

const multistatus = (...parts: string[]) =>
  `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:carddav">${parts.join('')}</d:multistatus>`;
const token = (text: string) => `<d:sync-token>${text}</d:sync-token>`;
const member = (name: string, etag = `"${name}"`, more = '') =>
  `<d:response><d:href>/book/${name}.vcf</d:href><d:propstat><d:prop><d:getetag>${etag}</d:getetag>${more}</d:prop>` +
  '<d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>';
const gone = (name: string) =>
  `<d:response><d:href>/book/${name}.vcf</d:href><d:status>HTTP/1.1 404 Not Found</d:status></d:response>`;
const cut =
  '<d:response><d:href>/book/</d:href><d:status>HTTP/1.1 507 Insufficient Storage</d:status></d:response>';
const card = (name: string, more = '') =>
  `<c:address-data><![CDATA[BEGIN:VCARD\r\nVERSION:3.0\r\n${more}FN:${name}\r\nTEL:4833224455\r\nEND:VCARD]]></c:address-data>`;

/** Answers each sync-collection with the next of these, and every card that is asked for with its name. */
function answerWith(...syncs: (string | { status: number; body: string })[]): void {
  server.answer = ({ body }, response) => {
    if (body.includes('addressbook-multiget')) {
      const names = [...body.matchAll(/\/book\/([\w-]+)\.vcf/g)].map(([, name]) => name!);
      response.writeHead(207).end(multistatus(...names.map((name) => member(name, `"${name}"`, card(name)))));
      return;
    }
    const next = syncs.shift() ?? multistatus(token('end'));
    if (typeof next === 'string') response.writeHead(207).end(next);
    else response.writeHead(next.status).end(next.body);
  };
}

const sync = () =>
  syncSource(
    {
      name: 'book',
      source: carddavSource({ url: `${server.url}/book/`, user: 'ana', token: 'secret' }),
      rules: { country: 'BR', extensions: [] },
      index,
      readForgotten: async () => ({ has: () => false, digest: '' }),
    },
    { signal: new AbortController().signal },
  );
const names = async () => {
  const [found] = await index.find(['+554833224455'], ['book']);
  return found!.people.map(({ name }) => name).sort();
};
const bodies = () => server.received.map(({ body }) => body);

describe('carddavSource', () => {
  it('pulls everything first, then what changed since the token in one request', async () => {
    answerWith(
      multistatus(member('ana'), member('rui'), token('t1')),
      multistatus(member('eva'), gone('rui'), token('t2')),
      multistatus(token('t2')),
    );
    await sync();
    expect(await names()).toEqual(['ana', 'rui']);
    expect(server.received[0]).toMatchObject({
      method: 'REPORT',
      authorization: `Basic ${Buffer.from('ana:secret').toString('base64')}`,
    });
    await sync();
    expect(await names()).toEqual(['ana', 'eva']);
    expect(bodies()[2]).toContain('<D:sync-token>t1</D:sync-token>');
    await sync();
    expect(bodies()).toHaveLength(5);
    expect(bodies()[4]).toContain('<D:sync-token>t2</D:sync-token>');
  });

  describe('where the server leaves a card out of its answer', () => {
    const withoutRui = (inItsPlace = '') => {
      const whole = server.answer;
      server.answer = (asked, response) => {
        if (!asked.body.includes('multiget')) return whole(asked, response);
        response.writeHead(207).end(multistatus(member('ana', '"ana2"', card('Ana Prado')), inItsPlace));
      };
      return whole;
    };

    it.each([
      ['nothing in its place', ''],
      ['a status', gone('rui').replace('404 Not Found', '500 Internal Server Error')],
      ['a member without its card', member('rui', '"rui2"')],
    ])('asks for its change again, with %s', async (_what, inItsPlace) => {
      const changed = [member('ana', '"ana2"'), member('rui', '"rui2"'), gone('eva')];
      answerWith(
        multistatus(member('ana'), member('rui'), member('eva'), token('t1')),
        multistatus(...changed, token('t2')),
        multistatus(token('t3')),
      );
      await sync();
      const whole = withoutRui(inItsPlace);
      expect(await sync()).toMatchObject({ changed: 1, removed: 1, entries: 2 });
      expect(await names()).toEqual(['Ana Prado', 'rui']);
      expect((await index.sources()).get('book')).toMatchObject({ leftOut: 1 });
      server.answer = (asked, response) => {
        if (!asked.body.includes('multiget')) return whole(asked, response);
        response.writeHead(207).end(multistatus(member('rui', '"rui2"', card('Rui Costa'))));
      };
      expect(await sync()).toMatchObject({ changed: 1, removed: 0 });
      expect(await names()).toEqual(['Ana Prado', 'Rui Costa']);
      expect(
        bodies()
          .at(-2)!
          .match(/<D:href>.*?</g),
      ).toEqual(['<D:href>/book/rui.vcf<']);
      expect(bodies().at(-1)).toContain('<D:sync-token>t2</D:sync-token>');
      expect((await index.sources()).get('book')).toMatchObject({ token: 't3', leftOut: 0 });
    });

    it('keeps its person where everything is compared', async () => {
      answerWith(
        multistatus(member('ana'), member('rui'), token('t1')),
        { status: 403, body: '' },
        multistatus(member('ana', '"ana2"'), member('rui', '"rui2"'), token('t2')),
      );
      await sync();
      withoutRui();
      expect(await sync()).toMatchObject({ changed: 1, removed: 0 });
      expect(await names()).toEqual(['Ana Prado', 'rui']);
    });

    it('believes nothing where most of them are missing', async () => {
      const many = Array.from({ length: 1001 }, (_, n) => member(`p${n}`));
      answerWith(multistatus(member('ana'), token('t1')), multistatus(...many, token('t2')));
      await sync();
      withoutRui();
      expect(await sync()).toMatchObject({ problem: 'it leaves out 1001 of its cards', entries: 1 });
      expect((await index.sources()).get('book')).toMatchObject({ token: 't1' });
    });

    it('takes one for gone that is not there any more', async () => {
      answerWith(
        multistatus(member('ana'), member('rui'), token('t1')),
        multistatus(member('ana', '"ana2"'), member('rui', '"rui2"'), token('t2')),
      );
      await sync();
      withoutRui(gone('rui'));
      expect(await sync()).toMatchObject({ changed: 1, removed: 1, entries: 1 });
      expect((await index.sources()).get('book')).toMatchObject({ token: 't2' });
    });
  });

  it('reads a changed card again whose answer has no ETag', async () => {
    const answers = ['Ana', 'Ana Prado'].map((name) => card(name));
    server.answer = ({ body }, response) => {
      const isOfCards = body.includes('addressbook-multiget');
      const state = isOfCards ? answers.shift()! : `<d:getetag>"${answers.length}"</d:getetag>`;
      const ana =
        `<d:response><d:href>/book/ana.vcf</d:href><d:propstat><d:prop>${state}</d:prop>` +
        '<d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>';
      response.writeHead(207).end(multistatus(ana, isOfCards ? '' : token(`t${answers.length}`)));
    };
    await sync();
    expect(await sync()).toMatchObject({ changed: 1 });
    expect(await names()).toEqual(['Ana Prado']);
  });

  it.each([403, 409, 500])('compares ETags where the server forgot the token (HTTP %s)', async (status) => {
    answerWith(
      multistatus(member('ana'), member('rui'), token('t1')),
      { status, body: '<d:error xmlns:d="DAV:"><d:valid-sync-token/></d:error>' },
      multistatus(member('ana'), member('eva'), token('t9')),
    );
    await sync();
    expect(await sync()).toMatchObject({ changed: 1, removed: 1 });
    expect(await names()).toEqual(['ana', 'eva']);
    expect(bodies().at(-1)).toContain('/book/eva.vcf');
    expect(bodies().at(-1)).not.toContain('/book/ana.vcf');
  });

  it('goes on where the server cuts its answer', async () => {
    answerWith(multistatus(member('ana'), cut, token('p1')), multistatus(member('rui'), token('p2')));
    expect(await sync()).toMatchObject({ entries: 2 });
    expect((await index.sources()).get('book')).toMatchObject({ token: 'p2' });
  });

  it('counts in its check what the server has sent of an answer that it cuts', async () => {
    const { check } = carddavSource({ url: `${server.url}/book/`, user: 'ana', token: 'secret' });
    answerWith(multistatus(member('ana'), cut, token('p1')), multistatus(member('ana'), token('p2')));
    expect(await check(new AbortController().signal)).toBe('more than 1 cards');
    expect(await check(new AbortController().signal)).toBe('1 cards');
  });

  it('gives up on tokens that lead in a circle', async () => {
    answerWith(...Array.from({ length: 9 }, (_, n) => multistatus(member('ana'), cut, token(`p${n % 2}`))));
    expect(await sync()).toMatchObject({ problem: 'it cuts its answer without saying where to go on' });
    expect(bodies().length).toBeLessThan(9);
  });

  it('ignores members at other hosts, outside the book, or the book itself', async () => {
    const other = await startRecordingServer(
      () => 1,
      () => {},
    );
    const foreign = (href: string) => member('ana').replace('/book/ana.vcf', href);
    answerWith(
      multistatus(
        foreign(`${other.url}/book/x.vcf`),
        foreign('//other.example/book/x.vcf'),
        foreign('/elsewhere/x.vcf'),
        foreign('/book/../elsewhere/x.vcf'),
        foreign('/book/'),
        member('ana'),
        token('t1'),
      ),
    );
    expect(await sync()).toMatchObject({ entries: 1 });
    expect(bodies()[1]!.match(/<D:href>/g)).toHaveLength(1);
    expect(other.received).toEqual([]);
    await other.close();
  });

  it.each([
    ['entities', '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><x>&b;</x>', 'not well-formed'],
    [
      'an external entity',
      '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>',
      'not well-formed',
    ],
    ['half an answer', '<d:multistatus xmlns:d="DAV:"><d:response>', 'not well-formed'],
    ['a page', '<html xmlns="x"><body>Log in</body></html>', 'something else'],
  ])('keeps what is known where the server answers with %s', async (_what, body, problem) => {
    answerWith(multistatus(member('ana'), token('t1')), body);
    await sync();
    expect((await sync())!.problem).toContain(problem);
    expect(await names()).toEqual(['ana']);
  });

  it.each([
    [401, 'it does not accept _USER or _TOKEN'],
    [404, 'there is nothing at _URL'],
    [500, 'it refuses sync-collection (HTTP 500); see _URL and the rights of _USER'],
    [503, 'it answered with HTTP 503'],
    [301, 'it sends elsewhere; see _URL'],
  ])('says what HTTP %s means', async (status, problem) => {
    answerWith({ status, body: '' });
    expect(await sync()).toMatchObject({ problem });
    expect(bodies()).toHaveLength(1);
  });

  it.each([
    ['https://ana:secret@dav.example/book/?key=secret', 'https://dav.example/book/'],
    ['/dav/book', () => `${server.url}/dav/book`],
    ['http://', ''],
  ])('names where the server sends by %s, without secrets', async (location, target) => {
    server.answer = (_asked, response) => void response.writeHead(308, { location }).end();
    const shown = typeof target === 'string' ? target : target();
    expect(await sync()).toMatchObject({
      problem: `it sends elsewhere${shown && `, to ${shown}`}; see _URL`,
    });
  });

  it.each([
    ['Digest realm="BaikalDAV", nonce="1"', 'it takes no login by Basic, only by Digest'],
    ['Digest realm="a", nonce="1", Basic realm="b"', 'it does not accept _USER or _TOKEN'],
    ['Basic realm="Digest"', 'it does not accept _USER or _TOKEN'],
  ])('says of a login by %s what is wrong', async (challenge, problem) => {
    server.answer = (_asked, response) =>
      void response.writeHead(401, { 'www-authenticate': challenge }).end();
    expect(await sync()).toMatchObject({ problem });
  });

  it.each([
    [401, ''],
    [500, ''],
    [403, 'multiget'],
  ])('closes the connection of an answer without end after HTTP %s', async (status, request) => {
    answerWith(multistatus(member('ana'), token('t1')));
    const first = server.answer;
    let isClosed = false;
    server.answer = (asked, response) => {
      if (!asked.body.includes(request)) return first(asked, response);
      response.on('close', () => (isClosed = true));
      response.writeHead(status).write('<');
    };
    expect((await sync())!.problem).toMatch(/^it /);
    await until(() => isClosed, 'the end of the connection', 10_000);
  });

  it('reads a card behind a photo of 10 MB', async () => {
    const photo = `PHOTO;ENCODING=b;TYPE=JPEG:${'QUJD'.repeat(2_500_000)}\r\n`;
    answerWith(multistatus(member('ana'), token('t1')));
    const small = server.answer;
    server.answer = (asked, response) => {
      if (!asked.body.includes('multiget')) return small(asked, response);
      response.writeHead(207).end(multistatus(member('ana', '"1"', card('Ana', photo))));
    };
    await sync();
    expect(await names()).toEqual(['Ana']);
  });

  it('says that a server is away', async () => {
    await server.close();
    expect((await sync())!.problem).toBe('it cannot be reached (ECONNREFUSED)');
  });
});
