import { describe, expect, it } from 'vitest';
import { RegistrationError } from '../shared/registration/registration-error.ts';
import { type DatabaseFlags, databaseOptions } from './database-options.ts';

const options = (flags: Partial<DatabaseFlags>) =>
  databaseOptions({ database: 'pbx', host: '127.0.0.1', port: 3306, user: 'helper', ...flags }, {}, {
    isInteractive: false,
  } as never);

describe('the options of a connection to the database', () => {
  it.each(['db.example', 'pbx', 'pbx.local'])('require TLS to %s, another machine', async (host) => {
    const { options: made } = await options({ host });
    expect(made.ssl).toEqual({ rejectUnauthorized: true, verifyIdentity: true });
  });

  it.each(['10.0.0.5', '203.0.113.7', '2001:db8::5'])(
    'refuse %s, which no certificate names',
    async (host) => {
      await expect(options({ host })).rejects.toMatchObject({
        message: expect.stringContaining('--database-plaintext'),
      });
    },
  );

  it.each(['db.example:3306', '', 'my pbx'])('refuse %j, which is not a host', async (host) => {
    const message = `--host: expected a name or an IP address, without the port; got "${host}"`;
    await expect(options({ host })).rejects.toThrow(new RegistrationError(message));
  });

  it.each(['127.0.0.1', 'localhost', '::1'])('need no TLS to %s, this machine', async (host) => {
    expect((await options({ host })).options.ssl).toBeUndefined();
  });

  it('leave TLS out where plain text is asked for by name', async () => {
    for (const host of ['db.example', '10.0.0.5'])
      expect((await options({ host, databasePlaintext: true })).options.ssl).toBeUndefined();
    await expect(options({ tls: true, databasePlaintext: true })).rejects.toThrow('--tls');
  });
});
