/**
 * Call sheets in Redis. `sheets`: each sheet as JSON. For each sheet: `sheet-counts` has its items by state, and
 * `last`, the newest id. `sheet-keys` has the item of each number's key. `sheet-free` has when free open items are due.
 * `sheet-leased` has when the claims of the other open items end; the next claim moves ended ones to the free items.
 * `sheet-held:SHEET:CALLER` has when one caller's items are due. `sheet-callers` has the callers with items.
 * `sheet-item:SHEET:ID` has an item's fields. `sheets-removed`: the last item that still exists, a blank, and the team.
 */
import { start } from './script-parts.ts';

export const sheetFunctions = `
-- What is due at the same time is ordered as text.
local function memberOf(id) return string.format('%09d', id) end
local function itemOf(sheet, id)
  local item = root .. 'sheet-item:' .. sheet .. ':' .. id
  local fields = redis.call('HMGET', item, 'state', 'due', 'leased', 'caller', 'call', 'key')
  return item, fields[1], tonumber(fields[2]), tonumber(fields[3]), fields[4], fields[5], fields[6]
end
local function indexItem(sheet, id)
  local item, state, due, leased, caller = itemOf(sheet, id)
  local free, leases = root .. 'sheet-free:' .. sheet, root .. 'sheet-leased:' .. sheet
  local isLeased, member = leased > 0, memberOf(id)
  if state ~= 'open' or isLeased then redis.call('ZREM', free, member) end
  if state ~= 'open' or not isLeased then redis.call('ZREM', leases, member) end
  if state ~= 'open' then return end
  if not isLeased then return redis.call('ZADD', free, string.format('%.0f', due), member) end
  redis.call('ZADD', leases, string.format('%.0f', leased), member)
  redis.call('ZADD', root .. 'sheet-held:' .. sheet .. ':' .. caller, string.format('%.0f', due), member)
  redis.call('SADD', root .. 'sheet-callers:' .. sheet, caller)
end
local function setItem(sheet, id, state, ...)
  local item, before, _, _, caller = itemOf(sheet, id)
  if before ~= state then
    redis.call('HINCRBY', root .. 'sheet-counts:' .. sheet, before, -1)
    redis.call('HINCRBY', root .. 'sheet-counts:' .. sheet, state, 1)
  end
  redis.call('ZREM', root .. 'sheet-held:' .. sheet .. ':' .. caller, memberOf(id))
  redis.call('HSET', item, 'state', state, ...)
  indexItem(sheet, id)
end
local function sheetsOf(team)
  local all, sheets = redis.call('HGETALL', root .. 'sheets'), {}
  for i = 1, #all, 2 do
    if cjson.decode(all[i + 1]).team == team then table.insert(sheets, all[i]) end
  end
  return sheets
end
local function itemsOn(sheets, key)
  local items = {}
  for _, sheet in ipairs(sheets) do
    local id = redis.call('HGET', root .. 'sheet-keys:' .. sheet, key)
    if id then table.insert(items, {sheet = sheet, id = id, state = select(2, itemOf(sheet, id))}) end
  end
  return items
end
local function isHeld(wanted, caller, numbers)
  if redis.call('HEXISTS', root .. 'sheets', wanted.sheet) == 0 then return false end
  local _, state, _, leased, holder, _, key = itemOf(wanted.sheet, wanted.id)
  if state ~= 'open' or holder ~= caller or leased == 0 then return false end
  for _, number in ipairs(numbers) do if number == key then return true end end
  return false
end
local function markCalled(called, call)
  local item, _, _, _, _, _, key = itemOf(called.sheet, called.id)
  redis.call('HINCRBY', item, 'attempts', 1)
  setItem(called.sheet, called.id, 'called', 'call', call, 'leased', 0, 'outcome', '')
  local team = cjson.decode(redis.call('HGET', root .. 'sheets', called.sheet)).team
  for _, other in ipairs(itemsOn(sheetsOf(team), key)) do
    if other.sheet ~= called.sheet and other.state == 'open' then setItem(other.sheet, other.id, 'duplicate') end
  end
end
local function moveItem(move)
  local sheet, id = move.item.sheet, move.item.id
  local _, _, _, _, _, call = itemOf(sheet, id)
  if call ~= move.callId then return end
  setItem(sheet, id, move.state, 'due', string.format('%.0f', move.due), 'caller', move.caller,
    'leased', string.format('%.0f', move.leasedUntil), 'outcome', move.outcome)
end
`;

