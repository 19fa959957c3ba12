/**
 * Scripts for what must be one step in Redis: deduplication, sequence, append and publish are atomic. So an event is
 * either not stored, or in its channel, in the log and on its way to every relay. All keys have one hash tag.
 */
import { root, ruleFunctions, start } from './script-parts.ts';
import { sheetFunctions } from './sheet-scripts.ts';

/**
 * ARGV: epoch, idempotency key, fingerprint, call, channel, placedBy, now, data, open, dialling, deadline, arrivals,
 * log, the intent's rules as JSON (`intentRules`) or '', then bucket, max, expires …
 */
export const placeScript = `${start}${ruleFunctions}${sheetFunctions}
local known = redis.call('GET', root .. 'idem:' .. ARGV[2])
if known then
  local print, id = string.match(known, '^(%S+) (%S+)$')
  if print ~= ARGV[3] then return {'otherRequest'} end
  local call = redis.call('HMGET', root .. 'call:' .. id, 'data', 'placedBy')
  if not call[1] then return {'otherRequest'} end
  return {'same', call[1], call[2]}
end
if redis.call('EXISTS', root .. 'call:' .. ARGV[4]) == 1 then return {'idTaken'} end
local rules = ARGV[14] ~= '' and cjson.decode(ARGV[14])
if rules then
  if rules.refused then return {'refused'} end
  local listed = listedEntry(rules.keys, ARGV[7])
  if listed and not rules.override then return {'doNotCall', listed} end
  for _, number in ipairs(rules.lease and rules.numbers or {}) do
    local lease, caller = leaseOn(number, rules.now)
    if lease and caller ~= ARGV[5] then return {'leased', lease} end
  end
  if rules.item and not isHeld(rules.item, ARGV[5], rules.numbers) then return {'itemTaken'} end
end
for i = 15, #ARGV, 3 do
  local count = redis.call('GET', root .. 'tally:' .. ARGV[i])
  if count and tonumber(count) >= tonumber(ARGV[i + 1]) then return {'limited', ARGV[i]} end
end
for i = 15, #ARGV, 3 do
  redis.call('INCR', root .. 'tally:' .. ARGV[i])
  redis.call('PEXPIREAT', root .. 'tally:' .. ARGV[i], ARGV[i + 2])
end
local id, channel = ARGV[4], ARGV[5]
local seq = append(channel, id, ARGV[8], ARGV[7], 0)
redis.call('HSET', root .. 'call:' .. id, 'channel', channel, 'placedBy', ARGV[6], 'created', ARGV[7],
  'version', 0, 'seq', seq,
  'data', ARGV[8], 'open', ARGV[9], 'dialling', ARGV[10], 'deadline', ARGV[11], 'arrivals', ARGV[12], 'idem', ARGV[2],
  'log', ARGV[13], 'placed', seq, 'leasedUntil', rules and rules.leasedUntil or 0)
redis.call('ZADD', root .. 'history:' .. channel, seq, id)
redis.call('ZADD', root .. 'open:' .. channel, seq, id)
redis.call('ZADD', root .. 'calls', ARGV[7], id)
redis.call('ZADD', root .. 'due', ARGV[11], id)
if ARGV[10] == '1' then redis.call('SADD', root .. 'dialling', id) end
redis.call('SET', root .. 'idem:' .. ARGV[2], ARGV[3] .. ' ' .. id)
if rules then
  redis.call('HSET', root .. 'call:' .. id, 'number', rules.key)
  redis.call('ZADD', root .. 'calls-of:' .. rules.key .. ' ' .. channel, seq, id)
  redis.call('SADD', root .. 'callers-of:' .. rules.key, channel)
  if rules.lease then
    redis.call('HSET', root .. 'call:' .. id, 'callee', rules.key)
    setLease(rules.key, id, rules.leasedUntil, channel, rules.lease)
  end
  recordAudit(rules.audit)
  if rules.attempt then redis.call('HSET', root .. 'call:' .. id, 'attempt', rules.attempt) end
  if rules.item then markCalled(rules.item, id) end
end
return {'placed', seq}
`;

