-- Changes a session's row if there was no write to it since it was read, and what belongs to that change.
-- KEYS: the row, a new row, a cart, the name of its copy.
-- ARGV: the row's expected version; what becomes of it: stays, becomes, goes; the row (data, touched_at, idle_until,
-- ends_at, milliseconds to live); '1' with a new row, which follows in the same way; '1' with a copy.
if redis.call('HGET', KEYS[1], 'version') ~= ARGV[1] then return 0 end
local function put(key, at)
  redis.call('HSET', key, 'data', ARGV[at], 'touched_at', ARGV[at + 1], 'idle_until', ARGV[at + 2],
    'ends_at', ARGV[at + 3])
  redis.call('HINCRBY', key, 'version', 1)
  redis.call('PEXPIRE', key, ARGV[at + 4])
end
if ARGV[8] == '1' then put(KEYS[2], 9) end
if ARGV[14] == '1' then redis.call('COPY', KEYS[3], KEYS[4]) end
if ARGV[2] == 'becomes' then put(KEYS[1], 3) end
if ARGV[2] == 'goes' then redis.call('DEL', KEYS[1]) end
return 1
