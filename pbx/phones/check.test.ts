import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { amiSecret, amiUser } from '../../testing/asterisk/asterisk-configuration.ts';
import { openPhoneLab, type PhoneLab } from '../../testing/asterisk/phone-lab.ts';
import { withPrefix } from '../../testing/with-prefix.ts';
import { checkInstallation } from '../service/check.ts';
import { readPbxSettings } from '../service/settings.ts';
import { PbxStore } from '../service/store/pbx-store.ts';
import { makeToken } from '../service/token.ts';

let lab: PhoneLab;
const storeFile = () => path.join(lab.asterisk.folder, 'check.db');
beforeAll(async () => {
  lab = await openPhoneLab();
  const blind = `[blind]\nsecret = ${amiSecret}\nread = dialplan\nwrite = originate,call\n`;
  const mute = `[mute]\nsecret = ${amiSecret}\nread = call\nwrite = call\n`;
  await appendFile(path.join(lab.asterisk.folder, 'etc/manager.conf'), `${blind}${mute}`);
  const store = new PbxStore(storeFile());
  store.addToken(makeToken('check', 1).stored);
  store.close();
  await lab.asterisk.kill('SIGKILL');
  await lab.asterisk.start();
});
afterAll(() => lab?.close());

const check = (settings: Record<string, string> = {}) => {
  const all: Record<string, string> = {
    STORE: storeFile(),
    AMI: `127.0.0.1:${lab.asterisk.ports.ami}`,
    AMI_USER: amiUser,
    AMI_SECRET: amiSecret,
    RECORDINGS_FOLDER: lab.asterisk.recordingsFolder,
    RETURN_HOSTS: new URL(lab.receiver.url).host,
    ...settings,
  };
  return checkInstallation(readPbxSettings(withPrefix('DIALMARK_PBX_', all)), '5511999990000');
};

it('finds nothing wrong with a right installation without ringing a phone', async () => {
  const agentPhone = await lab.phone('agent');
  const results = await check();
  expect(results.filter(({ isOk }) => !isOk)).toEqual([]);
  expect(results.length).toBeGreaterThanOrEqual(6);
  expect(await agentPhone.invites()).toBe(0);
});

it.each([
  ['a wrong secret', { AMI_SECRET: 'wrong' }, 'manager.conf'],
  ['no Asterisk', { AMI: '127.0.0.1:1' }, 'ECONNREFUSED'],
  ['a user that sees no events', { AMI_USER: 'blind' }, 'read = call,dialplan'],
  ['a user that may not originate', { AMI_USER: 'mute' }, 'write = originate,call'],
  ['a context that is not there', { CONTEXT: 'nowhere' }, 'DIALMARK_PBX_CONTEXT'],
  ['a folder that is not there', { RECORDINGS_FOLDER: '/no/such/folder' }, 'ENOENT'],
  ['a return host where nothing answers', { RETURN_HOSTS: '127.0.0.1:1' }, 'start the relay'],
])('names %s with what to do', async (_what, settings, advice) => {
  const wrong = (await check(settings)).filter(({ isOk }) => !isOk);
  expect(wrong).toHaveLength(1);
  expect(wrong[0]!.advice).toContain(advice);
});
