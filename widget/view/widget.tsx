import { isLive } from '../follow/known-calls.ts';
import { CallDetails } from './call-details.tsx';
import { Callee, CurrentCall, Sentence, Time } from './call-line.tsx';
import { DialForm } from './dial-form.tsx';
import { outcomeOf } from './outcome.ts';
import type { ViewModel } from './view-model.ts';

const shownRecent = 8;

/** The whole picture. */
export function Widget(model: ViewModel) {
  const { language, mode, compact, calls, connection, ready } = model;
  const { words } = language;
  const current = calls.find(isLive) ?? calls[0];
  const recent = compact ? [] : calls.filter((call) => call !== current).slice(0, shownRecent);
  return (
    <section
      class={compact ? 'compact' : ''}
      part="widget"
      lang={language.tag}
      aria-label={words.recent}
      data-connection={connection.name}
    >
      <slot name="header" />
      {mode === 'dial' && <DialForm {...model} />}
      {connection.name === 'down' && (
        <div part="notice" data-fault={connection.fault}>
          <p role="status">{words[connection.fault]}</p>
          {connection.fault !== 'setUp' && (
            <button type="button" part="retry" onClick={model.onRetry}>
              {words.retry}
            </button>
          )}
        </div>
      )}
      {current ? (
        <CurrentCall key={current.id} call={current} model={model} />
      ) : (
        (ready || connection.name !== 'down') && (
          <p part={ready ? 'empty' : 'loading'} role="status">
            {ready ? <slot name="empty">{words.none}</slot> : words.loading}
          </p>
        )
      )}
      {current?.endedAt && !compact && <CallDetails call={current} model={model} />}
      {recent.length > 0 && (
        <div part="recent">
          <h2>{words.recent}</h2>
          {recent.map((call) => (
            <details key={call.id} data-state={call.state} data-outcome={outcomeOf(call)}>
              <summary>
                <i aria-hidden="true" />
                <Callee call={call} model={model} />
                <span class="note">
                  <Sentence call={call} model={model} />
                </span>
                <Time call={call} model={model} />
              </summary>
              <CallDetails call={call} model={model} />
            </details>
          ))}
        </div>
      )}
    </section>
  );
}
