/** A self-signed certificate for a server of a test: its own authority, too. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { ensureDebianPackages } from '../../../testing/browsers/find-browsers.ts';

export interface Certificate {
  certificate: string;
  key: string;
}

/** @param host the name it is for. */
export async function makeCertificate(folder: string, host: string): Promise<Certificate> {
  const certificate = path.join(folder, `${host}.pem`);
  const key = path.join(folder, `${host}.key`);
  const make = () =>
    promisify(execFile)('openssl', [
      ...[
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-days',
        '2',
      ],
      ...[
        '-subj',
        `/CN=${host}`,
        '-addext',
        `subjectAltName=DNS:${host}`,
        '-keyout',
        key,
        '-out',
        certificate,
      ],
    ]);
  await make().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    await ensureDebianPackages(['openssl']);
    await make();
  });
  return { certificate, key };
}
