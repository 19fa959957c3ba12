// @vitest-environment jsdom
import { options } from 'preact';
import { act } from 'preact/test-utils';
import { expect, test, vi } from 'vitest';
import { eventually } from '../../../testing/eventually.ts';
import { repliesIn } from '../../gallery/states/samples.ts';
import { ok } from '../../messages/result.ts';

vi.mock('webextension-polyfill', () => ({
  default: {
    runtime: { onMessage: { addListener() {}, removeListener() {} } },
    permissions: { request: async () => true, contains: async () => true },
  },
}));
vi.mock('../../browser-name.ts', () => ({ browserName: 'chrome' }));
const replies: Record<string, unknown> = repliesIn({ page: 'registration', name: '' });
vi.mock('../parts/send-request.ts', () => ({
  sendRequest: async (type: string) => replies[type] ?? ok(null),
}));
vi.stubGlobal('__BROWSER__', 'chrome');
// Effects at once: a later one would meet a document that is gone.
options.requestAnimationFrame = queueMicrotask;

/** The logins that the registration service has not answered yet. */
const logins: { uuid: string; succeed(): void; fail(): void }[] = [];
vi.stubGlobal(
  'fetch',
  (_url: string, { body }: { body: string }) =>
    new Promise<Response>((resolve, reject) => {
      const uuid: string = JSON.parse(body).device_uuid;
      const keys = { client_key: `client-${uuid}`, api_key: `api-${uuid}` };
      const details = { first_name: 'Ana', ...keys };
      const headers = { 'content-type': 'application/json' };
      logins.push({
        uuid,
        fail: () => reject(new TypeError('Failed to fetch')),
        succeed: () => resolve(new Response(JSON.stringify({ code: 200, details }), { headers })),
      });
    }),
);

const find = <T extends HTMLElement>(selector: string) => document.querySelector<T>(selector);
const type = (selector: string, typed: string) =>
  act(async () => {
    const field = find<HTMLInputElement>(selector)!;
    field.value = typed;
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  });
const statements = () => find('#statements')?.textContent;
const mayLogIn = () => eventually(() => expect(find('#login')!.ariaDisabled).toBe('false'));

/** Sends the form; the service's answer is still to come. */
async function logIn() {
  await type('#password', 'secret');
  await act(async () => {
    find('#login-form')!.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
  });
  return eventually(() => {
    const login = logins.shift();
    expect(login).toBeDefined();
    return login!;
  });
}

async function openPage(): Promise<void> {
  vi.resetModules();
  document.body.innerHTML = '<div id="page"><p class="starting"></p></div>';
  await act(async () => void (await import('./registration-page.tsx')));
  await eventually(() => expect(find('#login-form')).not.toBeNull());
}

test('keys are offered only for the device that they belong to', async () => {
  await openPage();
  const [wrong, right] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
  await type('#device-uuid', wrong);
  await type('#register-api-url', 'https://register.example.com');
  await type('#email', 'ana@example.com');

  const first = await logIn();
  expect(first.uuid).toBe(wrong);
  await type('#device-uuid', right);
  first.succeed();
  await mayLogIn();
  expect(statements()).toBeUndefined();

  const second = await logIn();
  expect(second.uuid).toBe(right);
  second.succeed();
  await eventually(() => expect(statements()).toContain(`client-${right}`));
  expect(statements()).toContain(`'${right}'`);
  await type('#device-uuid', wrong);
  expect(statements()).toBeUndefined();
});

test('a failed login names the host that it was sent to while another address is typed', async () => {
  await openPage();
  await type('#device-uuid', '11111111-1111-4111-8111-111111111111');
  await type('#register-api-url', 'https://register.example.com');
  await type('#email', 'ana@example.com');
  (await logIn()).fail();
  await eventually(() => expect(find('#login-failure')).not.toBeNull());
  await type('#register-api-url', 'https://other.example.com');
  expect(find('#login-failure')!.textContent).toContain('register.example.com');
  expect(find('#login-failure')!.textContent).not.toContain('other.example.com');
});

test('the focus goes from forgotten keys to the password of the next login', async () => {
  await openPage();
  await type('#device-uuid', '11111111-1111-4111-8111-111111111111');
  await type('#register-api-url', 'https://register.example.com');
  await type('#email', 'ana@example.com');
  (await logIn()).succeed();
  await eventually(() => expect(statements()).toBeDefined());
  find('#forget')!.focus();
  await act(async () => find('#forget')!.click());
  await eventually(() => expect(find('#forget-keys-yes')!.matches(':enabled')).toBe(true));
  await act(async () => find('#forget-keys-yes')!.click());
  await eventually(() => expect(statements()).toBeUndefined());
  expect(document.activeElement!.id).toBe('password');
});

test('the button keeps the focus while a login runs, where a second press sends nothing more', async () => {
  await openPage();
  await type('#device-uuid', '11111111-1111-4111-8111-111111111111');
  await type('#register-api-url', 'https://register.example.com');
  await type('#email', 'ana@example.com');
  const login = await logIn();
  expect(find('#login')!.matches(':disabled')).toBe(false);
  await type('#password', 'secret');
  await act(async () => find('#login')!.click());
  expect(logins).toHaveLength(0);
  login.succeed();
  await mayLogIn();
});
