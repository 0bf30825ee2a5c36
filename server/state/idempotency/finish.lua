-- Writes the definite answer of a key; one that has an answer keeps it.
-- KEYS: the record, open keys. ARGV: key, answer, now, end of the record, milliseconds until then.
local phase = redis.call('HGET', KEYS[1], 'phase')
redis.call('ZREM', KEYS[2], ARGV[1])
if not phase or phase == 'done' then return 0 end
redis.call('HSET', KEYS[1], 'phase', 'done', 'answer', ARGV[2], 'updated_at', ARGV[3], 'expires_at', ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[5])
return 1
