/** The extension's manifest as one pure function: both browsers' manifests are tested side by side. */
import type { BrowserName } from './browser-name.ts';
import { publisher } from './publisher.ts';

/** The oldest major versions of the browsers. From these on, they have everything that we use. */
export const oldestChromium = 148;
export const oldestFirefox = 153;

const popup = 'extension/pages/popup/index.html';
const icons = {
  '16': 'extension/icons/16.png',
  '32': 'extension/icons/32.png',
  '48': 'extension/icons/48.png',
  '128': 'extension/icons/128.png',
};

/**
 * It has no `upgrade-insecure-requests`. Firefox's default policy has it, and would change a local PBX
 * (`http://pbx:3000`) to https. Our code decides what may be plain http, after the agent's deliberate yes.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  'media-src https: http:',
  'connect-src http: https:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** @param version as in package.json: `1.2.3`. */
export function manifest(browser: BrowserName, version: string): Record<string, unknown> {
  return { ...common(version), ...perBrowser[browser] };
}

function common(version: string): Record<string, unknown> {
  return {
    manifest_version: 3,
    name: '__MSG_manifest_name__',
    short_name: 'Dialmark',
    description: '__MSG_manifest_description__',
    version,
    homepage_url: publisher.homepage,
    default_locale: 'en',
    icons,
    action: { default_popup: popup, default_title: '__MSG_manifest_name__', default_icon: icons },
    options_ui: { page: 'extension/pages/options/index.html', open_in_tab: true },
    // We request each host on a click, one at a time (`extension/background/sites/sync-sites.ts`).
    optional_host_permissions: ['*://*/*'],
    // `browsingData` is for the registration helper alone (`extension/pages/registration/clear-site-data.ts`).
    optional_permissions: ['notifications', 'browsingData'],
    content_security_policy: { extension_pages: contentSecurityPolicy },
    commands: {
      'next-number': {
        suggested_key: { default: 'Alt+Shift+N' },
        description: '__MSG_manifest_command_next__',
      },
      'previous-number': {
        suggested_key: { default: 'Alt+Shift+P' },
        description: '__MSG_manifest_command_previous__',
      },
      'dial-number': {
        suggested_key: { default: 'Alt+Shift+D' },
        description: '__MSG_manifest_command_dial__',
      },
      'open-panel': {
        suggested_key: { default: 'Alt+Shift+C' },
        description: '__MSG_popup_openPanel__',
      },
    },
    omnibox: { keyword: 'call' },
  };
}

const permissions = [
  'storage',
  'alarms',
  'scripting',
  'activeTab',
  'contextMenus',
  // Gives the dialling request its own connection (`background/calls/forbid-connection-reuse.ts`); shows no warning.
  'declarativeNetRequestWithHostAccess',
];
const backgroundEntry = 'extension/background/main.ts';

const perBrowser: Record<BrowserName, Record<string, unknown>> = {
  chrome: {
    minimum_chrome_version: `${oldestChromium}`,
    permissions: [...permissions, 'sidePanel'],
    background: { service_worker: backgroundEntry, type: 'module' },
    side_panel: { default_path: popup },
    storage: { managed_schema: 'managed-schema.json' },
  },
  // Firefox does not check managed values against a schema. `managed-overlay.ts` checks them in both browsers.
  firefox: {
    permissions,
    background: { scripts: [backgroundEntry], type: 'module' },
    sidebar_action: {
      default_panel: popup,
      default_title: '__MSG_manifest_name__',
      default_icon: icons,
      open_at_install: false,
    },
    protocol_handlers: [
      {
        protocol: 'tel',
        name: '__MSG_manifest_name__',
        uriTemplate: '/extension/pages/call/index.html?u=%s',
      },
    ],
    browser_specific_settings: {
      gecko: {
        id: publisher.geckoId,
        strict_min_version: `${oldestFirefox}.0`,
        // A key or token, and the number that was clicked, go to the relay or service that the user configured.
        data_collection_permissions: {
          required: ['authenticationInfo', 'personallyIdentifyingInfo', 'websiteContent'],
        },
      },
    },
  },
};
