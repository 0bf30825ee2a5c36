-- Whether this program may work here. KEYS: schema, secrets. ARGV: our schema, our secret's mark, that of the one before.
local schema = tonumber(redis.call('GET', KEYS[1]) or '0')
if schema > tonumber(ARGV[1]) then return {'newer', tostring(schema)} end
local mark = redis.call('GET', KEYS[2])
if mark and mark ~= ARGV[2] and mark ~= ARGV[3] then return {'secrets', ''} end
redis.call('SET', KEYS[1], ARGV[1])
redis.call('SET', KEYS[2], ARGV[2])
return {'welcome', ''}
