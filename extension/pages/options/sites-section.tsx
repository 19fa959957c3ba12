import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { everySite, patternOf } from '../../match-pattern.ts';
import type { Refusal } from '../../messages/result.ts';
import type { SiteState } from '../../messages/views.ts';
import { parseSiteRule } from '../../parse-site.ts';
import { text } from '../../text.ts';
import { ErrorNotice } from '../parts/error-notice.tsx';
import { Button, InputField } from '../parts/form.tsx';
import { HostName } from '../parts/host-name.ts';
import { requestOrigins } from '../parts/host-permission.ts';
import { isLocked } from '../parts/is-locked.ts';
import { sendRequest } from '../parts/send-request.ts';
import { useFocusOfRemoved } from '../parts/use-focus-of-removed.ts';
import { useKeptFocus } from '../parts/use-kept-focus.ts';
import { usePassFocusOn } from '../parts/use-pass-focus-on.ts';
import { CheckField } from './fields.tsx';
import { useForm } from './settings-form.ts';
import { useAllowed } from './use-allowed.ts';

/**
 * The sites where numbers are marked. Changes are saved at once, since the browser's permission must be requested in
 * the click.
 */
export function SitesSection() {
  const { view, replaceView } = useForm();
  const [error, setError] = useState<Refusal>();
  const { enabled, blocked, everywhere, frames } = view.settings.sites;
  const everywhereAllowed = useAllowed([everySite]);
  const noteRemoval = useFocusOfRemoved(enabled.length + blocked.length, 'site-host');
  const mayEnable = !isLocked(view.locked, 'sites.enabled');
  const mayBlock = !isLocked(view.locked, 'sites.blocked');

  async function setSite(name: string, state: SiteState) {
    const reply = await sendRequest('page.setSite', { host: name, state });
    setError(reply.error);
    if (reply.ok) replaceView(reply.value);
  }

  /** The background registers the site as soon as the browser reports the permission. */
  const allow = (name: string) => void requestOrigins([patternOf(name)]);

  function enable(name: string) {
    allow(name);
    void setSite(name, 'enabled');
  }

  return (
    <>
      <p class="quiet">{text('options_sitesIntro')}</p>
      {(mayEnable || mayBlock) && (
        <NewSite
          {...(mayEnable && { onEnable: enable })}
          {...(mayBlock && { onBlock: (name: string) => void setSite(name, 'blocked') })}
        />
      )}
      {error && <ErrorNotice error={error} />}
      {enabled.length === 0 && blocked.length === 0 && <p class="quiet empty">{text('options_noSites')}</p>}
      <ul id="sites" class="rows" onClickCapture={noteRemoval}>
        {enabled
          .filter((name) => !frames.some(({ page, host }) => host === name && enabled.includes(page)))
          .map((name) => (
            <EnabledSite key={`on ${name}`} host={name} onEnable={allow} onRemove={setSite}>
              <Frames page={name} onEnable={allow} onRemove={setSite} />
            </EnabledSite>
          ))}
        {blocked.map((name) => (
          <li key={`off ${name}`} data-state="blocked">
            <span class="host grow">
              <HostName host={name} />
            </span>
            <span class="quiet small">{text('options_siteOff')}</span>
            <RemoveSite host={name} locked={isLocked(view.locked, 'sites.blocked')} onRemove={setSite} />
          </li>
        ))}
      </ul>
      <CheckField id="everywhere" path="sites.everywhere" />
      {everywhere && everywhereAllowed === false && <AllowEverywhere />}
      <ExcludedNumbers />
    </>
  );
}

function AllowEverywhere() {
  const notice = usePassFocusOn<HTMLDivElement>('#everywhere', 'everywhere');
  return (
    <div class="notice notice-warn" ref={notice}>
      <p>{text('options_everywhereNotAllowed')}</p>
      <Button
        id="allow-everywhere"
        label={text('options_verdict_allow')}
        onClick={() => void requestOrigins([everySite])}
      />
    </div>
  );
}

interface NewSiteProps {
  /** Absent where the organisation has set the list. */
  onEnable?: (host: string) => void;
  onBlock?: (host: string) => void;
}

