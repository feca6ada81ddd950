// The rate window of a key in the store: the scripts that count a call in, take one back, and build a window from the usage
// rows. scripts.ts says what an epoch is, and has those of the queues.

/** An unused window expires, and is built again from the database when it is needed. */
export const FORGET_WINDOW_MS = 600_000
/**
 * An unused queue expires. Every call of its key renews it, at most a minute before its ticket comes (ENTER_SCRIPT); every beat
 * renews those in which a ticket waits or has been in flight for long (BEAT).
 */
export const FORGET_QUEUE_MS = 3_600_000

/** `now` in microseconds of the store. */
export const READ_CLOCK = `
  local time = redis.call('TIME')
  local now = time[1] * 1000000 + time[2]
  -- Lua would write a large number with an exponent.
  local function text(number) return string.format('%.0f', number) end
`

// A window is a ring in a hash: an admission is one field, so a call costs the same in a window of 20 and of 100,000.
//   h, t    number of the oldest admission, and of the next one: t − h are in the window
//   o, n    moments of the oldest and of those right behind it, at most COMING; moment of the newest
//   d       number of the first field that was not deleted yet; old ones are deleted many at a time
//   x       when its expiry was last set
//   <number> '<moment> <request>'
export const RING_FUNCTIONS = `
  local function moment(entry) return tonumber(string.match(entry, '^%d+')) end
  -- Takes a window apart, into the set of what is known early.
  local function unroll(window, early)
    local head, tail = unpack(redis.call('HMGET', window, 'h', 't'))
    if not head then return end
    for at = tonumber(head), tonumber(tail) - 1 do
      local entry = redis.call('HGET', window, text(at))
      redis.call('ZADD', early, 'NX', string.match(entry, '^%d+'), string.match(entry, ' (.*)$'))
    end
    redis.call('DEL', window)
    redis.call('PEXPIRE', early, ${FORGET_WINDOW_MS})
  end
  -- Makes a window of it again.
  local function roll(window, early)
    local found = redis.call('ZRANGE', early, 0, -1, 'WITHSCORES')
    redis.call('DEL', window)
    for i = 1, #found, 2 do redis.call('HSET', window, text((i - 1) / 2), text(tonumber(found[i + 1])) .. ' ' .. found[i]) end
    redis.call('HSET', window, 'h', '0', 'd', '0', 't', text(#found / 2), 'x', '0',
      'o', #found > 0 and text(tonumber(found[2])) or '0', 'n', #found > 0 and text(tonumber(found[#found])) or '0')
    redis.call('PEXPIRE', window, ${FORGET_WINDOW_MS})
    redis.call('DEL', early)
  end
`

/** Fields that have left a window and are deleted together. */
const DELETE_BATCH = 32
/** Moments that are read with one command when the oldest admissions leave the window. */
const SPARE_PLACES = 16

