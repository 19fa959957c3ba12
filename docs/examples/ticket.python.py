# Python 3.9 or newer, no packages. A site's own server: the page with the widget, and the tickets for it.
# DIALMARK_RELAY=https://relay.example DIALMARK_SITE_KEY=… python3 ticket.python.py
import json
import os
import re
import sys
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

RELAY = os.environ["DIALMARK_RELAY"]
SITE_KEY = os.environ["DIALMARK_SITE_KEY"]  # Stays on the server. The page never sees it.

PAGE = f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Calls</title>
<script type="module" async src="{RELAY}/widget.js"></script>
<dialmark-widget relay="{RELAY}" ticket-url="/dialmark-ticket" mode="dial" country="BR">
  Calls are shown here once the agent is signed in and the relay can be reached.
</dialmark-widget>"""


def agent_of(request):
    """Yours: who is signed in, from your own session. Never from the query or the body, which anybody can write."""
    match = re.search(r"(?:^|; )agent=(\w+)", request.headers.get("Cookie", ""))
    return match and match.group(1)


def ticket_for(agent):
    """What the relay replies, and its status."""
    wanted = {"from": agent, "rights": ["watch", "dial"], "ttl": 600}
    headers = {"Authorization": "Bearer " + SITE_KEY, "Content-Type": "application/json"}
    request = urllib.request.Request(RELAY + "/v1/tickets", json.dumps(wanted).encode(), headers)
    try:
        with urllib.request.urlopen(request, timeout=5) as reply:
            return 200, json.load(reply)
    except urllib.error.HTTPError as error:
        return 502, json.load(error)


class Site(BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/":
            return self.answer(200, PAGE.encode(), "text/html; charset=utf-8")
        if self.path != "/dialmark-ticket":
            return self.json(404, {})
        agent = agent_of(self)
        if not agent:
            return self.json(401, {"message": "sign in first"})
        try:
            status, reply = ticket_for(agent)
        except (OSError, ValueError) as error:
            status, reply = 502, {"code": "relayUnreachable", "detail": str(error)}
        if status == 200:
            return self.json(200, {"ticket": reply["ticket"]})
        # For you, such as callerNotYours: the site key is not for this agent.
        print(f"no ticket for {agent}: {reply.get('code')}. {reply.get('detail')}", file=sys.stderr)
        return self.json(502, {"code": reply.get("code")})

    def json(self, status, body):
        self.answer(status, json.dumps(body).encode(), "application/json")

    def answer(self, status, body, content_type):
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(body)


server = ThreadingHTTPServer(("localhost", int(os.environ.get("PORT", "8080"))), Site)
print(f"http://localhost:{server.server_address[1]}", flush=True)
server.serve_forever()