const script = `${start}${sheetFunctions}`;

/** ARGV: epoch, sheet, its JSON, now, then key, item as JSON … @returns how many are new. */
export const addItemsScript = `${script}
local sheet, added = ARGV[2], 0
if redis.call('HEXISTS', root .. 'sheets-removed', sheet) == 1 then return {'done', 0} end
redis.call('HSETNX', root .. 'sheets', sheet, ARGV[3])
local counts, keys = root .. 'sheet-counts:' .. sheet, root .. 'sheet-keys:' .. sheet
local last = tonumber(redis.call('HGET', counts, 'last') or 0)
for i = 5, #ARGV, 2 do
  local id = last + added + 1
  if redis.call('HSETNX', keys, ARGV[i], id) == 1 then
    redis.call('HSET', root .. 'sheet-item:' .. sheet .. ':' .. id, 'state', 'open', 'due', ARGV[4],
      'leased', 0, 'caller', '',
      'attempts', 0, 'call', '', 'outcome', '', 'key', ARGV[i], 'data', ARGV[i + 1])
    redis.call('ZADD', root .. 'sheet-free:' .. sheet, ARGV[4], memberOf(id))
    added = added + 1
  end
end
redis.call('HINCRBY', counts, 'last', added)
redis.call('HINCRBY', counts, 'open', added)
return {'done', added}
`;

/** ARGV: epoch, sheet, caller, now, until. @returns the item's id, or '' and when the next one is due or ''. */
export const claimItemScript = `${script}
local sheet, caller, now = ARGV[2], ARGV[3], tonumber(ARGV[4])
if redis.call('HEXISTS', root .. 'sheets', sheet) == 0 then return {'done', '', ''} end
local free, leases = root .. 'sheet-free:' .. sheet, root .. 'sheet-leased:' .. sheet
for _, member in ipairs(redis.call('ZRANGE', leases, '-inf', now, 'BYSCORE', 'LIMIT', 0, 100)) do
  local _, _, due = itemOf(sheet, tonumber(member))
  redis.call('ZREM', leases, member)
  redis.call('ZADD', free, string.format('%.0f', due), member)
end
local held = root .. 'sheet-held:' .. sheet .. ':' .. caller
local first
for _, member in ipairs(redis.call('ZRANGE', held, 0, -1)) do
  local _, state, due, leased, holder = itemOf(sheet, tonumber(member))
  if state ~= 'open' or holder ~= caller or leased <= now then redis.call('ZREM', held, member)
  elseif due <= now then
    first = member
    break
  end
end
first = first or redis.call('ZRANGE', free, '-inf', now, 'BYSCORE', 'LIMIT', 0, 1)[1]
if first then
  first = tonumber(first)
  local _, _, _, leased = itemOf(sheet, first)
  local ends = string.format('%.0f', math.max(leased, tonumber(ARGV[5])))
  setItem(sheet, first, 'open', 'caller', caller, 'leased', ends, 'call', '')
  return {'done', first}
end
local next
for _, key in ipairs({free, leases, held}) do
  local at = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')[2]
  if at and (not next or tonumber(at) < tonumber(next)) then next = at end
end
return {'done', '', next or ''}
`;

/**
 * ARGV: epoch, sheet, id, caller, state, due, a time or ''. A lease that ends after this time is kept.
 * @returns 1 if the caller had a claim on the item.
 */
export const releaseItemScript = `${script}
local _, state, _, leased, holder = itemOf(ARGV[2], ARGV[3])
if state ~= 'open' or holder ~= ARGV[4] or leased == 0 then return {'done', 0} end
local keepsAfter = tonumber(ARGV[7])
local kept = keepsAfter and leased > keepsAfter and string.format('%.0f', leased) or 0
setItem(ARGV[2], ARGV[3], ARGV[5], 'due', ARGV[6], 'leased', kept)
return {'done', 1}
`;

