# Python 3.9 or newer, no packages. The site's own server: gives the page of a signed-in agent a ticket for the widget.
# DIALMARK_RELAY=https://relay.example DIALMARK_SITE_KEY=… python3 ticket.python.py
import json
import os
import re
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

RELAY = os.environ["DIALMARK_RELAY"]
SITE_KEY = os.environ["DIALMARK_SITE_KEY"]  # Stays on the server. The page never sees it.


def agent_of(request):
    """Yours: who is signed in, from your own session. Never from the query or the body, which anybody can write."""
    match = re.search(r"(?:^|; )agent=(\w+)", request.headers.get("Cookie", ""))
    return match and match.group(1)


class Site(BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path != "/dialmark-ticket":
            return self.answer(404, {})
        agent = agent_of(self)
        if not agent:
            return self.answer(401, {"message": "sign in first"})
        wanted = {"from": agent, "rights": ["watch", "dial"], "ttl": 600}
        headers = {"Authorization": "Bearer " + SITE_KEY, "Content-Type": "application/json"}
        request = urllib.request.Request(RELAY + "/v1/tickets", json.dumps(wanted).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=5) as minted:
                return self.answer(200, {"ticket": json.load(minted)["ticket"]})
        except (OSError, ValueError, KeyError):
            return self.answer(502, {"message": "the relay gave no ticket"})

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8080"))), Site)
print(server.server_address[1], flush=True)
server.serve_forever()
