<?php
// PHP 8.0 or newer with the curl extension. Put it on your site as /dialmark-ticket (or ticket-url="/ticket.php").
// The site's own server: gives the page of a signed-in agent a ticket for the widget.
declare(strict_types=1);

$relay = getenv('DIALMARK_RELAY');
$siteKey = getenv('DIALMARK_SITE_KEY'); // Stays on the server. The page never sees it.

/** Yours: who is signed in, from your own session. Never from the query or the body, which anybody can write. */
function agentOf(): ?string
{
    session_start(['read_and_close' => true]);
    return $_SESSION['agent'] ?? null;
}

function answer(int $status, array $body): never
{
    http_response_code($status);
    header('Content-Type: application/json');
    header('Cache-Control: no-store');
    echo json_encode($body);
    exit;
}

$agent = agentOf();
if ($agent === null) {
    answer(401, ['message' => 'sign in first']);
}

$request = curl_init("$relay/v1/tickets");
curl_setopt_array($request, [
    CURLOPT_POST => true,
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 5,
    CURLOPT_HTTPHEADER => ["Authorization: Bearer $siteKey", 'Content-Type: application/json'],
    CURLOPT_POSTFIELDS => json_encode(['from' => $agent, 'rights' => ['watch', 'dial'], 'ttl' => 600]),
]);
$minted = json_decode((string) curl_exec($request), true);
if (!isset($minted['ticket'])) {
    // For you, such as callerNotYours: the site key is not for this agent.
    $code = $minted['code'] ?? 'relayUnreachable';
    error_log("no ticket for $agent: $code. " . ($minted['detail'] ?? ''));
    answer(502, ['code' => $code]);
}
answer(200, ['ticket' => $minted['ticket']]);