/**
 * Due entries of calls: `log-due` has them by system, `log-lane` by record in the order of the calls. `log-of` has a
 * call's places in both. A call that is not logged yet, or must be repeated, is kept beyond its retention.
 */
const logIndex = `
local function forgetLog(id)
  for _, place in ipairs(redis.call('SMEMBERS', root .. 'log-of:' .. id)) do
    local system, lane = string.match(place, '^(%S+) (.*)$')
    redis.call('ZREM', root .. 'log-due:' .. system, id .. ' ' .. lane)
    redis.call('ZREM', root .. 'log-lane:' .. place, id)
  end
  redis.call('DEL', root .. 'log-of:' .. id)
  local callBackBy = redis.call('HGET', root .. 'call:' .. id, 'callBackBy')
  if callBackBy then redis.call('ZREM', root .. 'callbacks:' .. callBackBy, id) end
  redis.call('HDEL', root .. 'call:' .. id, 'callBackBy')
  redis.call('ZREM', root .. 'unlogged', id)
end
local function indexLog(id, placed, callBackAt, callBackBy, unlogged, first)
  forgetLog(id)
  for i = first, #ARGV, 3 do
    local place = ARGV[i] .. ' ' .. ARGV[i + 1]
    redis.call('ZADD', root .. 'log-due:' .. ARGV[i], ARGV[i + 2], id .. ' ' .. ARGV[i + 1])
    redis.call('ZADD', root .. 'log-lane:' .. place, placed, id)
    redis.call('SADD', root .. 'log-of:' .. id, place)
  end
  if callBackAt ~= '' then
    redis.call('ZADD', root .. 'callbacks:' .. callBackBy, callBackAt, id)
    redis.call('HSET', root .. 'call:' .. id, 'callBackBy', callBackBy)
  end
  if unlogged == '1' then redis.call('ZADD', root .. 'unlogged', placed, id) end
end
`;

/**
 * ARGV: epoch, call, version as read, now, new data or '', open, dialling, deadline or '', arrivals, forward or '', its
 * body, when it is due, the end of the lease, what the rules get as JSON or '', '1' where the log changed, log, when to
 * call back or '', who then, '1' where an entry is missing, then system, lane, due …
 * @returns 'retry' when the call changed since it was read.
 */
export const applyScript = `${start}${ruleFunctions}${sheetFunctions}${logIndex}
local id = ARGV[2]
local key = root .. 'call:' .. id
local call = redis.call('HMGET', key, 'version', 'channel', 'created', 'seq', 'placed', 'callee')
if call[1] ~= ARGV[3] then return {'retry'} end
local seq = 0
if ARGV[5] ~= '' then
  seq = append(call[2], id, ARGV[5], ARGV[4], call[4])
  redis.call('HSET', key, 'data', ARGV[5], 'seq', seq)
  if ARGV[6] == '1' then redis.call('ZADD', root .. 'open:' .. call[2], seq, id)
  else
    redis.call('ZREM', root .. 'open:' .. call[2], id)
    local isKept = redis.call('ZSCORE', root .. 'unlogged', id) or redis.call('HGET', key, 'callBackBy')
    if not isKept then redis.call('ZADD', root .. 'over', call[3], id) end
  end
end
redis.call('HSET', key, 'open', ARGV[6], 'dialling', ARGV[7], 'deadline', ARGV[8], 'arrivals', ARGV[9])
redis.call('HINCRBY', key, 'version', 1)
if ARGV[7] == '0' then redis.call('SREM', root .. 'dialling', id) end
if ARGV[8] == '' then redis.call('ZREM', root .. 'due', id) else redis.call('ZADD', root .. 'due', ARGV[8], id) end
if ARGV[10] ~= '' then
  redis.call('HSET', root .. 'forward:' .. ARGV[10], 'call', id, 'body', ARGV[11],
    'attempts', 0, 'claimed', 0, 'note', '')
  redis.call('ZADD', root .. 'forwards', ARGV[12], ARGV[10])
  redis.call('SADD', root .. 'forwards-of:' .. id, ARGV[10])
end
redis.call('HSET', key, 'leasedUntil', ARGV[13])
if call[6] then moveLease(call[6], id, ARGV[13]) end
if ARGV[14] ~= '' then
  local rules = cjson.decode(ARGV[14])
  listEntries(rules.entries)
  if rules.takenBack then takeEntryBack(rules.takenBack) end
  recordAudit(rules.audit)
  local tally = rules.attempt and root .. 'tally:' .. rules.attempt.bucket
  if tally and redis.call('EXISTS', tally) == 1 then redis.call('INCRBY', tally, rules.attempt.by) end
  if rules.move then moveItem(rules.move) end
end
if ARGV[15] == '1' then
  redis.call('HSET', key, 'log', ARGV[16])
  indexLog(id, call[5], ARGV[17], ARGV[18], ARGV[19], 20)
  local isKept = ARGV[17] ~= '' or ARGV[19] == '1'
  if isKept then redis.call('ZREM', root .. 'over', id)
  elseif ARGV[6] ~= '1' then redis.call('ZADD', root .. 'over', call[3], id) end
end
return {'done', seq}
`;