/** ARGV: epoch, sheet, state, caller or '', due, first, last item. @returns how many items were reopened. */
export const reopenItemsScript = `${script}
local sheet, reopened = ARGV[2], 0
if redis.call('HEXISTS', root .. 'sheets', sheet) == 0 then return {'done', 0} end
for id = tonumber(ARGV[6]), tonumber(ARGV[7]) do
  local _, state, _, _, caller = itemOf(sheet, id)
  if state == ARGV[3] and (ARGV[4] == '' or caller == ARGV[4]) then
    setItem(sheet, id, 'open', 'due', ARGV[5], 'leased', 0)
    reopened = reopened + 1
  end
end
return {'done', reopened}
`;

/** ARGV: epoch, sheet. @returns 1 if the sheet existed. */
export const removeSheetScript = `${script}
local last = redis.call('HGET', root .. 'sheet-counts:' .. ARGV[2], 'last') or 0
local head = redis.call('HGET', root .. 'sheets', ARGV[2])
if redis.call('HDEL', root .. 'sheets', ARGV[2]) == 0 then return {'done', 0} end
redis.call('HSET', root .. 'sheets-removed', ARGV[2], last .. ' ' .. cjson.decode(head).team)
return {'done', 1}
`;

/**
 * ARGV: epoch, limit. Deletes items of sheets that were removed. If such an item was open, the person's duplicates on
 * the team's other sheets are opened. This is not done if one of these sheets has the person in another state than
 * `duplicate`.
 * @returns how many items were deleted.
 */
export const pruneSheetsScript = `${script}
local removed = redis.call('HGETALL', root .. 'sheets-removed')
local sheet = removed[1]
if not sheet then return {'done', 0} end
local last, team = string.match(removed[2], '^(%d+) (.*)$')
last = tonumber(last)
local others = sheetsOf(team)
local function openDuplicates(key, due)
  local items = itemsOn(others, key)
  for _, item in ipairs(items) do if item.state ~= 'duplicate' then return end end
  for _, item in ipairs(items) do
    setItem(item.sheet, item.id, 'open', 'due', string.format('%.0f', due), 'leased', 0)
  end
end
local first = math.max(1, last - ARGV[2] + 1)
for id = first, last do
  local item, state, due, _, _, _, key = itemOf(sheet, id)
  if state == 'open' then openDuplicates(key, due) end
  redis.call('DEL', item)
end
if first > 1 then redis.call('HSET', root .. 'sheets-removed', sheet, (first - 1) .. ' ' .. team)
else
  for _, caller in ipairs(redis.call('SMEMBERS', root .. 'sheet-callers:' .. sheet)) do
    redis.call('DEL', root .. 'sheet-held:' .. sheet .. ':' .. caller)
  end
  for _, part in ipairs({'counts', 'keys', 'free', 'leased', 'callers'}) do
    redis.call('UNLINK', root .. 'sheet-' .. part .. ':' .. sheet)
  end
  redis.call('HDEL', root .. 'sheets-removed', sheet)
end
return {'done', last - first + 1}
`;

/** ARGV: epoch, sheet, key of a number. Deletes its item. */
export const deleteItemScript = `${script}
local id = redis.call('HGET', root .. 'sheet-keys:' .. ARGV[2], ARGV[3])
if not id then return {'done'} end
local item, state, _, _, caller = itemOf(ARGV[2], id)
redis.call('HINCRBY', root .. 'sheet-counts:' .. ARGV[2], state, -1)
redis.call('ZREM', root .. 'sheet-free:' .. ARGV[2], memberOf(id))
redis.call('ZREM', root .. 'sheet-leased:' .. ARGV[2], memberOf(id))
redis.call('ZREM', root .. 'sheet-held:' .. ARGV[2] .. ':' .. caller, memberOf(id))
redis.call('HDEL', root .. 'sheet-keys:' .. ARGV[2], ARGV[3])
redis.call('DEL', item)
return {'done'}
`;
