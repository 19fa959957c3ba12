/** The intent of a click, as it is written down before anything is sent. */
import { newCall } from '../../../shared/call/call.ts';
import { hourMs } from '../../../shared/durations.ts';
import type { DialReading } from '../../../shared/numbers/dial/resolve.ts';
import type { CallRequest } from '../../../shared/service/request.ts';
import type { Settings } from '../../settings.ts';
import type { CallRecord } from './call-record.ts';
import type { Click } from './click.ts';
import type { Route } from './route.ts';

/** How long a call is followed. After that its end is unknown. */
const followForMs = 4 * hourMs;

export function newRecord(
  click: Click,
  { number, digits: { to } }: DialReading,
  settings: Settings,
  route: Route,
  destination: string,
): CallRecord {
  const now = new Date();
  const { agent, connection } = settings;
  const from = agent.from ?? '';
  const callerid = click.callerid ?? agent.callerid;
  const request: CallRequest = {
    from,
    to,
    timeout: agent.timeout,
    ...((click.forceFrom ?? agent.forceFrom) && { force_from: 'yes' as const }),
    callerid: callerid || undefined,
    ...(route.mode === 'direct' && {
      map: connection.direct.map || undefined,
      version: connection.direct.version === 'v1' ? undefined : connection.direct.version,
    }),
  };
  const call = newCall({ id: click.id, from, to, now: now.toISOString() });
  return {
    id: click.id,
    call,
    phase: route.mode === 'relay' ? 'asking' : 'preparing',
    destination,
    open: 1,
    followed: route.mode === 'relay' ? 'relay' : 'none',
    followUntil: now.getTime() + followForMs,
    request,
    display: number.display,
    name: click.name || undefined,
    country: number.country,
    extension: number.extension,
    record: isKnownToRelay(route) ? click.record : undefined,
    isRecordUnseen: click.isRecordUnseen,
    item: click.item,
    override: click.override,
    tab: click.tab,
    note: '',
    changedAt: call.createdAt,
    createdAt: call.createdAt,
  };
}

const isKnownToRelay = (route: Route): boolean => route.mode === 'relay' || typeof route.relay === 'object';
