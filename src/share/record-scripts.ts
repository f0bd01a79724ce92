/** Inside Redis: one round trip, and nobody else in between. */

/** Arguments: value, time to live. Returns the value that is there afterwards. */
const ADD = `
redis.call('SET', KEYS[1], ARGV[1], 'NX')
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return redis.call('GET', KEYS[1])
`;

/** Arguments: time to live, then names and values. */
const CREATE = `
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], unpack(ARGV, 2))
return redis.call('PEXPIRE', KEYS[1], ARGV[1])
`;

/** Arguments: time to live, how many names, the names, then names and values of claims. Returns nil if the record is gone. */
const KEEP = `
if redis.call('PEXPIRE', KEYS[1], ARGV[1]) == 0 then return nil end
local names = tonumber(ARGV[2])
for i = 3 + names, #ARGV, 2 do
  if (redis.call('HGET', KEYS[1], ARGV[i]) or '') == '' then redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
end
if names == 0 then return {} end
return redis.call('HMGET', KEYS[1], unpack(ARGV, 3, 2 + names))
`;

/** Arguments: name, value, how many fields there may be. Returns 0 if the record is gone or full. */
const PUT = `
local size = redis.call('HLEN', KEYS[1])
if size == 0 then return 0 end
if size >= tonumber(ARGV[3]) and redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return 1
`;

export const SCRIPTS = {
  addValue: { lua: ADD, numberOfKeys: 1 },
  createRecord: { lua: CREATE, numberOfKeys: 1 },
  keepRecord: { lua: KEEP, numberOfKeys: 1 },
  putField: { lua: PUT, numberOfKeys: 1 },
} as const;

type Script<T> = (key: string, ...rest: readonly (string | number)[]) => Promise<T>;

export interface RecordScripts {
  readonly addValue: Script<string>;
  readonly createRecord: Script<number>;
  readonly keepRecord: Script<(string | null)[] | null>;
  readonly putField: Script<number>;
}
