-- Writes the whole log of a new game, and all that is known of it. One atomic step.
-- KEYS: its log (stream) and its game (hash)
-- ARGV: how many arguments the fields of the game take; its fields, each name and value; then the entries, each AT-V and
--       entry
-- Returns 1 when the store holds this game, 0 when it holds another of that id.
local log, game = KEYS[1], KEYS[2]
local last = tonumber(ARGV[1]) + 1
local fields = {}
for i = 2, last do
  fields[i - 1] = ARGV[i]
end
if redis.call('EXISTS', log, game) > 0 then
  -- The reply of a first try may have been lost on the way: `v` and `chain` are the first two fields.
  local head = redis.call('HMGET', game, fields[1], fields[3])
  return head[1] == fields[2] and head[2] == fields[4] and 1 or 0
end
for i = last + 1, #ARGV, 2 do
  redis.call('XADD', log, ARGV[i], 'e', ARGV[i + 1])
end
redis.call('HSET', game, unpack(fields))
return 1