// KEYS windows; ARGV for each of them limit, request (empty: nothing is counted), span. A window names no epoch of its own: its
// key does, and where another epoch has begun there is no such key any more (RESTORE_SCRIPT then says so). A process that knows the
// epoch to be closed does not ask. A clock that was set back by more than a second would stop the window: it is then built again.
export const ENTER_SCRIPT = `${READ_CLOCK}
  local function enter(window, limit, request, span)
  local ring = redis.call('HMGET', window, 'h', 't', 'o', 'n', 'd', 'x')
  if not ring[1] then return {'unknown'} end
  local head, tail, newest = tonumber(ring[1]), tonumber(ring[2]), tonumber(ring[4])
  local deleted, expiry = tonumber(ring[5]), tonumber(ring[6])
  if newest - now > 1000000 then
    redis.call('DEL', window)
    return {'unknown'}
  end
  local now = math.max(now, newest)
  local function moments(from, count)
    local fields = {}
    for at = from, from + count - 1 do fields[#fields + 1] = text(at) end
    local entries = redis.call('HMGET', window, unpack(fields))
    for i = 1, count do entries[i] = tonumber(string.match(entries[i], '^%d+')) end
    return entries
  end
  local coming, next, chunk = {}, 1, ${SPARE_PLACES}
  for at in string.gmatch(ring[3], '%d+') do coming[#coming + 1] = tonumber(at) end
  local before, oldest = head, coming[1]
  while head < tail and oldest <= now - span do
    head = head + 1
    if head < tail then
      next = next + 1
      -- As a rule few have left, and after a pause all.
      if next > #coming then coming, next, chunk = moments(head, math.min(tail - head, chunk)), 1, 500 end
      oldest = coming[next]
    end
  end
  local used = tail - head
  local admitted = used < limit
  local counted = admitted and request ~= ''
  if head - deleted >= ${DELETE_BATCH} then
    for from = deleted, head - 1, 500 do
      local fields = {}
      for at = from, math.min(from + 499, head - 1) do fields[#fields + 1] = text(at) end
      redis.call('HDEL', window, unpack(fields))
    end
    deleted = head
  end
  local function upcoming()
    local kept = {}
    for i = next, math.min(next + ${SPARE_PLACES - 1}, #coming) do kept[#kept + 1] = text(coming[i]) end
    return table.concat(kept, ' ')
  end
  if counted then
    if used == 0 then oldest, coming, next = now, {now}, 1 end
    used = used + 1
    if head == before and used > 1 then
      redis.call('HSET', window, 't', text(tail + 1), 'n', text(now), text(tail), text(now) .. ' ' .. request)
    else
      redis.call('HSET', window, 'h', text(head), 't', text(tail + 1), 'o', upcoming(), 'n', text(now), 'd', text(deleted),
        text(tail), text(now) .. ' ' .. request)
    end
  elseif head ~= before then
    redis.call('HSET', window, 'h', text(head), 'o', used > 0 and upcoming() or '0', 'd', text(deleted))
  end
  if math.abs(now - expiry) > ${FORGET_WINDOW_MS * 100} then
    redis.call('PEXPIRE', window, ${FORGET_WINDOW_MS})
    redis.call('HSET', window, 'x', text(now))
    -- The call that is counted here will come to the queue of the same key.
    local queue = string.gsub(window, ':window:', ':queue:', 1)
    redis.call('PEXPIRE', queue, ${FORGET_QUEUE_MS})
  end
  local reset = 0
  if used > 0 then
    -- The one whose leaving makes room: the oldest, or where a lower limit has come, the L-th latest.
    local first = oldest
    if used > limit then first = moments(head + used - limit, 1)[1] end
    reset = first + span - now
  end
  return {'ok', admitted and 1 or 0, used, text(reset), text(now)}
  end
  local replies = {}
  for i, window in ipairs(KEYS) do
    replies[i] = enter(window, tonumber(ARGV[3 * i - 2]), ARGV[3 * i - 1], tonumber(ARGV[3 * i]))
  end
  return replies
`

// KEYS[1] epoch, KEYS[2] window, KEYS[3] early; ARGV[1] the epoch as the process knows it, ARGV[2] whether this is all; then request and age in microseconds, in turn. What a process
// has brought back itself is more exact. If another process has built the window meanwhile, nothing is added.
export const RESTORE_SCRIPT = `${READ_CLOCK}${RING_FUNCTIONS}
  if redis.call('HGET', KEYS[1], 'id') ~= ARGV[1] then return {'rejoin'} end
  if redis.call('EXISTS', KEYS[2]) == 1 then return {'ok'} end
  for i = 3, #ARGV, 2 do redis.call('ZADD', KEYS[3], 'NX', text(now - tonumber(ARGV[i + 1])), ARGV[i]) end
  if ARGV[2] == '1' then roll(KEYS[2], KEYS[3]) else redis.call('PEXPIRE', KEYS[3], ${FORGET_WINDOW_MS}) end
  return {'ok'}
`

// KEYS[1] window, KEYS[2] early. For a call that was refused because it could not be counted. It is among the newest.
export const WITHDRAW_SCRIPT = `${READ_CLOCK}${RING_FUNCTIONS}
  local ring = redis.call('HMGET', KEYS[1], 'h', 't')
  if not ring[1] then
    redis.call('ZREM', KEYS[2], ARGV[1])
    return {'ok'}
  end
  local head, tail = tonumber(ring[1]), tonumber(ring[2])
  local later = {}
  for at = tail - 1, head, -1 do
    local entry = redis.call('HGET', KEYS[1], text(at))
    if string.match(entry, ' (.*)$') == ARGV[1] then
      -- Those behind it move up.
      for i = #later, 1, -1 do redis.call('HSET', KEYS[1], text(at + #later - i), later[i]) end
      redis.call('HDEL', KEYS[1], text(tail - 1))
      redis.call('HSET', KEYS[1], 't', text(tail - 1))
      -- It may have been among those whose moments are known already.
      if tail - 1 > head then
        redis.call('HSET', KEYS[1], 'o', text(moment(redis.call('HGET', KEYS[1], text(head)))))
      end
      return {'ok'}
    end
    -- No process withdraws after so long.
    if now - moment(entry) > 10000000 then return {'ok'} end
    later[#later + 1] = entry
  end
  return {'ok'}
`
