-- Appends one event to the log of a game: check the version, store, publish, in one atomic step.
-- KEYS: log (stream), game (hash, also the name of the channel that is told)
-- ARGV: expected version, expected chain ('' for none), new chain, entry id AT-V, entry, frame ('' tells nobody),
--       '1' when this may be the second try of the same append, then fields and values to set in the game's hash
-- Returns 1 when the log holds the event, 0 when the game was at another version.
local head = redis.call('HMGET', KEYS[2], 'v', 'chain')
if (head[1] or '0') ~= ARGV[1] or (head[2] or '') ~= ARGV[2] then
  -- The reply of a first try may have been lost on the way: then the entry is there, and this is no clash.
  local entry = ARGV[7] == '1' and redis.call('XRANGE', KEYS[1], ARGV[4], ARGV[4])[1]
  return entry and entry[2][2] == ARGV[5] and 1 or 0
end
redis.call('XADD', KEYS[1], ARGV[4], 'e', ARGV[5])
redis.call('HSET', KEYS[2], 'v', ARGV[1] + 1, 'chain', ARGV[3], unpack(ARGV, 8))
if ARGV[6] ~= '' then
  redis.call('SPUBLISH', KEYS[2], ARGV[6])
end
return 1
