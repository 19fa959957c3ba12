/** Makes a self-signed certificate for a test's server, which is its own authority. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { ensureDebianPackages } from '../../../testing/browsers/find-browsers.ts';

export interface Certificate {
  certificate: string;
  key: string;
}

export async function makeCertificate(folder: string, host: string): Promise<Certificate> {
  await ensureDebianPackages(['openssl']);
  const certificate = path.join(folder, `${host}.pem`);
  const key = path.join(folder, `${host}.key`);
  const options = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2';
  const names = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`];
  await promisify(execFile)('openssl', [
    ...options.split(' '),
    ...names,
    '-keyout',
    key,
    '-out',
    certificate,
  ]);
  return { certificate, key };
}
