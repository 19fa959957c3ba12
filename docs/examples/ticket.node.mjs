// Node 18 or newer, no packages. A site's own server: the page with the widget, and the tickets for it.
// DIALMARK_RELAY=https://relay.example DIALMARK_SITE_KEY=… node ticket.node.mjs
import { createServer } from 'node:http';

const relay = process.env.DIALMARK_RELAY;
const siteKey = process.env.DIALMARK_SITE_KEY; // Stays on the server. The page never sees it.
if (!relay || !siteKey) throw new Error('set DIALMARK_RELAY and DIALMARK_SITE_KEY');

/** Yours: who is signed in, from your own session. Never from the query or the body, which anybody can write. */
function agentOf(request) {
  return /(?:^|; )agent=(\w+)/.exec(request.headers.cookie ?? '')?.[1];
}

const page = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Calls</title>
<script type="module" async src="${relay}/widget.js"></script>
<dialmark-widget relay="${relay}" ticket-url="/dialmark-ticket" mode="dial" country="BR">
  Calls are shown here once the agent is signed in and the relay can be reached.
</dialmark-widget>`;

const server = createServer(async (request, response) => {
  const answer = (status, body) =>
    response
      .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
      .end(JSON.stringify(body));
  if (request.url === '/')
    return response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
  if (request.url !== '/dialmark-ticket') return answer(404, {});
  const agent = agentOf(request);
  if (!agent) return answer(401, { message: 'sign in first' });
  try {
    const reply = await fetch(`${relay}/v1/tickets`, {
      method: 'POST',
      headers: { authorization: `Bearer ${siteKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ from: agent, rights: ['watch', 'dial'], ttl: 600 }),
      signal: AbortSignal.timeout(5000),
    });
    const { ticket, code, detail } = await reply.json();
    if (reply.ok) return answer(200, { ticket });
    // For the log that you read. For example, callerNotYours means that the site key is not for this agent.
    console.error(`no ticket for ${agent}: ${code}. ${detail}`);
    return answer(502, { code });
  } catch (error) {
    console.error(`no ticket for ${agent}: ${error.cause ?? error}`);
    return answer(502, { code: 'relayUnreachable' });
  }
});
server.listen(Number(process.env.PORT ?? 8080), 'localhost', () =>
  console.log(`http://localhost:${server.address().port}`),
);
