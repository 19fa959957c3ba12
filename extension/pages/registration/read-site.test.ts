import { describe, expect, it } from 'vitest';
import { belongsToDomain, readSite } from './read-site.ts';

describe('the site to clear', () => {
  it('is the host in both schemes, with or without the port that was typed', () => {
    expect(readSite('http://pbx.example.com:8080/login?x=1')).toEqual({
      host: 'pbx.example.com',
      hosts: ['pbx.example.com', 'pbx.example.com:8080'],
      origins: [
        'http://pbx.example.com',
        'http://pbx.example.com:8080',
        'https://pbx.example.com',
        'https://pbx.example.com:8080',
      ],
    });
    expect(readSite(' PBX ')).toEqual({
      host: 'pbx',
      hosts: ['pbx'],
      origins: ['http://pbx', 'https://pbx'],
    });
    expect(readSite('192.0.2.10:3000')?.host).toBe('192.0.2.10');
  });

  it.each(['', 'two words', 'ftp://pbx', '*.example.com', 'http://', 'javascript:alert(1)'])(
    'is not read from "%s"',
    (typed) => expect(readSite(typed)).toBeUndefined(),
  );

  it('shares its cookies with a domain only where its name has one', () => {
    expect(belongsToDomain('pbx.example.com')).toBe(true);
    for (const host of ['pbx', '192.0.2.10', '[2001:db8::1]']) expect(belongsToDomain(host)).toBe(false);
  });
});
