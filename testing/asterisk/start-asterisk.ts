/** A real Asterisk on loopback, started in half a second, with everything it writes in a temporary folder. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { type Child, startChild } from '../child.ts';
import { freePort, freeUdpPort } from '../servers/free-port.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { until } from '../until.ts';
import {
  type AsteriskPorts,
  asteriskConfiguration,
  rtpPorts,
  unregisteredAgent,
} from './asterisk-configuration.ts';
import { type AsteriskPackages, ensureAsteriskPackages } from './asterisk-packages.ts';

const startTimeoutMs = 60_000;

export interface Asterisk {
  readonly packages: AsteriskPackages;
  readonly ports: AsteriskPorts;
  readonly folder: string;
  readonly recordingsFolder: string;
  /** Starts it again after `kill`, on the same ports and files. */
  start(): Promise<void>;
  /** Registers the phone of an agent, or unregisters it. */
  setRegistered(agent: string, isRegistered: boolean): Promise<void>;
  /** SIGSTOP holds it, and SIGCONT lets it go on. SIGKILL ends it, and the phones get no message. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Ends it and removes its folder. */
  close(): Promise<void>;
}

/** @throws Error that names what is missing. */
export async function startAsterisk(agents: readonly string[] = ['1105']): Promise<Asterisk> {
  const packages = await ensureAsteriskPackages();
  const temporary = await temporaryFolder('asterisk');
  const folder = temporary.path;
  const ports: AsteriskPorts = {
    ami: await freePort(),
    sip: await freeUdpPort(),
    agent: await freeUdpPort(),
    far: await freeUdpPort(),
    // Systems do not choose ports of this range by themselves. RTP wants an even port.
    rtp: 20_000 + 2 * Math.floor(Math.random() * ((9_000 - rtpPorts) / 2)),
  };
  for (const name of ['etc', 'lib/keys', 'spool', 'run', 'log', 'recordings'])
    await mkdir(path.join(folder, name), { recursive: true });
  const { moduleFolder, dataFolder } = packages;
  const modules = await readdir(moduleFolder);
  const unregistered = new Set([unregisteredAgent]);
  const configure = async () => {
    const files = asteriskConfiguration({
      folder,
      moduleFolder,
      dataFolder,
      ports,
      agents: [...agents, unregisteredAgent],
      unregistered: [...unregistered],
      modules,
    });
    for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, 'etc', name), text);
  };
  await configure();
  const file = path.join(folder, 'etc/asterisk.conf');
  const command = (text: string) =>
    startChild([...packages.asterisk, '-C', file, '-rx', text], { environment: packages.environment }).exited;

  let child: Child | undefined;
  const start = async () => {
    child = startChild([...packages.asterisk, '-C', file, '-f'], { environment: packages.environment });
    const ended = child.exited.then(async (code) => {
      throw new Error(`Asterisk ended with ${code}: ${await lastLog(folder)}`);
    });
    ended.catch(() => {});
    await Promise.race([until(() => greets(ports.ami), 'Asterisk', startTimeoutMs), ended]);
    // Asterisk greets before its dialplan is loaded.
    await command('core waitfullybooted');
  };
  const kill = async (signal: NodeJS.Signals) => {
    if (signal === 'SIGSTOP' || signal === 'SIGCONT') child?.process.kill(signal);
    else await child?.stop(signal);
  };
  await start();
  return {
    packages,
    ports,
    folder,
    recordingsFolder: path.join(folder, 'recordings'),
    start,
    async setRegistered(agent, isRegistered) {
      if (isRegistered) unregistered.delete(agent);
      else unregistered.add(agent);
      await configure();
      await command('module reload res_pjsip.so');
    },
    kill,
    async close() {
      await kill('SIGKILL');
      await temporary.remove();
    },
  };
}

const lastLog = async (folder: string) =>
  (await readFile(path.join(folder, 'log/messages'), 'utf8').catch(() => 'no log'))
    .trim()
    .split('\n')
    .slice(-5)
    .join('\n');

/** Whether Asterisk's manager interface greets on this port. */
function greets(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const end = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.setTimeout(1000, () => end(false));
    socket.once('data', () => end(true));
    socket.once('error', () => end(false));
  });
}
