/*
 * Keys, below the prefix P: `task:<id>` (a record), `key:<hash>` (the id that was created with an idempotency key), and
 * sorted sets of ids: `all`, `owner:<hash>`, `status:<status>` and `dead` by time of creation, `looked` (working tasks, by when
 * they were looked at) and `expiry` (owner and id, by when they expire). Redis forgets records itself; what is left of them in
 * the sets is removed a few at a time, with every change.
 *
 * Scripts build keys from P. All have the app's hash tag, and so are in one place of a Redis Cluster.
 */
const COMMON = `
local P = KEYS[1]
local call = redis.call

local function in_ms(ms)
  local time = call('TIME')
  return string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000) + ms)
end

local function trim(count)
  local now = in_ms(0)
  local due = call('ZRANGEBYSCORE', P .. ':expiry', '-inf', now, 'LIMIT', 0, count)
  for _, member in ipairs(due) do
    local owner, id = string.match(member, '^(%x*) (.*)$')
    call('ZREM', P .. ':owner:' .. owner, id)
    for _, name in ipairs({ 'all', 'dead', 'looked', 'status:working', 'status:input_required',
        'status:completed', 'status:failed', 'status:cancelled' }) do
      call('ZREM', P .. ':' .. name, id)
    end
    call('ZREM', P .. ':expiry', member)
  end
  return #due
end

local function index(id, owner, status, dead, created, looked)
  call('ZADD', P .. ':status:' .. status, created, id)
  if dead == '1' then call('ZADD', P .. ':dead', created, id) else call('ZREM', P .. ':dead', id) end
  if status == 'working' then call('ZADD', P .. ':looked', looked, id) else call('ZREM', P .. ':looked', id) end
end

local function expire(id, owner, key, ttl)
  if ttl == '' then return end
  local at = in_ms(tonumber(ttl))
  call('PEXPIREAT', P .. ':task:' .. id, at)
  if key ~= '' then call('PEXPIREAT', P .. ':key:' .. key, at) end
  call('ZADD', P .. ':expiry', at, owner .. ' ' .. id)
end
`;

/** Arguments: id, version, status, dead, created, time to live, looked, owner, key, and the fields with their values. */
const CREATE = `${COMMON}
local id, version, status, dead, created, ttl, looked, owner, key = unpack(ARGV, 1, 9)
trim(16)
local task = P .. ':task:' .. id
local found = call('EXISTS', task) == 1 and task
if not found and key ~= '' then
  local other = call('GET', P .. ':key:' .. key)
  found = other and call('EXISTS', P .. ':task:' .. other) == 1 and P .. ':task:' .. other
end
if found then return call('HMGET', found, 'head', 'call', 'questions', 'answers', 'outcome') end
call('HSET', task, 'version', version, 'status', status, 'created', created, 'owner', owner, unpack(ARGV, 10))
if key ~= '' then call('SET', P .. ':key:' .. key, id) end
call('ZADD', P .. ':all', created, id)
call('ZADD', P .. ':owner:' .. owner, created, id)
index(id, owner, status, dead, created, looked)
expire(id, owner, key, ttl)
return false
`;

/** Arguments: the channel, id, version, status, dead, looked, and the fields with their values. */
const REPLACE = `${COMMON}
local channel, id, version, status, dead, looked = unpack(ARGV, 1, 6)
trim(4)
local task = P .. ':task:' .. id
local before, was, created, owner = unpack(call('HMGET', task, 'version', 'status', 'created', 'owner'))
if not before or tonumber(before) ~= tonumber(version) - 1 then return 0 end
call('HSET', task, 'version', version, 'status', status, unpack(ARGV, 7))
if was ~= status then call('ZREM', P .. ':status:' .. was, id) end
index(id, owner, status, dead, created, looked)
call('PUBLISH', channel, id)
return 1
`;

/** Arguments: before, limit, now. */
const STALE = `${COMMON}
trim(1000)
local heads = {}
for _, id in ipairs(call('ZRANGEBYSCORE', P .. ':looked', '-inf', '(' .. ARGV[1], 'LIMIT', 0, ARGV[2])) do
  local head = call('HGET', P .. ':task:' .. id, 'head')
  if head then
    heads[#heads + 1] = head
    call('ZADD', P .. ':looked', ARGV[3], id)
  else
    call('ZREM', P .. ':looked', id)
  end
end
return heads
`;

/** Arguments: the name of a set, the first, the last. Returns how many ids there were, and the heads. */
const LIST = `${COMMON}
local ids = call('ZREVRANGE', P .. ':' .. ARGV[1], ARGV[2], ARGV[3])
local heads = {}
for _, id in ipairs(ids) do
  local head = call('HGET', P .. ':task:' .. id, 'head')
  if head then heads[#heads + 1] = head end
end
return { #ids, heads }
`;

/** Returns whether there is more to trim; then how many, in the order of the arguments; and when the oldest was created. */
const STATS = `${COMMON}
if trim(1000) == 1000 then return { 1 } end
local counts = { 0 }
for _, name in ipairs(ARGV) do counts[#counts + 1] = call('ZCARD', P .. ':' .. name) end
counts[#counts + 1] = call('ZRANGE', P .. ':status:working', 0, 0, 'WITHSCORES')[2] or ''
return counts
`;

/** Each is atomic. */
export const SCRIPTS = { taskCreate: CREATE, taskReplace: REPLACE, taskStale: STALE, taskList: LIST, taskStats: STATS };