/** A forward's fields are in a hash. `forwards` has pending forwards by due time, `dead-forwards` the dead ones. */
const forwards = `${start}
local pending, dead = root .. 'forwards', root .. 'dead-forwards'
local function drop(id)
  local key = root .. 'forward:' .. id
  local call = redis.call('HGET', key, 'call')
  if not call then return 0 end
  redis.call('SREM', root .. 'forwards-of:' .. call, id)
  redis.call('ZREM', pending, id)
  redis.call('ZREM', dead, id)
  return redis.call('DEL', key)
end
`;

/** ARGV: epoch, now, until, limit. @returns pending, next or '', then id, call, body and attempt of each. */
export const claimForwardsScript = `${forwards}
local claimed = {}
for _, id in ipairs(redis.call('ZRANGE', pending, '-inf', ARGV[2], 'BYSCORE', 'LIMIT', 0, ARGV[4])) do
  local key = root .. 'forward:' .. id
  local attempt = redis.call('HINCRBY', key, 'attempts', 1)
  redis.call('HSET', key, 'claimed', 1)
  redis.call('ZADD', pending, ARGV[3], id)
  local fields = redis.call('HMGET', key, 'call', 'body')
  for _, value in ipairs({id, fields[1], fields[2], attempt}) do table.insert(claimed, value) end
end
local first = redis.call('ZRANGE', pending, 0, 0, 'WITHSCORES')
return {'done', redis.call('ZCARD', pending), first[2] or '', unpack(claimed)}
`;

/** ARGV: epoch, forward, attempt, 'delivered', 'retry' or 'dead', at, note. */
export const settleForwardScript = `${forwards}
local id, key = ARGV[2], root .. 'forward:' .. ARGV[2]
if ARGV[4] == 'delivered' then drop(id)
elseif redis.call('HGET', key, 'attempts') == ARGV[3] then
  redis.call('HSET', key, 'claimed', 0, 'note', ARGV[6])
  redis.call('ZREM', ARGV[4] == 'dead' and pending or dead, id)
  redis.call('ZADD', ARGV[4] == 'dead' and dead or pending, ARGV[5], id)
end
return {'done'}
`;

/** ARGV: epoch, now. @returns how many. */
export const releaseForwardsScript = `${forwards}
local count = 0
for _, id in ipairs(redis.call('ZRANGE', pending, 0, -1)) do
  if redis.call('HGET', root .. 'forward:' .. id, 'claimed') == '1' then
    redis.call('HSET', root .. 'forward:' .. id, 'claimed', 0)
    redis.call('ZADD', pending, ARGV[2], id)
    count = count + 1
  end
end
return {'done', count}
`;

