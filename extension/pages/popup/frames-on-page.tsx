import { useState } from 'preact/hooks';
import { patternOf } from '../../match-pattern.ts';
import type { Refusal } from '../../messages/result.ts';
import { text } from '../../text.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Button } from '../parts/form.tsx';
import { HostName } from '../parts/host-name.ts';
import { requestOrigins } from '../parts/host-permission.ts';
import { sendRequest } from '../parts/send-request.ts';
import { useLatest } from '../parts/use-latest.ts';
import { useChanges, useTabChanges } from '../parts/use-reply.ts';

/** Lists the other hosts in the page's frames, with one button that turns them on together. */
export function FramesOnPage({ tabId, page }: { tabId: number; page: string }) {
  const [error, setError] = useState<Refusal>();
  const { value, isCurrent, reload } = useLatest(String(tabId), async () => {
    const reply = await sendRequest('page.framesOnPage', { tabId });
    return reply.ok ? reply.value : [];
  });
  const hosts = (isCurrent && value) || [];
  // Frames may be added later, and a frame that is now on may itself have frames.
  useChanges(['tab', 'settings'], reload);
  useTabChanges(true, reload);
  if (hosts.length === 0 && !error) return null;

  function enable() {
    // The pressed button disappears.
    document.getElementById('site-title')?.focus();
    // The browser's permission prompt may close this popup. So the change is sent before the person's answer.
    const allowed = requestOrigins(hosts.map(patternOf));
    void change(true);
    void allowed.then((yes) => {
      if (!yes) void change(false);
    });
  }

  async function change(isEnabled: boolean) {
    const reply = await sendRequest('page.setFrames', { page, hosts, isEnabled });
    setError(reply.error);
  }

  return (
    <section id="frames-on-page" class="card" aria-labelledby="frames-title">
      <h2 id="frames-title">{text('popup_framesTitle')}</h2>
      <p class="quiet small">{text('popup_framesHelp')}</p>
      <ul class="frames">
        {hosts.map((host) => (
          <li key={host} class="host">
            <HostName host={host} />
          </li>
        ))}
      </ul>
      {hosts.length > 0 && <Button id="enable-frames" label={text('popup_framesEnable')} onClick={enable} />}
      {error && <ErrorNotice error={error} />}
    </section>
  );
}
