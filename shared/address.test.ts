import { describe, expect, it } from 'vitest';
import {
  endpointUrl,
  isLoopback,
  isPlaintextBeyond,
  type Reach,
  reachOf,
  withoutTrailingSlash,
} from './address.ts';

const hosts: Record<Reach, string[]> = {
  loopback: [
    'localhost',
    'LOCALHOST',
    'localhost.',
    'crm.localhost',
    'crm.localhost.',
    '127.0.0.1',
    '127.0.0.1.',
    '127.255.255.254',
    '127.1',
    '0x7f.1',
    '0177.0.0.1',
    '2130706433',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::FFFF:7F00:1]',
  ],
  private: [
    '10.0.0.1',
    '10.0.0.1.',
    '10.1',
    '167772161',
    '172.16.0.1',
    '172.31.255.254',
    '192.168.1.10',
    '169.254.1.1',
    '[fc00::1]',
    '[fdff:1::1]',
    '[FD00::1]',
    '[fe80::1]',
    '[febf::1]',
    '[::ffff:10.0.0.1]',
    '[::ffff:192.168.0.1]',
    'pbx',
    'PBX',
    'pbx.local',
    'pbx.local.',
    'pbx.internal',
    'pbx.lan',
    'pbx.home.arpa',
  ],
  public: [
    'api.example',
    'API.Example.',
    '10.evil.example',
    '127.x.example',
    '192.168.example',
    '172.16.example',
    '169.254.example',
    'localhost.example',
    'notlocalhost.example',
    'evil-localhost.example',
    'lan.example',
    'home.arpa.example',
    'ai.',
    'fc00.example',
    '8.8.8.8',
    '134744072',
    '9.255.255.255',
    '11.0.0.1',
    '126.0.0.1',
    '128.0.0.1',
    '172.15.255.255',
    '172.32.0.1',
    '192.169.0.1',
    '169.253.0.1',
    '100.64.0.1',
    '100.127.255.255',
    '0.0.0.0',
    '[::]',
    '[2001:db8::1]',
    '[fd::1]',
    '[fe00::1]',
    '[fec0::1]',
    '[::ffff:8.8.8.8]',
    '[::7f00:1]',
    '[64:ff9b::a00:1]',
    '[1::ffff:a00:1]',
  ],
};
const table = Object.entries(hosts).flatMap(([reach, list]) => list.map((host) => [host, reach] as const));

describe('the reach of an address', () => {
  it.each(table)('with the host %s is %s', (host, reach) => {
    for (const scheme of ['http', 'https']) expect(reachOf(`${scheme}://${host}:8787/path`)).toBe(reach);
    expect(isLoopback(new URL(`http://${host}`))).toBe(reach === 'loopback');
  });
});

describe('plain text', () => {
  it.each(table)('to %s (%s) is exempt up to the reach given', (host, reach) => {
    expect(isPlaintextBeyond('loopback', `http://${host}/`)).toBe(reach !== 'loopback');
    expect(isPlaintextBeyond('private', `http://${host}/`)).toBe(reach === 'public');
    expect(isPlaintextBeyond('loopback', `https://${host}/`)).toBe(false);
  });

  it('is recognised where the scheme is in upper case', () => {
    expect(isPlaintextBeyond('private', 'HTTP://API.EXAMPLE')).toBe(true);
  });
});

describe('a trailing slash', () => {
  it.each([
    ['https://relay.example', 'https://relay.example'],
    ['https://relay.example/', 'https://relay.example'],
    ['https://relay.example/base//', 'https://relay.example/base'],
    ['', ''],
  ])('is removed from %s', (address, expected) => {
    expect(withoutTrailingSlash(address)).toBe(expected);
  });
});

describe('an endpoint', () => {
  it.each([
    ['https://api.example', 'https://api.example/call'],
    ['https://api.example/', 'https://api.example/call'],
    ['https://api.example/call', 'https://api.example/call'],
    ['https://api.example/call/', 'https://api.example/call'],
    ['https://api.example/v1//', 'https://api.example/v1/call'],
    ['https://api.example/recall', 'https://api.example/recall/call'],
  ])('of %s is %s', (base, expected) => {
    expect(endpointUrl(base, '/call', 'base address').href).toBe(expected);
  });

  it.each([
    ['', /something like https/],
    ['api.example', /something like https/],
    ['ftp://api.example', /http:\/\/ or https:\/\//],
    ['https://u:p@api.example', /no user name/],
    ['https://api.example/?a=1', /no user name, password, query/],
    ['https://api.example/#a', /no user name, password, query or fragment/],
  ])('is refused for the base "%s"', (base, message) => {
    expect(() => endpointUrl(base, '/call', 'base address')).toThrow(message);
  });
});
