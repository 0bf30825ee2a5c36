-- Takes the lease of a key, or tells why it can't be had.
-- KEYS: the record, open keys, this instance's sign of life.
-- ARGV: begin of all such signs, instance, milliseconds that a sign holds, key, hash of the body, body, now, end of the
-- lease, end of the record, milliseconds until then, '1' if a server may send it again by itself.
local found = redis.call('HMGET', KEYS[1], 'expires_at', 'body_hash', 'phase', 'owner', 'lease_until', 'body', 'answer')
local now = tonumber(ARGV[7])
redis.call('SET', KEYS[3], '1', 'PX', ARGV[3])
if not found[1] or now >= tonumber(found[1]) then
  redis.call('DEL', KEYS[1])
  redis.call('HSET', KEYS[1], 'body_hash', ARGV[5], 'body', ARGV[6], 'phase', 'working', 'owner', ARGV[2],
    'lease_until', ARGV[8], 'created_at', ARGV[7], 'updated_at', ARGV[7], 'expires_at', ARGV[9])
  redis.call('PEXPIRE', KEYS[1], ARGV[10])
  if ARGV[11] == '1' then redis.call('ZADD', KEYS[2], ARGV[7], ARGV[4]) end
  return {'new', false}
end
if found[2] ~= ARGV[5] then return {'mismatch', false} end
if found[3] == 'done' then return {'done', found[7]} end
if found[3] == 'working' and now < tonumber(found[5])
  and redis.call('EXISTS', ARGV[1] .. found[4]) == 1 then
  return {'held', false}
end
redis.call('HSET', KEYS[1], 'phase', 'working', 'owner', ARGV[2], 'lease_until', ARGV[8], 'updated_at', ARGV[7])
return {'orphaned', found[6]}
