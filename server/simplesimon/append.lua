-- Appends events to the logs of games: for each, check the version, store, publish. One atomic step for all of them.
-- KEYS: for each, its log (stream) and its game (hash, whose name is also that of the channel that is told)
-- ARGV: '1' when this may be the second try of the same appends; then for each: expected version, expected chain ('' for
--       none), new chain, entry id AT-V, entry, frame, how many of the channel's listeners need not be told (the worker
--       itself, if it is one; 'all' publishes to a cluster, 'none' not at all: replicas must have it first), and of a new
--       game its player and visibility, or ''
-- Returns for each 1 when the log holds the event, 0 when the game was at another version, or what is wrong with its keys.
local answers = {}
for i = 0, #KEYS / 2 - 1 do
  local log, game = KEYS[2 * i + 1], KEYS[2 * i + 2]
  local version, chain, new_chain, id, event, frame, told, by, visibility = unpack(ARGV, 9 * i + 2, 9 * i + 10)
  local head = redis.pcall('HMGET', game, 'v', 'chain')
  local answer = 1
  if head.err then
    answer = head
  elseif (head[1] or '0') ~= version or (head[2] or '') ~= chain then
    -- The reply of a first try may have been lost on the way: then the entry is there, and this is no clash.
    local entry = ARGV[1] == '1' and redis.pcall('XRANGE', log, id, id)[1]
    answer = entry and entry[2][2] == event and 1 or 0
    if answer == 1 and told == 'none' then
      local changed = redis.pcall('HINCRBY', game, 'v', 0) -- WAIT, which comes next, needs something to wait for
      answer = type(changed) == 'table' and changed or 1
    end
  else
    local added = redis.pcall('XADD', log, id, 'e', event)
    if added.err then
      answer = added
    else
      redis.call('HSET', game, 'v', version + 1, 'chain', new_chain)
      if by ~= '' then
        redis.call('HSET', game, 'by', by, 'visibility', visibility)
      end
      -- only a hint, so a failure is passed over: the event is in the log, whoever hears of it
      if told == 'all' then
        redis.pcall('PUBLISH', game, frame)
      elseif told ~= 'none' then
        local heard = redis.pcall('PUBSUB', 'SHARDNUMSUB', game)[2]
        if not heard or heard > tonumber(told) then
          redis.pcall('SPUBLISH', game, frame)
        end
      end
    end
  end
  answers[i + 1] = answer
end
return answers
