/**
 * The notification that the operator's system gets: the fields that came, under the names that the operator chose. It
 * does not have what only the relay and the service may know (Laws 5 and 6).
 */
import { applyFieldMap, type FieldMap, undoFieldMap } from '../../shared/service/field-map.ts';
import { isObject } from '../../shared/service/json.ts';
import { withoutCapabilities } from '../access/capability.ts';
import type { PlacedBy } from '../store/store.ts';

type NotificationFields = Readonly<Record<string, unknown>>;

interface Forwarding {
  callId: string;
  placedBy: PlacedBy;
  /** The provider's `map`: the names that fields came under. */
  arrivedUnder: FieldMap;
  /** The names that the forwarded fields get; absent: the names stay as they came. */
  rename?: FieldMap | undefined;
}

/** @param notification not nested deeper than the relay accepts. @returns the body to forward, as JSON. */
export function forwardedBody(
  notification: NotificationFields,
  { callId, placedBy, arrivedUnder, rename }: Forwarding,
): string {
  const echoes = ['request', arrivedUnder.request];
  const withoutSecrets = mapEntries(notification, (name, value) => {
    if (!echoes.includes(name) || !isObject(value)) return [name, value];
    const { returnurl: _url, token: _token, ...echo } = value;
    return [name, echo];
  });
  const body = withoutCapabilities(
    callId,
    rename ? renameFields(withoutSecrets, arrivedUnder, rename) : withoutSecrets,
  );
  // A client that placed its call itself may have invented the end. A system that bills by it must know.
  return JSON.stringify(placedBy === 'client' ? { ...body, placedBy } : body);
}

/** If another member already has the new name of a field, the field gets the name. The other member is left out. */
function renameFields(
  notification: NotificationFields,
  arrivedUnder: FieldMap,
  rename: FieldMap,
): NotificationFields {
  const fields = Object.entries(undoFieldMap(notification, arrivedUnder));
  const newNames = new Map(Object.entries(rename));
  const taken = new Set(fields.map(([field]) => newNames.get(field)));
  const kept = fields.filter(([name]) => newNames.has(name) || !taken.has(name));
  return applyFieldMap(Object.fromEntries(kept), rename);
}

const mapEntries = (
  object: NotificationFields,
  map: (name: string, value: unknown) => [string, unknown],
): NotificationFields => Object.fromEntries(Object.entries(object).map(([name, value]) => map(name, value)));
