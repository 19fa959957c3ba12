import { useState } from 'preact/hooks';
import type { Call } from '../../../shared/call/call.ts';
import { recordingByFileName } from '../../../shared/service/recording.ts';
import { fileSize } from '../../format.ts';
import { patternOf } from '../../match-pattern.ts';
import type { RecordingCheck } from '../../messages/views.ts';
import { text } from '../../text.ts';
import { Button } from '../parts/form.tsx';
import { requestOrigins } from '../parts/host-permission.ts';
import { sendRequest } from '../parts/send-request.ts';
import { useKeptFocus } from '../parts/use-kept-focus.ts';

type By = 'callid' | 'audioFile';

/** Plays, opens or checks the recording, only after a click. A check is one HEAD request. */
export function Recording({ id, call }: { id: string; call: Call & { recordingUrl: string } }) {
  const [by, setBy] = useState<By>('callid');
  const [player, setPlayer] = useState<'closed' | 'open' | 'failed'>('closed');
  const [check, setCheck] = useState<RecordingCheck | 'asking'>();
  // The button that checks the other address disappears when it is pressed.
  const part = useKeptFocus<HTMLSpanElement>('.check-recording');
  const other = recordingByFileName(call);
  const url = by === 'audioFile' && other !== undefined ? other : call.recordingUrl;

  function checkNow(which: By) {
    // The permission prompt may close the popup. Only the request that needs the permission waits for the person's
    // answer.
    const asked = requestOrigins([patternOf(call.recordingUrl)]);
    setBy(which);
    setCheck('asking');
    void asked
      .then(() => sendRequest('page.checkRecording', { id, by: which }))
      .then((reply) => setCheck(reply.ok ? reply.value : { result: 'unreachable' }));
  }

  return (
    <span class="recording" ref={part}>
      <Button
        class="play-recording"
        icon="play"
        label={text('popup_play')}
        onClick={() => setPlayer('open')}
      />
      <a class="button" href={url} target="_blank" rel="noreferrer noopener">
        {text('popup_recording')}
      </a>
      <Button
        class="plain check-recording"
        label={text('popup_checkRecording')}
        // Not disabled, which would take the focus from an agent who works by keyboard.
        aria-disabled={check === 'asking'}
        onClick={() => check !== 'asking' && checkNow(by)}
      />
      <span class="small" role="status">
        {check !== undefined && (check === 'asking' ? text('page_loading') : checkWords(check))}
      </span>
      {check !== undefined && check !== 'asking' && check.result === 'missing' && other !== undefined && (
        <Button
          class="plain"
          label={text(by === 'callid' ? 'popup_recordingByFile' : 'popup_recordingById')}
          onClick={() => checkNow(by === 'callid' ? 'audioFile' : 'callid')}
        />
      )}
      {player === 'open' && (
        // biome-ignore lint/a11y/useMediaCaption: there is no text of a telephone call.
        <audio
          controls
          autoplay
          src={url}
          aria-label={text('popup_play')}
          onError={() => setPlayer('failed')}
        />
      )}
      {player === 'failed' && (
        <span class="small problem" role="alert">
          {text('popup_playFailed')}
        </span>
      )}
    </span>
  );
}

function checkWords(check: RecordingCheck): string {
  const words = text(`popup_recording_${check.result}`);
  return check.size === undefined ? words : `${words} (${fileSize(check.size)})`;
}
