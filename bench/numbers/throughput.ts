/**
 * Measures throughput: ours and the peer take turns, and the best round of each counts. Only the CPU time of this
 * process counts, because other programs also use the machine.
 */
import { scan } from '../../shared/numbers/text/scan.ts';
import { libphonenumberValid, ours } from './finders.ts';
import { crm, hostile, prose } from './texts.ts';

const MEBIBYTE = 1024 * 1024;
/** The peer is slow, so it gets only this part of the text. */
const PEER_PART = MEBIBYTE / 8;
const turnsOfThroughput = 12;

export interface Throughput {
  text: string;
  /** Mebibytes of UTF-16 units a second; for prose and CRM text. */
  scan: number;
  scanAndJudge: number;
  peer: number;
}

interface HostileTime {
  text: string;
  /** Milliseconds for 1 Mi units; the peer's for `peerUnits`. */
  ours: number;
  peer: number;
  peerUnits: number;
}

/** Runs `work`. @returns milliseconds of CPU time. */
function cpuTimeOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const speed = (units: number, milliseconds: number): number => units / MEBIBYTE / (milliseconds / 1000);

export function measureThroughput(): Throughput[] {
  return [
    { text: 'prose, 5 languages', content: prose() },
    { text: 'CRM lines, digit-dense', content: crm() },
  ].map(({ text, content }) => {
    const part = content.slice(0, PEER_PART);
    let [scanned, judged, peer] = [Infinity, Infinity, Infinity];
    for (let turn = 0; turn < turnsOfThroughput; turn++) {
      scanned = Math.min(
        scanned,
        cpuTimeOf(() => scan(content)),
      );
      judged = Math.min(
        judged,
        cpuTimeOf(() => ours(content, 'BR')),
      );
      peer = Math.min(
        peer,
        cpuTimeOf(() => libphonenumberValid(part, 'BR')),
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

/** Hostile texts make the peer far slower than linear, so it gets 4 Ki units of each. */
const peerUnits = 4096;

export function measureHostile(): HostileTime[] {
  return Object.entries(hostile).map(([text, make]) => {
    const content = make(MEBIBYTE);
    const part = make(peerUnits);
    let best = Infinity;
    for (let turn = 0; turn < 3; turn++)
      best = Math.min(
        best,
        cpuTimeOf(() => ours(content, 'BR')),
      );
    return { text, ours: best, peer: cpuTimeOf(() => libphonenumberValid(part, 'BR')), peerUnits };
  });
}
