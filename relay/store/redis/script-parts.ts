/** What the scripts begin with, and the functions that several of them share. */

/** The prefix of every key. Its tag keeps all keys in one slot. */
export const root = '{dialmark}:';
export const callKey = (id: string) => `${root}call:${id}`;

/**
 * ARGV[1] of every script with this beginning: the relay's epoch, a blank, and the newest `seq` that it knows of. A
 * store with a lower `seq` has lost acknowledged writes: it must not give the same numbers again.
 */
export const start = `
local root = '${root}'
local epoch, known = string.match(ARGV[1], '^(%S*) (%d+)$')
if redis.call('GET', root .. 'epoch') ~= epoch then return {'epoch'} end
if tonumber(redis.call('GET', root .. 'seq') or 0) < tonumber(known) then return {'epoch'} end
local function append(channel, call, data, at, previous)
  local seq = redis.call('INCR', root .. 'seq')
  redis.call('XADD', root .. 'events:' .. channel, seq .. '-0', 'c', call, 'd', data, 'p', previous)
  redis.call('XADD', root .. 'log', seq .. '-0', 'c', channel, 'a', at)
  redis.call('PUBLISH', root .. 'live', seq .. ' ' .. channel .. ' ' .. call .. ' ' .. data)
  return seq
end
`;

/**
 * `do-not-call`: by key, when the entry ends (0: it stays), a blank, and the entry as JSON.
 * `do-not-call-keys`: the same keys in order. `do-not-call-ends`: the keys of entries that end, by that time.
 * `lease:NUMBER`: by call, when the lease ends, the caller, and the lease as JSON.
 */
export const ruleFunctions = `
local function listedEntry(keys, now)
  for _, value in ipairs(redis.call('HMGET', root .. 'do-not-call', unpack(keys))) do
    if value then
      local ends, entry = string.match(value, '^(%d+) (.*)$')
      if ends == '0' or tonumber(ends) > tonumber(now) then return entry end
    end
  end
end
-- A quotation mark inside a text has a backslash before it.
local function callOfEntry(entry) return string.match(entry, '"callId":"([%w_-]+)"') end
local function listEntries(entries)
  local changed = 0
  for _, each in ipairs(entries) do
    local known = redis.call('HGET', root .. 'do-not-call', each.key)
    local ends = known and tonumber(string.match(known, '^%d+'))
    if ends and ends ~= 0 and ends <= each.at then known = nil end
    local entry = known
    if not known or (ends ~= 0 and (each.ends == 0 or each.ends > ends)) then
      entry = string.format('%.0f', each.ends) .. ' ' .. each.entry
      redis.call('ZADD', root .. 'do-not-call-keys', 0, each.key)
      changed = changed + 1
    end
    if known and callOfEntry(known) ~= callOfEntry(each.entry) then
      entry = string.gsub(entry, ',"callId":"[%w_-]+"', '')
    end
    redis.call('HSET', root .. 'do-not-call', each.key, entry)
    local lasts = string.match(entry, '^%d+')
    if lasts == '0' then redis.call('ZREM', root .. 'do-not-call-ends', each.key)
    else redis.call('ZADD', root .. 'do-not-call-ends', lasts, each.key) end
  end
  -- Every relay forgets what it said of numbers.
  if changed > 0 then redis.call('PUBLISH', root .. 'changed', '') end
  return changed
end
local function deleteEntry(key)
  redis.call('ZREM', root .. 'do-not-call-keys', key)
  redis.call('ZREM', root .. 'do-not-call-ends', key)
  return redis.call('HDEL', root .. 'do-not-call', key)
end
local function removeEntry(key)
  local removed = deleteEntry(key)
  if removed == 1 then redis.call('PUBLISH', root .. 'changed', '') end
  return removed
end
local function recordAudit(records)
  for _, record in ipairs(records) do redis.call('XADD', root .. 'audit', '*', 'd', record) end
end
local function takeEntryBack(back)
  local entry = redis.call('HGET', root .. 'do-not-call', back.key)
  if not entry or callOfEntry(entry) ~= back.callId then return end
  removeEntry(back.key)
  recordAudit({back.audit})
end
local function leaseOn(number, now)
  local fields = redis.call('HVALS', root .. 'lease:' .. number)
  for _, value in ipairs(fields) do
    local ends, caller, lease = string.match(value, '^(%d+) (%S+) (.*)$')
    if tonumber(ends) > tonumber(now) then return lease, caller end
  end
end
local function setLease(number, call, ends, caller, lease)
  local key = root .. 'lease:' .. number
  ends = string.format('%.0f', ends)
  redis.call('HSET', key, call, ends .. ' ' .. caller .. ' ' .. lease)
  local last = 0
  for _, value in ipairs(redis.call('HVALS', key)) do last = math.max(last, tonumber(string.match(value, '^%d+'))) end
  -- The server's clock may be another than the relay's.
  redis.call('PEXPIREAT', key, string.format('%.0f', last + 3600000))
end
local function moveLease(number, call, ends)
  local value = redis.call('HGET', root .. 'lease:' .. number, call)
  if not value then return end
  if ends == '0' then return redis.call('HDEL', root .. 'lease:' .. number, call) end
  local caller, lease = string.match(value, '^%d+ (%S+) (.*)$')
  setLease(number, call, tonumber(ends), caller, lease)
end
`;

/** ARGV: epoch, what the rules get as JSON. @returns how many entries are new or last longer now. */
export const listScript = `${start}${ruleFunctions}
local rules = cjson.decode(ARGV[2])
recordAudit(rules.audit)
return {'done', listEntries(rules.entries)}
`;

/** ARGV: epoch, key, audit record. @returns how many entries were removed. */
export const unlistScript = `${start}${ruleFunctions}
local removed = removeEntry(ARGV[2])
if removed == 1 then recordAudit({ARGV[3]}) end
return {'done', removed}
`;

/** ARGV: epoch, now, limit. @returns how many ended entries were deleted. */
export const pruneListedScript = `${start}${ruleFunctions}
local ended = redis.call('ZRANGE', root .. 'do-not-call-ends', '-inf', ARGV[2], 'BYSCORE', 'LIMIT', 0, ARGV[3])
for _, key in ipairs(ended) do deleteEntry(key) end
return {'done', #ended}
`;

/** ARGV: epoch, id of an API key, its JSON as read, its new JSON. @returns 1 if the key was not changed meanwhile. */
export const changeKeyScript = `${start}
if redis.call('HGET', root .. 'keys', ARGV[2]) ~= ARGV[3] then return {'done', 0} end
redis.call('HSET', root .. 'keys', ARGV[2], ARGV[4])
return {'done', 1}
`;

/**
 * ARGV: key of a number, how many calls, then channels. The script only reads.
 * @returns the newest calls of these channels with the number.
 */
export const newestCallsScript = `
local root = '${root}'
local found = {}
for i = 3, #ARGV do
  local key = root .. 'calls-of:' .. ARGV[1] .. ' ' .. ARGV[i]
  local newest = redis.call('ZRANGE', key, 0, ARGV[2] - 1, 'REV', 'WITHSCORES')
  for j = 1, #newest, 2 do table.insert(found, {id = newest[j], seq = tonumber(newest[j + 1])}) end
end
table.sort(found, function(a, b) return a.seq > b.seq end)
local calls = {}
for i = 1, math.min(#found, ARGV[2]) do calls[i] = redis.call('HGET', root .. 'call:' .. found[i].id, 'data') end
return calls
`;
