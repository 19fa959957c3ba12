import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { withPrefix } from '../../testing/with-prefix.ts';
import { isReturnAllowed, readPbxSettings, unknownPbxVariables } from './settings.ts';

const read = (settings: Record<string, string> = {}) =>
  readPbxSettings(withPrefix('DIALMARK_PBX_', settings));

describe('readPbxSettings', () => {
  it('listens on loopback at the port of the local mode where nothing is set', () => {
    expect(read()).toMatchObject({
      listen: { host: '127.0.0.1', port: 3000 },
      ami: { host: '127.0.0.1', port: 5038 },
      agentChannel: 'PJSIP/{from}',
      context: 'from-internal',
      timeoutSeconds: 12,
      recordingDays: 90,
    });
  });

  it.each([
    ['AGENT_CHANNEL', 'PJSIP/{from}&PJSIP/1', 'expected a channel with {from} in it'],
    ['AGENT_CHANNEL', 'PJSIP/1105', 'expected {from} once'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: Asterisk writes its variables so.
    ['AGENT_CHANNEL', 'Local/{from}@${X}', 'expected a channel'],
    ['CONTEXT', 'a,b', 'expected a name of letters'],
    ['EXTENSION', '{to}@other', 'expected digits and {to}'],
    ['PRIORITY', '0', 'expected 1 to 1000'],
    ['AMI', '203.0.113.5:5038', 'AMI is not encrypted'],
    ['AMI', '192.168.1.300:5038', 'expected HOST:PORT'],
    ['AMI', 'localhost', 'expected HOST:PORT, for example 127.0.0.1:5038'],
    ['LISTEN', '[:::]:3000', 'expected HOST:PORT'],
    ['AMI_SECRET_FILE', '/no/such/file', 'cannot be read: there is no such file'],
    ['AMI_SECRET_FILE', '/dev/null', 'expected a file with the secret of manager.conf'],
    ['SECRET', 'short', 'at least 32'],
    ['RECORDINGS_URL', 'ftp://a', 'http://'],
    ['PUBLIC_URL', 'https://pbx.example/?site=1', 'without a user name, a query or a fragment'],
    ['STORE', 'sqlite:/var/lib/dialmark-pbx/pbx.db', 'expected the path of a file'],
    ['RETURN_HOSTS', 'relay.example,*.example', 'expected hosts like relay.example'],
    ['RETURN_HOSTS', 'http//relay.example', 'expected hosts like relay.example'],
    ['RETURN_HOSTS', 'relay.example,', 'expected hosts like relay.example'],
    ['STORE', 'redis://localhost/1', 'expected the path of a file'],
  ])('names %s=%s with what was expected', (name, value, problem) => {
    expect(() => read({ [name]: value })).toThrow(`DIALMARK_PBX_${name}`);
    expect(() => read({ [name]: value })).toThrow(problem);
  });

  it('takes a channel with options behind a slash', () => {
    const AGENT_CHANNEL = 'Local/{from}@from-internal/n';
    expect(read({ AGENT_CHANNEL }).agentChannel).toBe(AGENT_CHANNEL);
  });

  it('refuses a context beside those that are allowed', () => {
    expect(() => read({ CONTEXT: 'from-trunk', ALLOWED_CONTEXTS: 'from-internal, test' })).toThrow(
      'expected one of from-internal, test, got from-trunk',
    );
    expect(read({ CONTEXT: 'test', ALLOWED_CONTEXTS: 'from-internal,test' }).context).toBe('test');
  });

  it('reads the secret from a file; refuses two secrets', async () => {
    const folder = await temporaryFolder();
    const file = folder.file('secret');
    await writeFile(file, 'from-file\n');
    expect(read({ AMI_SECRET_FILE: file }).amiSecret).toBe('from-file');
    expect(() => read({ AMI_SECRET_FILE: file, AMI_SECRET: 'x' })).toThrow('not both');
    await folder.remove();
  });

  it('takes an IPv6 address for Asterisk', () => {
    const { ami } = readPbxSettings({ DIALMARK_PBX_AMI: '[fd00::5]:5038' });
    expect(ami).toEqual({ host: 'fd00::5', port: 5038 });
    expect(() => readPbxSettings({ DIALMARK_PBX_AMI: '[2001:db8::5]:5038' })).toThrow('not encrypted');
  });

  it('names variables that are no settings', () => {
    expect(unknownPbxVariables({ DIALMARK_PBX_LISTN: 'x', DIALMARK_PBX_LISTEN: 'x' })).toEqual([
      'DIALMARK_PBX_LISTN: no such setting; it is ignored',
    ]);
  });
});

it.each(['relay.example', 'localhost:8787', '[::1]:8787', 'HTTPS://relay.example:8443/path/', '10.0.0.5'])(
  'takes %s for a host that may be notified',
  (host) => {
    expect(read({ RETURN_HOSTS: host }).returnHosts).toEqual([host]);
  },
);

describe('isReturnAllowed', () => {
  const settings = {
    returnHosts: [
      'relay.example',
      'box.local:8787',
      '[::1]:8787',
      'http://plain.example:8080',
      'https://tls.local',
    ],
  };
  it.each([
    ['https://relay.example/h/v1/x', true],
    ['http://relay.example/h/v1/x', false],
    ['http://relay.example:443/h/v1/x', false],
    ['http://plain.example:8080/', true],
    ['https://plain.example:8080/', false],
    ['https://tls.local/', true],
    ['http://tls.local/', false],
    ['https://RELAY.example:443/', true],
    ['http://box.local:8787/', true],
    ['http://[::1]:8787/', true],
    ['http://box.local/', false],
    ['https://relay.example:8443/', false],
    ['https://relay.example@evil.example/', false],
    ['https://evil.example/?relay.example', false],
    ['https://relay.example.evil.example/', false],
    ['no address', false],
  ])('%s: %s', (address, isAllowed) => {
    expect(isReturnAllowed(settings, address)).toBe(isAllowed);
  });
});