/** Adds a site on which numbers are marked, or never marked. */
function NewSite({ onEnable, onBlock }: NewSiteProps) {
  const [typed, setTyped] = useState('');
  const host = parseSiteRule(typed);
  const wrong = typed.trim() !== '' && host === undefined;
  const add = (change: ((host: string) => void) | undefined) => {
    if (!host || !change) return;
    setTyped('');
    // Both buttons are disabled until another site is typed.
    document.getElementById('site-host')?.focus();
    change(host);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        add(onEnable);
      }}
    >
      <InputField
        id="site-host"
        label={text('options_siteHost')}
        {...{ [wrong ? 'problem' : 'help']: text('page_problem_host') }}
        value={typed}
        onText={setTyped}
        input={{ inputMode: 'url', placeholder: 'crm.example.com' }}
      >
        {onEnable && (
          <Button
            type="submit"
            id="add-site"
            class="primary"
            label={text('options_addSite')}
            disabled={!host}
          />
        )}
        {onBlock && (
          <Button
            id="block-site"
            label={text('options_blockSite')}
            disabled={!host}
            onClick={() => add(onBlock)}
          />
        )}
      </InputField>
    </form>
  );
}

/** The excluded numbers of each site, with a button that marks them again. */
function ExcludedNumbers() {
  const { view, replaceView } = useForm();
  const [error, setError] = useState<Refusal>();
  const noteRemoval = useFocusOfRemoved(view.settings.sites.excludedNumbers.length, 'excluded-numbers-title');
  const isOfPolicy = isLocked(view.locked, 'sites.excludedNumbers');

  async function markAgain(entry: { host: string; number: string }) {
    const reply = await sendRequest('page.excludeNumber', { ...entry, isExcluded: false });
    setError(reply.error);
    if (reply.ok) replaceView(reply.value);
  }

  return (
    <div class="field">
      <h3 id="excluded-numbers-title" tabIndex={-1}>
        {text('options_excludedNumbers')}
      </h3>
      <p class="help">{text('options_excludedNumbersHelp')}</p>
      <ul id="excluded-numbers" class="rows" onClickCapture={noteRemoval}>
        {view.settings.sites.excludedNumbers.map(({ host, number }) => {
          const site = host || text('options_excludedNumbersFiles');
          return (
            <li key={`${host} ${number}`}>
              <span class="number">{number}</span>
              <span class="quiet small grow">{site}</span>
              {isOfPolicy ? (
                <span class="quiet small">{text('options_locked')}</span>
              ) : (
                <Button
                  class="remove-row"
                  label={text('options_markAgain')}
                  aria-label={text('options_markAgainNumber', number, site)}
                  onClick={() => void markAgain({ host, number })}
                />
              )}
            </li>
          );
        })}
      </ul>
      {error && <ErrorNotice error={error} />}
    </div>
  );
}

interface SiteActions {
  onEnable(host: string): void;
  onRemove(host: string, state: 'default'): Promise<void>;
}

interface EnabledSiteProps extends SiteActions {
  host: string;
  /** The sites in this site's frames. */
  children?: ComponentChildren;
}

/** A site that is on. Shows whether the browser lets us run there, and a button that removes the site. */
function EnabledSite({ host, onEnable, onRemove, children }: EnabledSiteProps) {
  const { view } = useForm();
  const row = useKeptFocus<HTMLLIElement>('.remove-row');
  return (
    <li ref={row} data-state="enabled">
      <span class="host grow">
        <HostName host={host} />
      </span>
      {view.missingPermission.includes(host) ? (
        <>
          <span class="problem">{text('options_siteNotAllowed')}</span>
          <Button label={text('options_verdict_allow')} onClick={() => onEnable(host)} />
        </>
      ) : (
        <span class="quiet small">{text('options_siteOn')}</span>
      )}
      <RemoveSite host={host} locked={isLocked(view.locked, 'sites.enabled')} onRemove={onRemove} />
      {children}
    </li>
  );
}

/** The sites that were turned on because this page shows them in frames. */
function Frames({ page, ...actions }: SiteActions & { page: string }) {
  const { view } = useForm();
  const hosts = view.settings.sites.frames.filter((frame) => frame.page === page).map(({ host }) => host);
  if (hosts.length === 0) return null;
  return (
    <ul class="rows frames" aria-label={text('options_framesOf', page)}>
      {hosts.map((host) => (
        <EnabledSite key={host} host={host} {...actions} />
      ))}
    </ul>
  );
}

interface RemoveProps {
  host: string;
  locked: boolean;
  onRemove: SiteActions['onRemove'];
}

function RemoveSite({ host, locked, onRemove }: RemoveProps) {
  if (locked) return <span class="quiet small">{text('options_locked')}</span>;
  return (
    <Button
      class="remove-row"
      label={text('options_remove')}
      aria-label={text('page_removeNamed', host)}
      onClick={() => void onRemove(host, 'default')}
    />
  );
}
