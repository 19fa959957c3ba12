import type { Call } from '../../shared/call/call.ts';
import { CalleeNumber } from './call-line.tsx';
import { Callflow } from './callflow.tsx';
import { formatDuration, formatTime, interpolate } from './format.ts';
import { RecordingPlayer } from './recording.tsx';
import type { ViewModel } from './view-model.ts';

/** All that is known of a finished call. In `dial` mode, also a button that calls its number again. */
export function CallDetails({ call, model }: { call: Call; model: ViewModel }) {
  const { language, now, pageProtocol } = model;
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
        <RecordingPlayer address={call.recordingUrl} pageProtocol={pageProtocol} language={language} />
      )}
      {model.mode === 'dial' && (
        <button
          type="button"
          part="redial"
          aria-disabled={model.dial.busy}
          onClick={() => model.onDial(call.to)}
        >
          {interpolate(texts.redial, <CalleeNumber call={call} model={model} />)}
        </button>
      )}
      {call.legs?.[0] && <Callflow legs={call.legs} language={language} />}
    </div>
  );
}
