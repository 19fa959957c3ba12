import browser from 'webextension-polyfill';
import { text } from '../../text.ts';
import { CheckField, SelectField, useField } from './fields.tsx';
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
          label={text('options_theme')}
          options={[
            ['auto', text('options_theme_auto')],
            ['light', text('options_theme_light')],
            ['dark', text('options_theme_dark')],
          ]}
        />
        <SelectField
          id="language"
          path="appearance.language"
          label={text('options_language')}
          options={[
            ['', text('options_language_browser')],
            ['en', 'English'],
            ['pt_BR', 'Português (Brasil)'],
            ['es', 'Español'],
          ]}
        />
        <SelectField
          id="underline"
          path="appearance.underline"
          label={text('options_underline')}
          options={[
            ['dotted', text('options_underline_dotted')],
            ['solid', text('options_underline_solid')],
            ['none', text('options_underline_none')],
          ]}
        />
      </div>
      <p class="quiet">
        {text('options_underlinePreview')}{' '}
        <span class={`preview number underline-${String(underline.value)}`}>(48) 3222-1000</span>
      </p>
      {/* The browser asks on the click that turns it on; the box is part of the form like the others. */}
      <div onClickCapture={() => notifications.value !== true && askForNotifications()}>
        <CheckField
          id="notifications"
          path="appearance.notifications"
          label={text('options_notifications')}
          help={text('options_notificationsHelp')}
        />
      </div>
      <TelLinks />
    </>
  );
}

function askForNotifications(): void {
  void browser.permissions.request({ permissions: ['notifications'] }).catch(() => false);
}
