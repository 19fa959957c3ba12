import type { Call } from '../../shared/call/call.ts';
import { Callflow } from './callflow.tsx';
import { Recording } from './recording.tsx';
import { clock, moment } from './say.ts';
import type { ViewModel } from './view-model.ts';

/** All that is known of a call that is over. */
export function CallDetails({
  call,
  model: { language, now, pageProtocol },
}: {
  call: Call;
  model: ViewModel;
}) {
  const { words } = language;
  const facts = [
    [words.started, moment(language, call.startedAt, now)],
    [words.talkTime, clock(call.talkSeconds)],
    [words.totalTime, clock(call.totalSeconds)],
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
