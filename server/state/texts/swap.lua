-- Writes a text if it still has the expected version; 0 is one that is not there.
-- KEYS: the text. ARGV: expected version, version, body, milliseconds to live.
local version = redis.call('HGET', KEYS[1], 'version') or '0'
if version ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'version', ARGV[2], 'body', ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1
