/**
 * What MemoryStore does, inside Redis: one round trip, and nobody else in between. The time is that of Redis, which is the
 * same for all processes. A key holds the calls that count and the moment of the count, in milliseconds, and expires when
 * none would count any more. Three arguments for each key: period, capacity, interval. Returns the number of the key that
 * refuses, or 0, and the milliseconds to wait.
 */
export const TAKE_SCRIPT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local refused, wait, levels = 0, 0, {}
for i, key in ipairs(KEYS) do
  local period, capacity, interval = tonumber(ARGV[i * 3 - 2]), tonumber(ARGV[i * 3 - 1]), tonumber(ARGV[i * 3])
  local calls, at = 0, now
  local kept = redis.call('GET', key)
  if kept then
    local first, second = string.match(kept, '^(%S+) (%S+)$')
    calls, at = tonumber(first), math.min(now, tonumber(second))
  end
  local missing, life
  if interval > 0 then
    calls = math.max(0, calls - (now - at) / interval)
    at = now
    missing = (calls + 1 - capacity) * interval
    life = (calls + 1) * interval
  else
    if now - at >= period then calls, at = 0, now end
    missing = at + period - now
    life = missing
  end
  if calls + 1 - capacity > 1e-6 and missing > wait then refused, wait = i, missing end
  levels[i] = { string.format('%.9f %.3f', calls + 1, at), math.max(1, math.ceil(life)) }
end
if refused == 0 then
  for i, key in ipairs(KEYS) do redis.call('SET', key, levels[i][1], 'PX', levels[i][2]) end
end
return { refused, math.ceil(wait) }
`;
