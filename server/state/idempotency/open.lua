-- Keys that a server may send again and no request works on, oldest first.
-- KEYS: open keys. ARGV: begin of the records' names, begin of the signs of life, now, how many at most.
local now = tonumber(ARGV[3])
local open = {}
local at = 0
while #open < tonumber(ARGV[4]) do
  local keys = redis.call('ZRANGE', KEYS[1], at, at + 99)
  if #keys == 0 then break end
  for _, key in ipairs(keys) do
    local found = redis.call('HMGET', ARGV[1] .. key, 'phase', 'owner', 'lease_until', 'expires_at')
    if not found[1] or found[1] == 'done' or now >= tonumber(found[4]) then
      redis.call('ZREM', KEYS[1], key)
      at = at - 1
    elseif found[1] == 'unknown' or now >= tonumber(found[3])
      or redis.call('EXISTS', ARGV[2] .. found[2]) == 0 then
      if #open < tonumber(ARGV[4]) then open[#open + 1] = key end
    end
  end
  at = at + 100
end
return open
