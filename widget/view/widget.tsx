import { outcomeOf } from '../../shared/call/outcome.ts';
import { isLive } from '../session/call-list.ts';
import { CallDetails } from './call-details.tsx';
import { CalleeNumber, CallTime, CurrentCall, Sentence } from './call-line.tsx';
import { DialForm } from './dial-form.tsx';
import type { ViewModel } from './view-model.ts';

const maxShownRecent = 8;

export function Widget(model: ViewModel) {
  const { language, mode, compact, calls, connection, ready } = model;
  const { texts } = language;
  const current = calls.find(isLive) ?? calls[0];
  const recent = compact ? [] : calls.filter((call) => call !== current).slice(0, maxShownRecent);
  return (
    <section
      part="widget"
      tabIndex={-1}
      lang={language.tag}
      aria-label={texts.recent}
      data-connection={connection.name}
      // A held Enter is one press.
      onKeyDown={(event) => event.repeat && event.key === 'Enter' && event.preventDefault()}
    >
      <slot name="header" />
      {mode === 'dial' && <DialForm {...model} />}
      {connection.fault && (
        <div part="notice" data-fault={connection.fault}>
          <p role="status">{texts[connection.fault]}</p>
          {connection.fault !== 'setUp' && (
            <button type="button" part="retry" onClick={model.onRetry}>
              {texts.retry}
            </button>
          )}
          <slot />
        </div>
      )}
      {current ? (
        <CurrentCall key={current.id} call={current} model={model} />
      ) : (
        (ready || !connection.fault) && (
          <p part={ready ? 'empty' : 'loading'} role="status">
            {ready ? <slot name="empty">{texts.none}</slot> : texts.loading}
          </p>
        )
      )}
      {current && !isLive(current) && !compact && (current.endedAt || mode === 'dial') && (
        <CallDetails key={current.id} call={current} model={model} />
      )}
      {recent.length > 0 && (
        <div part="recent">
          <h2>{texts.recent}</h2>
          {recent.map((call) => (
            <details key={call.id} data-state={call.state} data-outcome={outcomeOf(call)}>
              <summary>
                <i aria-hidden="true" />
                <CalleeNumber call={call} model={model} />
                <span class="note">
                  <Sentence call={call} model={model} />
                </span>
                <CallTime call={call} model={model} />
              </summary>
              <CallDetails call={call} model={model} />
            </details>
          ))}
        </div>
      )}
    </section>
  );
}
