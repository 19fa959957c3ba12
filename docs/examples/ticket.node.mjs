// Node 18 or newer, no packages. The site's own server: gives the page of a signed-in agent a ticket for the widget.
// DIALMARK_RELAY=https://relay.example DIALMARK_SITE_KEY=… node ticket.node.mjs
import { createServer } from 'node:http';

const relay = process.env.DIALMARK_RELAY;
const siteKey = process.env.DIALMARK_SITE_KEY; // Stays on the server. The page never sees it.

/** Yours: who is signed in, from your own session. Never from the query or the body, which anybody can write. */
function agentOf(request) {
  return /(?:^|; )agent=(\w+)/.exec(request.headers.cookie ?? '')?.[1];
}

const server = createServer(async (request, response) => {
  const answer = (status, body) =>
    response
      .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
      .end(JSON.stringify(body));
  if (request.url !== '/dialmark-ticket') return answer(404, {});
  const agent = agentOf(request);
  if (!agent) return answer(401, { message: 'sign in first' });
  try {
    const minted = await fetch(`${relay}/v1/tickets`, {
      method: 'POST',
      headers: { authorization: `Bearer ${siteKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ from: agent, rights: ['watch', 'dial'], ttl: 600 }),
      signal: AbortSignal.timeout(5000),
    });
    if (!minted.ok) return answer(502, { message: 'the relay gave no ticket' });
    const { ticket } = await minted.json();
    return answer(200, { ticket });
  } catch {
    return answer(502, { message: 'the relay cannot be reached' });
  }
});
server.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', () => console.log(server.address().port));
