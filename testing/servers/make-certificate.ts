import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { ensureDebianPackages } from '../browsers/find-browsers.ts';

/** Paths of PEM files. */
export interface Certificate {
  certificate: string;
  key: string;
}

/** Makes a self-signed certificate for a server, which is its own authority. @param days it is valid. */
export async function makeCertificate(folder: string, host: string, days = 2): Promise<Certificate> {
  await ensureDebianPackages(['openssl']);
  const certificate = path.join(folder, `${host}.pem`);
  const key = path.join(folder, `${host}.key`);
  const options = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days ${days}`;
  const names = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`];
  const files = ['-keyout', key, '-out', certificate];
  await promisify(execFile)('openssl', [...options.split(' '), ...names, ...files]);
  return { certificate, key };
}
