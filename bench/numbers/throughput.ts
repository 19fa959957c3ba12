/**
 * Throughput in one run, ours and the peer taking turns, each judged by its best turn. What is counted is the processor
 * time of this process: what else the machine does at the same time is no one's fault.
 */

import { scan } from '../../shared/numbers/find/scan.ts';
import { libphonenumberValid, ours } from './finders.ts';
import { crm, hostile, prose } from './texts.ts';

const MEBIBYTE = 1024 * 1024;
/** The peer is slow: it is given a part of the text, as much as it reads in a fraction of a second. */
const PEER_PART = MEBIBYTE / 8;

export interface Throughput {
  text: string;
  /** Mebibytes of UTF-16 units a second; for prose and CRM text. */
  scan: number;
  scanAndJudge: number;
  peer: number;
}

export interface HostileTime {
  text: string;
  /** Milliseconds for 1 Mi units; the peer's for as much of it as it was given. */
  ours: number;
  peer: number;
  peerUnits: number;
}

/** @returns milliseconds of processor time. */
function once(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const speed = (units: number, milliseconds: number): number => units / MEBIBYTE / (milliseconds / 1000);

export function measureThroughput(turns = 12): Throughput[] {
  return [
    { text: 'prose, 5 languages', content: prose() },
    { text: 'CRM lines, digit-dense', content: crm() },
  ].map(({ text, content }) => {
    const part = content.slice(0, PEER_PART);
    let [scanned, judged, peer] = [Infinity, Infinity, Infinity];
    for (let turn = 0; turn < turns; turn++) {
      scanned = Math.min(
        scanned,
        once(() => scan(content)),
      );
      judged = Math.min(
        judged,
        once(() => ours(content, 'BR')),
      );
      if (turn % 3 === 0)
        peer = Math.min(
          peer,
          once(() => libphonenumberValid(part, 'BR')),
        );
    }
    return {
      text,
      scan: speed(MEBIBYTE, scanned),
      scanAndJudge: speed(MEBIBYTE, judged),
      peer: speed(PEER_PART, peer),
    };
  });
}

/** Hostile texts make the peer far slower than linear: it gets 4 Ki units of each. */
export function measureHostile(peerUnits = 4096): HostileTime[] {
  return Object.entries(hostile).map(([text, make]) => {
    const content = make(MEBIBYTE);
    const part = make(peerUnits);
    let best = Infinity;
    for (let turn = 0; turn < 3; turn++)
      best = Math.min(
        best,
        once(() => ours(content, 'BR')),
      );
    return { text, ours: best, peer: once(() => libphonenumberValid(part, 'BR')), peerUnits };
  });
}
