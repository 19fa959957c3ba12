/**
 * The calling service as an operator runs it: the built process beside an Asterisk, which a test may kill and
 * start again.
 */
import path from 'node:path';
import {
  type BuiltServer,
  runServerCommand,
  type ServerProcess,
  startBuiltServer,
} from '../servers/built-server.ts';
import { until } from '../until.ts';
import { amiSecret, amiUser } from './asterisk-configuration.ts';
import type { Asterisk } from './start-asterisk.ts';

const pbx: BuiltServer = { part: 'pbx', prefix: 'DIALMARK_PBX_' };
let services = 0;

export interface PbxServiceProcess extends ServerProcess {
  readonly token: string;
  /** Resolves once it is logged in at Asterisk. */
  untilReady(): Promise<unknown>;
}

/** @param settings `DIALMARK_PBX_` variables without the prefix; `AMI` may lead through a proxy. */
export async function startPbxServiceProcess(
  asterisk: Asterisk,
  settings: Record<string, string> = {},
): Promise<PbxServiceProcess> {
  services += 1;
  const environment = {
    STORE: path.join(asterisk.folder, `pbx-${services}/pbx.db`),
    AMI: `127.0.0.1:${asterisk.ports.ami}`,
    AMI_USER: amiUser,
    AMI_SECRET: amiSecret,
    RECORDINGS_FOLDER: asterisk.recordingsFolder,
    ...settings,
  };
  const added = await runServerCommand(pbx, ['token', 'add'], environment);
  if (added.code !== 0) throw new Error(`pbx token add exited with ${added.code}: ${added.stderr.trim()}`);
  const service = await startBuiltServer(pbx, environment);
  return Object.assign(service, {
    token: added.stdout.trim(),
    untilReady: () =>
      until(() => fetch(`${service.url}/readyz`).then(({ ok }) => ok), 'Asterisk at the calling service'),
  });
}
