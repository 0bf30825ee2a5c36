-- Counts one of each allowance, or tells how many milliseconds to wait and counts none (GCRA, by this server's clock).
-- KEYS: the allowances. ARGV: for each, how many may come at once, milliseconds until one more may.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local due = {}
for n, key in ipairs(KEYS) do
  local burst, pause = tonumber(ARGV[2 * n - 1]), tonumber(ARGV[2 * n])
  due[n] = math.max(now, tonumber(redis.call('GET', key) or '0'))
  local wait = due[n] - (burst - 1) * pause - now
  if wait > 0 then return math.ceil(wait) end
end
for n, key in ipairs(KEYS) do
  local next = due[n] + tonumber(ARGV[2 * n])
  redis.call('SET', key, string.format('%.3f', next), 'PX', math.ceil(next - now))
end
return 0