/** ARGV: epoch, forward or '' for all dead ones, now. @returns how many. */
export const retryForwardsScript = `${forwards}
local ids = ARGV[2] == '' and redis.call('ZRANGE', dead, 0, -1) or {ARGV[2]}
local count = 0
for _, id in ipairs(ids) do
  local key = root .. 'forward:' .. id
  if redis.call('EXISTS', key) == 1 then
    redis.call('HSET', key, 'attempts', 0, 'claimed', 0, 'note', '')
    redis.call('ZREM', dead, id)
    redis.call('ZADD', pending, ARGV[3], id)
    count = count + 1
  end
end
return {'done', count}
`;

/** ARGV: epoch, forward. @returns how many. */
export const dropForwardScript = `${forwards}
return {'done', drop(ARGV[2])}
`;

/** ARGV: epoch, then calls. Deletes them with everything that refers to them. @returns how many. */
export const deleteScript = `${forwards}${logIndex}
local deleted = 0
for i = 2, #ARGV do
  local id = ARGV[i]
  local call = redis.call('HMGET', root .. 'call:' .. id, 'channel', 'seq', 'idem', 'callee', 'number')
  local channel, seq = call[1], call[2]
  if channel then
    local events = root .. 'events:' .. channel
    while seq do
      local entry = redis.call('XRANGE', events, seq .. '-0', seq .. '-0')[1]
      redis.call('XDEL', events, seq .. '-0')
      seq = entry and entry[2][6] ~= '0' and entry[2][6]
    end
    forgetLog(id)
    redis.call('ZREM', root .. 'history:' .. channel, id)
    redis.call('ZREM', root .. 'open:' .. channel, id)
    redis.call('DEL', root .. 'idem:' .. call[3])
    if call[4] then redis.call('HDEL', root .. 'lease:' .. call[4], id) end
    if call[5] then
      local calls = root .. 'calls-of:' .. call[5] .. ' ' .. channel
      redis.call('ZREM', calls, id)
      if redis.call('EXISTS', calls) == 0 then redis.call('SREM', root .. 'callers-of:' .. call[5], channel) end
    end
  end
  for _, forward in ipairs(redis.call('SMEMBERS', root .. 'forwards-of:' .. id)) do drop(forward) end
  deleted = deleted + redis.call('DEL', root .. 'call:' .. id)
  redis.call('ZREM', root .. 'calls', id)
  redis.call('ZREM', root .. 'over', id)
  redis.call('ZREM', root .. 'due', id)
  redis.call('SREM', root .. 'dialling', id)
end
return {'done', deleted}
`;

/** ARGV: the epoch that has lost its past, or '', and a new epoch. @returns the epoch that is valid now. */
export const epochScript = `
local epoch = redis.call('GET', '${root}epoch')
if epoch and epoch ~= ARGV[1] then return {epoch} end
redis.call('SET', '${root}epoch', ARGV[2])
return {ARGV[2]}
`;

/** ARGV: epoch. */
export const confirmEpochScript = `${start}
return {'done'}
`;

/** ARGV: epoch. Keys that were lost with the past are not revoked keys, so the loss is reported to a reader first. */
export const keysScript = `${start}
local answer = redis.call('HVALS', root .. 'keys')
table.insert(answer, 1, 'done')
return answer
`;

/** ARGV: epoch, events before (ms), limit. @returns how many events were deleted. */
export const pruneScript = `${start}
local last, channels, gone = nil, {}, 0
for _, entry in ipairs(redis.call('XRANGE', root .. 'log', '-', '+', 'COUNT', ARGV[3])) do
  if tonumber(entry[2][4]) >= tonumber(ARGV[2]) then break end
  last = tonumber(string.match(entry[1], '^(%d+)'))
  channels[entry[2][2]] = true
  gone = gone + 1
end
if not last then return {'done', 0} end
for channel in pairs(channels) do
  redis.call('XTRIM', root .. 'events:' .. channel, 'MINID', string.format('%.0f-0', last + 1))
end
redis.call('XTRIM', root .. 'log', 'MINID', string.format('%.0f-0', last + 1))
redis.call('SET', root .. 'floor', string.format('%.0f', last))
return {'done', gone}
`;
