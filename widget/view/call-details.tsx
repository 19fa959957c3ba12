import type { Call } from '../../shared/call/call.ts';
import { Callflow } from './callflow.tsx';
import { formatDuration, formatTime } from './format.ts';
import { Recording } from './recording.tsx';
import type { ViewModel } from './view-model.ts';

/** All that is known of a finished call. */
export function CallDetails({
  call,
  model: { language, now, pageProtocol },
}: {
  call: Call;
  model: ViewModel;
}) {
  const { texts } = language;
  const facts = [
    [texts.started, formatTime(language, call.startedAt, now)],
    [texts.talkTime, formatDuration(call.talkSeconds)],
    [texts.totalTime, formatDuration(call.totalSeconds)],
  ];
  return (
    <div class="details">
      <dl>
        {facts.map(
          ([name, value]) =>
            value && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      {call.recordingUrl && (
        <Recording address={call.recordingUrl} pageProtocol={pageProtocol} language={language} />
      )}
      {call.legs?.[0] && <Callflow legs={call.legs} language={language} />}
    </div>
  );
}
