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
//   window:<key>   zset   the admissions of a key's last minute, and `known` once the database's memory of it is in
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

// KEYS[2] window. A clock that was set back by more than a second would stop the window: it is then built again.
const ENTER = `${EPOCH}
  if not open then return {'closed'} end
  if redis.call('ZRANGE', KEYS[2], 0, 0)[1] ~= 'known' then return {'unknown'} end
  local newest = tonumber(redis.call('ZRANGE', KEYS[2], -1, -1, 'WITHSCORES')[2])
  if newest - now > 1000000 then
    redis.call('DEL', KEYS[2])
    return {'unknown'}
  end
  now = math.max(now, newest)
  local limit, request, span = tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4])
  redis.call('ZREMRANGEBYSCORE', KEYS[2], 1, text(now - span))
  local used = redis.call('ZCARD', KEYS[2]) - 1
  local admitted = used < limit
  if admitted and request ~= '' then
    redis.call('ZADD', KEYS[2], text(now), request)
    used = used + 1
  end
  redis.call('PEXPIRE', KEYS[2], ${FORGET_WINDOW_MS})
  local reset = 0
  if used > 0 then
    -- The one whose leaving makes room: the oldest, or where a lower limit has come, the L-th latest.
    local rank = math.max(1, used - limit + 1)
    reset = tonumber(redis.call('ZRANGE', KEYS[2], rank, rank, 'WITHSCORES')[2]) + span - now
  end
  return {'ok', admitted and 1 or 0, used, text(reset), text(now)}
`

// KEYS[2] window; ARGV[2] whether this is all; then request and age in microseconds, in turn. What a process has brought
// back itself is more exact.
const RESTORE = `${EPOCH}
  if ARGV[2] == '1' then redis.call('ZADD', KEYS[2], 0, 'known') end
  for i = 3, #ARGV, 2 do redis.call('ZADD', KEYS[2], 'NX', text(now - tonumber(ARGV[i + 1])), ARGV[i]) end
  redis.call('PEXPIRE', KEYS[2], ${FORGET_WINDOW_MS})
  return {'ok'}
`

// KEYS[2] window. For a call that was told that it could not be counted.
const WITHDRAW = `${EPOCH}
  redis.call('ZREM', KEYS[2], ARGV[2])
  return {'ok'}
`

// KEYS[3] queue. Asked again with the same number, it answers where that ticket stands.
const TAKE = `${QUEUE}
  local ticket = ARGV[2] .. ':' .. ARGV[3]
  if not lives(KEYS[2], ARGV[2]) then return {'rejoin'} end
  local first = front(KEYS[3])
  local last = redis.call('ZRANGE', KEYS[3], -1, -1, 'WITHSCORES')
  local arrival = now
  if last[1] then arrival = math.max(now, tonumber(last[2]) + 1) end
  redis.call('ZADD', KEYS[3], 'NX', text(arrival), ticket)
  redis.call('PEXPIRE', KEYS[3], ${FORGET_QUEUE_MS})
  local is_first = first == nil or first == false or first == ticket
  return {open and is_first and 'held' or 'waits', redis.call('ZSCORE', KEYS[3], ticket)}
`

// KEYS[3] queue. For a slot that is given back and for a place in the queue that is left.
const RELEASE = `${QUEUE}
  local first = redis.call('ZRANGE', KEYS[3], 0, 0)[1]
  redis.call('ZREM', KEYS[3], ARGV[2])
  if first == ARGV[2] and open then
    local next = front(KEYS[3])
    if next then wake(next) end
  end
  return {'ok'}
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
const JOIN = `${CLOCK}${LIVES}
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
      redis.call('ZADD', base .. 'window:' .. ARGV[i], 'NX', text(at), ARGV[i + 1])
      redis.call('PEXPIRE', base .. 'window:' .. ARGV[i], ${FORGET_WINDOW_MS})
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

/** `numberOfKeys` are the KEYS of each call; queues and windows that JOIN and BEAT name share the prefix's hash slot. */
export const SCRIPTS = {
  enter: { lua: ENTER, numberOfKeys: 2 },
  restore: { lua: RESTORE, numberOfKeys: 2 },
  withdraw: { lua: WITHDRAW, numberOfKeys: 2 },
  take: { lua: TAKE, numberOfKeys: 3 },
  release: { lua: RELEASE, numberOfKeys: 3 },
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
  queue: (epoch: string, keyId: string) => `${STORE_PREFIX}${epoch}:queue:${keyId}`,
  /** The channel that notifies a process that one of its tickets is at the front. */
  wake: (token: string) => `${STORE_PREFIX}wake:${token}`,
}
