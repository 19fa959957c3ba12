import browser from 'webextension-polyfill';
import { text } from '../../text.ts';
import { CheckField, NumberField, SelectField, useField } from './fields.tsx';
import { TelLinks } from './tel-links.tsx';

export function AppearanceSection() {
  const underline = useField('appearance.underline');
  const notifications = useField('appearance.notifications');
  return (
    <>
      <div class="pair">
        <SelectField
          id="theme"
          path="appearance.theme"
          label="options_theme"
          options={[['auto', text('page_asBrowser')], 'light', 'dark']}
        />
        <SelectField
          id="language"
          path="appearance.language"
          label="options_language"
          options={[
            ['', text('page_asBrowser')],
            ['en', 'English'],
            ['pt_BR', 'Português (Brasil)'],
            ['es', 'Español'],
          ]}
        />
        <SelectField
          id="underline"
          path="appearance.underline"
          label="options_underline"
          options={['dotted', 'solid', 'none']}
        />
      </div>
      <p class="quiet">
        <span class={`preview number underline-${String(underline.value)}`}>(48) 3222-1000</span>
      </p>
      <NumberField id="tip-delay" path="appearance.tipDelayMs" label="options_tipDelay" min={0} max={1000} />
      {/* The permission can only be requested in the click that turns it on. */}
      <div onClickCapture={() => notifications.value !== true && askForNotifications()}>
        <CheckField id="notifications" path="appearance.notifications" label="options_notifications" />
      </div>
      <TelLinks />
    </>
  );
}

function askForNotifications(): void {
  void browser.permissions.request({ permissions: ['notifications'] }).catch(() => false);
}
