// The decisions that are made in the store, as Lua scripts. Each script is one atomic decision. The clock is that of the
// store, in microseconds, so that processes whose clocks differ still count one minute and one order.
//
// A run of the store is an EPOCH. A store that was emptied, restarted or failed over has lost some data:
// it begins a new epoch, and everything is kept under the name of its epoch, so that data of an old one is never read. Every
// script names the epoch that it expects; `rejoin` means that there is another, or that the process was silent
// for so long that its tickets were removed. A new epoch is CLOSED and admits no call until all live processes have reported
// what they hold, for 5 s at most. By then, a process that has not reported knows that it lost its slots.
//
//   epoch          hash   id, run (of the server), opens (when it lets calls in)
//   processes      zset   the processes that live, each by when it last said so
//   window:<key>   hash   the admissions of a key's last minute as a ring: what ENTER says. It is there once the database's
//                         memory of it is in
//   early:<key>    zset   what is known of a window that is not there yet: the moment of each request
//   queue:<key>    zset   the tickets of a key by arrival. The first is in flight, all others wait.
//
// A ticket is named <process>:<number>. The ticket of a dead process is removed when it comes to the front of its
// queue, so no list of dead processes is needed.

export const STORE_PREFIX = '{lotline}:'
/** A process that was silent for so long is dead. */
export const DEAD_AFTER_MS = 3_500
/** How long a new epoch waits for processes that hold something. More than DEAD_AFTER_MS. */
export const CLOSED_MS = 5_000
/** An unused window expires, and is built again from the database when it is needed. */
const FORGET_WINDOW_MS = 600_000
/** Queues empty themselves; this is for unused queues that a dead process left. */
const FORGET_QUEUE_MS = 86_400_000

const CLOCK = `
  local time = redis.call('TIME')
  local now = time[1] * 1000000 + time[2]
  -- Lua would write a large number with an exponent.
  local function text(number) return string.format('%.0f', number) end
  local function is_open(opens)
    -- A clock that was set back must not keep it closed.
    return now >= tonumber(opens) or tonumber(opens) - now > ${CLOSED_MS * 1000}
  end
`

// KEYS[1] epoch, ARGV[1] its id as the process knows it.
const EPOCH = `${CLOCK}
  local epoch = redis.call('HMGET', KEYS[1], 'id', 'opens')
  if epoch[1] ~= ARGV[1] then return {'rejoin'} end
  local open = is_open(epoch[2])
`

const LIVES = `
  local function lives(processes, process)
    local beat = redis.call('ZSCORE', processes, process)
    if not beat then return false end
    local age = now - tonumber(beat)
    return age >= -1000000 and age <= ${DEAD_AFTER_MS * 1000}
  end
`

// KEYS[2] processes.
const QUEUE = `${EPOCH}${LIVES}
  local function wake(ticket)
    redis.call('PUBLISH', '${STORE_PREFIX}wake:' .. string.match(ticket, '^[^.]+'), ticket)
  end
  -- The first ticket of a living process. What dead ones left before it is taken out, and whoever comes to the front woken.
  local function front(queue)
    local first = redis.call('ZRANGE', queue, 0, 0)[1]
    local moved = false
    while first and not lives(KEYS[2], string.match(first, '^[^:]+')) do
      redis.call('ZREM', queue, first)
      first = redis.call('ZRANGE', queue, 0, 0)[1]
      moved = true
    end
    if moved and first and open then wake(first) end
    return first
  end
`

