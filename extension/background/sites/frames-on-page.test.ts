// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';
import { maxFrameHosts } from '../../messages/pages.ts';
import { framedHosts, reportFrames } from './frames-on-page.ts';

// What is tested needs neither the browser's API nor the settings.
vi.mock('../settings/settings-store.ts', () => ({}));
vi.mock('./sync-sites.ts', () => ({}));
vi.mock('webextension-polyfill', () => import('../../../testing/extension/browser-api.ts'));

beforeEach(() => {
  // jsdom lays nothing out: an element is as large as its attributes say, and hidden where it says so.
  Element.prototype.getBoundingClientRect = function () {
    return new DOMRect(0, 0, Number(this.getAttribute('width')), Number(this.getAttribute('height')));
  };
  Element.prototype.checkVisibility = function () {
    return !this.hasAttribute('hidden');
  };
});

test('lists each host once, without the own one, without addresses that have none', () => {
  const reports = [
    {
      host: 'crm.example',
      sources: [
        'https://mail.example/inbox',
        'https://mail.example/other',
        'https://crm.example/panel',
        'about:blank',
        'data:text/html,x',
        'not an address',
      ],
    },
    { host: 'mail.example', sources: ['http://body.example:8080/1'] },
  ];
  expect(framedHosts(reports)).toEqual(['mail.example', 'body.example']);
});

test('lists only so many hosts, however many the page frames', () => {
  const sources = Array.from({ length: 50 }, (_, index) => `https://h${index}.example/`);
  expect(framedHosts([{ host: 'crm.example', sources }])).toHaveLength(maxFrameHosts);
});

test('reports frames that can be read, also in open shadow roots', () => {
  document.body.innerHTML = `<iframe src="https://mail.example/" width="600" height="400"></iframe>
    <iframe src="https://counter.example/" width="1" height="1"></iframe>
    <iframe src="https://hidden.example/" width="600" height="400" hidden></iframe><div id="app"></div>`;
  document.querySelector('#app')!.attachShadow({
    mode: 'open',
  }).innerHTML = `<p><iframe src="https://chat.example/" width="300" height="500"></iframe></p>`;
  vi.stubGlobal('length', 4);
  expect(reportFrames()).toEqual({
    host: location.hostname,
    sources: ['https://mail.example/', 'https://chat.example/'],
  });
});
