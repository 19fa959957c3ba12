import browser from 'webextension-polyfill';
import { type Language, text } from '../../text.ts';
import { Button } from '../parts/form.tsx';
import { usePassFocusOn } from '../parts/use-pass-focus-on.ts';
import { CheckField, NumberField, SelectField, useField } from './fields.tsx';
import { TelLinks } from './tel-links.tsx';
import { useNotificationsAllowed } from './use-allowed.ts';

/** Each language by its own name. */
const ownNames: Record<Language, string> = { en: 'English', pt_BR: 'Português (Brasil)', es: 'Español' };

export function AppearanceSection() {
  const asBrowser = text('page_asBrowser');
  const themes = [['auto', asBrowser] as const, 'light', 'dark'];
  const languageNames = [['', asBrowser] as const, ...Object.entries(ownNames)];
  const underline = useField('appearance.underline');
  const notifications = useField('appearance.notifications');
  const isAllowed = useNotificationsAllowed();
  return (
    <>
      <div class="pair">
        <SelectField id="theme" path="appearance.theme" options={themes} />
        <SelectField id="language" path="appearance.language" options={languageNames} />
        <SelectField id="underline" path="appearance.underline" options={['dotted', 'solid', 'none']} />
      </div>
      <p class="quiet">
        <span class={`preview number underline-${String(underline.value)}`}>(48) 3222-1000</span>
      </p>
      <NumberField id="tip-delay" path="appearance.tipDelayMs" label="options_tipDelay" min={0} max={1000} />
      {/* We can request the permission only in the click that turns notifications on. */}
      <div
        onClickCapture={({ target }) =>
          notifications.value !== true && isBox(target) && askForNotifications()
        }
      >
        <CheckField id="notifications" path="appearance.notifications" />
      </div>
      {/* A policy or an import turned them on, or the person refused. The browser would not show them. */}
      {notifications.value === true && isAllowed === false && <AllowNotifications />}
      <TelLinks />
    </>
  );
}

function AllowNotifications() {
  const notice = usePassFocusOn<HTMLDivElement>('#notifications', 'notifications');
  return (
    <div class="notice notice-warn" ref={notice}>
      <p>{text('options_notificationsNotAllowed')}</p>
      <Button id="allow-notifications" label={text('options_verdict_allow')} onClick={askForNotifications} />
    </div>
  );
}

/** A click on the label also clicks the box. A click on the notes below must change nothing. */
const isBox = (target: EventTarget | null) => target instanceof HTMLInputElement;

function askForNotifications(): void {
  void browser.permissions.request({ permissions: ['notifications'] }).catch(() => false);
}