// A window is a ring in a hash: an admission is one field, so a call costs the same in a window of 20 and of 100,000.
//   h, t    number of the oldest admission, and of the next one: t − h are in the window
//   o, n    moments of the oldest and of the newest
//   d       number of the first field that was not deleted yet; old ones are deleted many at a time
//   x       when its expiry was last set
//   <number> '<moment> <request>'
const RING = `
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
const DELETED_TOGETHER = 32

// KEYS windows; ARGV for each of them limit, request (empty: nothing is counted), span. A window names no epoch of its own: its key does, and where another epoch has begun there is no such key any more
// (RESTORE then says so). A process that knows the epoch to be closed does not ask. A clock that was set back by more than a
// second would stop the window: it is then built again.
const ENTER = `${CLOCK}
  local function enter(window, limit, request, span)
  local ring = redis.call('HMGET', window, 'h', 't', 'o', 'n', 'd', 'x')
  if not ring[1] then return {'unknown'} end
  local head, tail, oldest, newest = tonumber(ring[1]), tonumber(ring[2]), tonumber(ring[3]), tonumber(ring[4])
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
  local before, read, next, chunk = head, {}, 1, 4
  while head < tail and oldest <= now - span do
    head = head + 1
    if head < tail then
      -- As a rule few have left, and after a pause all.
      if next > #read then read, next, chunk = moments(head, math.min(tail - head, chunk)), 1, 500 end
      oldest, next = read[next], next + 1
    end
  end
  local used = tail - head
  local admitted = used < limit
  local counted = admitted and request ~= ''
  if head - deleted >= ${DELETED_TOGETHER} then
    for from = deleted, head - 1, 500 do
      local fields = {}
      for at = from, math.min(from + 499, head - 1) do fields[#fields + 1] = text(at) end
      redis.call('HDEL', window, unpack(fields))
    end
    deleted = head
  end
  if counted then
    if used == 0 then oldest = now end
    used = used + 1
    redis.call('HSET', window, 'h', text(head), 't', text(tail + 1), 'o', text(oldest), 'n', text(now), 'd', text(deleted),
      text(tail), text(now) .. ' ' .. request)
  elseif head ~= before then
    redis.call('HSET', window, 'h', text(head), 'o', text(oldest), 'd', text(deleted))
  end
  if math.abs(now - expiry) > ${FORGET_WINDOW_MS * 100} then
    redis.call('PEXPIRE', window, ${FORGET_WINDOW_MS})
    redis.call('HSET', window, 'x', text(now))
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

// KEYS[2] window, KEYS[3] early; ARGV[2] whether this is all; then request and age in microseconds, in turn. What a process
// has brought back itself is more exact. Who comes when another has built the window meanwhile has nothing to add.
const RESTORE = `${EPOCH}${RING}
  if redis.call('EXISTS', KEYS[2]) == 1 then return {'ok'} end
  for i = 3, #ARGV, 2 do redis.call('ZADD', KEYS[3], 'NX', text(now - tonumber(ARGV[i + 1])), ARGV[i]) end
  if ARGV[2] == '1' then roll(KEYS[2], KEYS[3]) else redis.call('PEXPIRE', KEYS[3], ${FORGET_WINDOW_MS}) end
  return {'ok'}
`

// KEYS[1] window, KEYS[2] early. For a call that was told that it could not be counted. It is among the newest.
const WITHDRAW = `${CLOCK}${RING}
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
      if at == head and tail - 1 > head then redis.call('HSET', KEYS[1], 'o', text(moment(later[#later]))) end
      return {'ok'}
    end
    -- Nobody withdraws after so long.
    if now - moment(entry) > 10000000 then return {'ok'} end
    later[#later + 1] = entry
  end
  return {'ok'}
`

// KEYS[2] processes, KEYS[3..] queues; ARGV[2] the process, ARGV[3] whether it knows the epoch to be open, then for each queue
// what to do and a ticket's number. One script for both, so that they are done in the order in which a process wants them.
//
// `take`, again with the same number, answers where that ticket stands. Mostly nobody is before it: then it is the first
// whatever its arrival, and needs no clock. Whether the process itself lives is asked where others wait: one that was given
// up knows by itself that its slots are lost.
// `release` gives a slot back, or leaves a place in the queue. Only where somebody else waits is there anything to decide.
const LINE = `
  if redis.call('HGET', KEYS[1], 'id') ~= ARGV[1] then return {'rejoin'} end
  local tools
  -- What is needed only where calls wait for each other.
  local function prepare()
    if tools then return tools end
    ${QUEUE}
    tools = {now = now, open = open, text = text, lives = lives, front = front, wake = wake}
    return tools
  end
  local function take(queue, ticket)
    if ARGV[3] == '1' and #redis.call('ZRANGE', queue, 0, 0) == 0 then
      redis.call('ZADD', queue, 1, ticket)
      redis.call('PEXPIRE', queue, ${FORGET_QUEUE_MS})
      return {'held', '1'}
    end
    local known = prepare()
    if not known.lives(KEYS[2], ARGV[2]) then return {'rejoin'} end
    local first = known.front(queue)
    local last = redis.call('ZRANGE', queue, -1, -1, 'WITHSCORES')
    local arrival = known.now
    if last[1] then arrival = math.max(arrival, tonumber(last[2]) + 1) end
    redis.call('ZADD', queue, 'NX', known.text(arrival), ticket)
    redis.call('PEXPIRE', queue, ${FORGET_QUEUE_MS})
    local is_first = first == nil or first == false or first == ticket
    return {known.open and is_first and 'held' or 'waits', redis.call('ZSCORE', queue, ticket)}
  end
  local function release(queue, ticket)
    local two = redis.call('ZRANGE', queue, 0, 1)
    redis.call('ZREM', queue, ticket)
    if two[1] == ticket and two[2] then
      local known = prepare()
      local next = known.open and known.front(queue)
      if next then known.wake(next) end
    end
    return {'ok'}
  end
  local replies = {}
  for i = 3, #KEYS do
    local act, ticket = ARGV[2 * i - 2], ARGV[2] .. ':' .. ARGV[2 * i - 1]
    replies[i - 2] = act == 'take' and take(KEYS[i], ticket) or release(KEYS[i], ticket)
  end
  return replies
`

// ARGV[3..] the keys for whose slot this process waits. Answers with those of its tickets that are at the front: what a
// lost message did not tell.
const BEAT = `${QUEUE}
  if not lives(KEYS[2], ARGV[2]) then return {'rejoin'} end
  redis.call('ZADD', KEYS[2], text(now), ARGV[2])
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', text(now - ${DEAD_AFTER_MS * 1000}))
  redis.call('PEXPIRE', KEYS[2], ${FORGET_QUEUE_MS})
  local reply = {'ok', open and 1 or 0}
  for i = 3, #ARGV do
    local first = front('${STORE_PREFIX}' .. ARGV[1] .. ':queue:' .. ARGV[i])
    if first and open and string.match(first, '^[^:]+') == ARGV[2] then table.insert(reply, first) end
  end
  return reply
`

// ARGV: known epoch, the server's run, an id for a new epoch, the process's last name and its new one, whether it may still
// believe in its slots, how many tickets; for each of these key, number, whether it is in flight, arrival; then the
// admissions that no usage row remembers yet: key, request, moment.
//
// Semaphore are brought back only when nobody else can have had them since: the epoch is the same and the process was never
// given up, or it is a new one that was closed until now. Who waited keeps its place under the same condition.
const JOIN = `${CLOCK}${LIVES}${RING}
  local known, run, fresh, last_name, name = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
  local epoch = redis.call('HMGET', KEYS[1], 'id', 'run', 'opens')
  local id, opens = epoch[1], epoch[3]
  if not id or epoch[2] ~= run then
    id, opens = fresh, text(now + ${CLOSED_MS * 1000})
    redis.call('HSET', KEYS[1], 'id', id, 'run', run, 'opens', opens)
  end
  local open = is_open(opens)
  local is_new = id ~= known
  local base = '${STORE_PREFIX}' .. id .. ':'
  local processes = base .. 'processes'
  local unbroken = ARGV[6] == '1'
  if is_new then unbroken = unbroken and not open else unbroken = unbroken and lives(processes, last_name) end
  redis.call('ZREM', processes, last_name)
  redis.call('ZADD', processes, text(now), name)
  redis.call('PEXPIRE', processes, ${FORGET_QUEUE_MS})

  local reply = {id, open and 1 or 0, unbroken and 1 or 0}
  local at = 8
  for i = 1, tonumber(ARGV[7]) do
    local queue, number, in_flight, arrival = base .. 'queue:' .. ARGV[at], ARGV[at + 1], ARGV[at + 2] == '1', ARGV[at + 3]
    if not is_new then redis.call('ZREM', queue, last_name .. ':' .. number) end
    -- In a new epoch it must be first, whatever the clocks of the old store and the new one say.
    if in_flight and is_new then arrival = '1' end
    if not in_flight and (arrival == '' or not unbroken) then
      local last = redis.call('ZRANGE', queue, -1, -1, 'WITHSCORES')
      arrival = text(last[1] and math.max(now, tonumber(last[2]) + 1) or now)
    end
    if not in_flight or unbroken then
      redis.call('ZADD', queue, arrival, name .. ':' .. number)
      redis.call('PEXPIRE', queue, ${FORGET_QUEUE_MS})
    end
    table.insert(reply, arrival)
    at = at + 4
  end
  if is_new then
    for i = at, #ARGV, 3 do
      -- The clock of another store may have been ahead.
      local at = math.min(now, tonumber(ARGV[i + 2]))
      local window, early = base .. 'window:' .. ARGV[i], base .. 'early:' .. ARGV[i]
      -- Another process may have built the window already.
      local built = redis.call('EXISTS', window) == 1
      if built then unroll(window, early) end
      redis.call('ZADD', early, 'NX', text(at), ARGV[i + 1])
      redis.call('PEXPIRE', early, ${FORGET_WINDOW_MS})
      if built then roll(window, early) end
    end
  end
  return reply
`

// KEYS[2] processes; ARGV[2..] the processes that live as the database knows them. Answers with those that have not come,
// and opens the epoch when there are none.
const OPEN = `${EPOCH}${LIVES}
  local here = {}
  for _, process in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1)) do
    if lives(KEYS[2], process) then here[string.match(process, '^[^.]+')] = true end
  end
  local reply = {'ok'}
  for i = 2, #ARGV do if not here[ARGV[i]] then table.insert(reply, ARGV[i]) end end
  if #reply == 1 and not open then redis.call('HSET', KEYS[1], 'opens', '0') end
  return reply
`

// KEYS[2] processes. All its tickets are dead from now on.
const LEAVE = `${EPOCH}
  redis.call('ZREM', KEYS[2], ARGV[2])
  return {'ok'}
`

/** `numberOfKeys` are the KEYS of each call, where they are always as many; queues and windows that JOIN and BEAT name share the prefix's hash slot. */
export const SCRIPTS = {
  enter: { lua: ENTER },
  restore: { lua: RESTORE, numberOfKeys: 3 },
  withdraw: { lua: WITHDRAW, numberOfKeys: 2 },
  line: { lua: LINE },
  beat: { lua: BEAT, numberOfKeys: 2 },
  join: { lua: JOIN, numberOfKeys: 1 },
  open: { lua: OPEN, numberOfKeys: 2 },
  leave: { lua: LEAVE, numberOfKeys: 2 },
} as const

export type ScriptName = keyof typeof SCRIPTS

export const EPOCH_KEY = `${STORE_PREFIX}epoch`

/** Names of what is kept under an epoch. */
export const storeKeys = {
  processes: (epoch: string) => `${STORE_PREFIX}${epoch}:processes`,
  window: (epoch: string, keyId: string) => `${STORE_PREFIX}${epoch}:window:${keyId}`,
  early: (epoch: string, keyId: string) => `${STORE_PREFIX}${epoch}:early:${keyId}`,
  queue: (epoch: string, keyId: string) => `${STORE_PREFIX}${epoch}:queue:${keyId}`,
  /** The channel that notifies a process that one of its tickets is at the front. */
  wake: (token: string) => `${STORE_PREFIX}wake:${token}`,
}
