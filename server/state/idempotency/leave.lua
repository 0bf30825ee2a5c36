-- Gives a lease back: to the next one ('unknown'), to the guest alone ('guest'), or with the whole record ('forget').
-- KEYS: the record, open keys. ARGV: key, instance, what, now.
local found = redis.call('HMGET', KEYS[1], 'owner', 'phase')
if found[1] ~= ARGV[2] or found[2] ~= 'working' then return 0 end
if ARGV[3] == 'forget' then
  redis.call('DEL', KEYS[1])
  redis.call('ZREM', KEYS[2], ARGV[1])
else
  if ARGV[3] == 'guest' then redis.call('ZREM', KEYS[2], ARGV[1]) end
  redis.call('HSET', KEYS[1], 'phase', 'unknown', 'lease_until', '0', 'updated_at', ARGV[4])
end
return 1
