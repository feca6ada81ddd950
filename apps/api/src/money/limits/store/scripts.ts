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
//   queue:<key>    list   a mark, then the tickets of a key by arrival. The first is in flight, all others wait
//   order:<key>    zset   while an epoch is closed: the arrivals of those tickets, by which tickets of other processes that
//                         come later find their places
//
// A ticket is named <process>:<number>. The ticket of a dead process is removed when it comes to the front of its
// queue, so no list of dead processes is needed.
//
// The mark keeps the list of an empty queue, so that a ticket can be added by one plain command: RPUSHX adds nothing where
// there is no list, as after a flush or in another epoch, and its answer says how many are before the ticket.

import {
  ENTER_SCRIPT,
  FORGET_QUEUE_MS,
  FORGET_WINDOW_MS,
  READ_CLOCK,
  RESTORE_SCRIPT,
  RING_FUNCTIONS,
  WITHDRAW_SCRIPT,
} from './window-scripts.ts'

/** A process is dead after this time without a heartbeat. */
export const DEAD_AFTER_MS = 3_500
/** How long a new epoch waits for processes that hold tickets or admissions. More than DEAD_AFTER_MS. */
const CLOSED_MS = 5_000
const FORGET_PROCESSES_MS = 86_400_000
/** Expiry of the arrivals, which are needed only while an epoch is closed. */
const FORGET_ORDER_MS = 60_000

const CHECK_OPEN = `
  local function is_open(opens)
    -- A clock that was set back must not keep it closed.
    return now >= tonumber(opens) or tonumber(opens) - now > ${CLOSED_MS * 1000}
  end
  -- What all names begin with (store-keys.ts).
  local prefix = string.sub(KEYS[1], 1, -6)
`

// KEYS[1] epoch, ARGV[1] its id as the process knows it.
const READ_EPOCH = `${READ_CLOCK}${CHECK_OPEN}
  local epoch = redis.call('HMGET', KEYS[1], 'id', 'opens')
  local known = epoch[1] == ARGV[1]
  local open = known and is_open(epoch[2])
`

const REJOIN_UNLESS_OPEN = `
  if not known then return {'rejoin'} end
`

const DEFINE_LIVES = `
  local function lives(processes, process)
    local beat = redis.call('ZSCORE', processes, process)
    if not beat then return false end
    local age = now - tonumber(beat)
    return age >= -1000000 and age <= ${DEAD_AFTER_MS * 1000}
  end
`

// KEYS[2] processes.
const QUEUE_FUNCTIONS = `${READ_EPOCH}${DEFINE_LIVES}
  local function wake(ticket)
    redis.call('PUBLISH', prefix .. 'wake:' .. string.match(ticket, '^[^.]+'), ticket)
  end
  -- The first ticket of a living process. What dead ones left before it is taken out, and the ticket that is now the first is woken.
  local function front(queue)
    local first = redis.call('LINDEX', queue, 1)
    local moved = false
    while first and not lives(KEYS[2], string.match(first, '^[^:]+')) do
      redis.call('LREM', queue, 1, first)
      first = redis.call('LINDEX', queue, 1)
      moved = true
    end
    if moved and first and open then wake(first) end
    return first
  end
`

// KEYS[2] processes, KEYS[3..] queues; ARGV[2] the process, ARGV[3] whether it knows the epoch to be open, then for each queue
// what to do and a ticket's number. One script for both, so that they are done in the order in which a process wants them.
//
// `take` is for a ticket that the store does not have yet; `again` adds one if need be, and answers where it stands. Mostly no ticket is before it: then it is the first
// whatever its arrival, and needs no clock; a queue that exists under the name of an epoch proves the epoch. Whether the
// process itself lives is asked where others wait: one whose lease expired knows by itself that its slots are lost.
// `release` gives a slot back, or leaves a place in the queue. Only where somebody else waits is there anything to decide.
const WAIT_QUEUE_SCRIPT = `
  local tools
  -- What is needed only where calls wait for each other, and for the first call of a key.
  local function prepare()
    if tools then return tools end
    ${QUEUE_FUNCTIONS}
    tools = {known = known, now = now, open = open, text = text, lives = lives, front = front, wake = wake}
    return tools
  end
  local function take(queue, ticket, act)
    if ARGV[3] == '1' and act == 'take' and redis.call('RPUSHX', queue, ticket) == 2 then return {'held', '1'} end
    local is = prepare()
    if not is.known or not is.lives(KEYS[2], ARGV[2]) then return {'rejoin'} end
    if redis.call('EXISTS', queue) == 0 then redis.call('RPUSH', queue, 'q') end
    if not redis.call('LPOS', queue, ticket) then redis.call('RPUSH', queue, ticket) end
    redis.call('PEXPIRE', queue, ${FORGET_QUEUE_MS})
    local arrival = is.now
    if not is.open then
      local order = string.gsub(queue, ':queue:', ':order:', 1)
      local last = redis.call('ZRANGE', order, -1, -1, 'WITHSCORES')
      if last[1] then arrival = math.max(arrival, tonumber(last[2]) + 1) end
      redis.call('ZADD', order, 'NX', is.text(arrival), ticket)
      redis.call('PEXPIRE', order, ${FORGET_ORDER_MS})
    end
    return {is.front(queue) == ticket and is.open and 'held' or 'waits', is.text(arrival)}
  end
  local function release(queue, ticket)
    local two = redis.call('LRANGE', queue, 1, 2)
    if not two[1] then return {'ok'} end
    redis.call('LREM', queue, 1, ticket)
    if two[1] == ticket and two[2] then
      local is = prepare()
      local next = is.open and is.front(queue)
      if next then is.wake(next) end
    end
    return {'ok'}
  end
  local replies = {}
  for i = 3, #KEYS do
    local act, ticket = ARGV[2 * i - 2], ARGV[2] .. ':' .. ARGV[2 * i - 1]
    replies[i - 2] = act == 'release' and release(KEYS[i], ticket) or take(KEYS[i], ticket, act)
  end
  return replies
`

// ARGV[3..] the keys for whose slot this process waits, or that it has held for long. Answers with those of its tickets that
// are at the front: what a lost message did not tell.
const HEARTBEAT_SCRIPT = `${QUEUE_FUNCTIONS}${REJOIN_UNLESS_OPEN}
  if not lives(KEYS[2], ARGV[2]) then return {'rejoin'} end
  redis.call('ZADD', KEYS[2], text(now), ARGV[2])
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', text(now - ${DEAD_AFTER_MS * 1000}))
  redis.call('PEXPIRE', KEYS[2], ${FORGET_PROCESSES_MS})
  local reply = {'ok', open and 1 or 0}
  for i = 3, #ARGV do
    local queue = prefix .. ARGV[1] .. ':queue:' .. ARGV[i]
    local first = front(queue)
    redis.call('PEXPIRE', queue, ${FORGET_QUEUE_MS})
    if first and open and string.match(first, '^[^:]+') == ARGV[2] then table.insert(reply, first) end
  end
  return reply
`

// ARGV: known epoch, the server's run, an id for a new epoch, the process's last name and its new one, whether it may still
// believe in its slots, how many tickets; for each of these key, number, whether it is in flight, arrival; then the
// admissions that no usage row remembers yet: key, request, moment.
//
// A slot is brought back only when no other call can have had it since: the epoch is the same and the process was never
// removed, or it is a new one that was closed until now. A call that waited keeps its place under the same condition.
const JOIN_SCRIPT = `${READ_CLOCK}${CHECK_OPEN}${DEFINE_LIVES}${RING_FUNCTIONS}
  local known, run, fresh, last_name, name = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
  local epoch = redis.call('HMGET', KEYS[1], 'id', 'run', 'opens')
  local id, opens = epoch[1], epoch[3]
  if not id or epoch[2] ~= run then
    id, opens = fresh, text(now + ${CLOSED_MS * 1000})
    redis.call('HSET', KEYS[1], 'id', id, 'run', run, 'opens', opens)
  end
  local open = is_open(opens)
  local is_new = id ~= known
  local base = prefix .. id .. ':'
  local processes = base .. 'processes'
  local unbroken = ARGV[6] == '1'
  if is_new then unbroken = unbroken and not open else unbroken = unbroken and lives(processes, last_name) end
  redis.call('ZREM', processes, last_name)
  redis.call('ZADD', processes, text(now), name)
  redis.call('PEXPIRE', processes, ${FORGET_PROCESSES_MS})

  local reply = {id, open and 1 or 0, unbroken and 1 or 0}
  local keys, tickets_of = {}, {}
  local at = 8
  for i = 1, tonumber(ARGV[7]) do
    local key, arrival = ARGV[at], ARGV[at + 3]
    local in_flight = ARGV[at + 2] == '1'
    -- In a new epoch it must be first, whatever the clocks of the old store and the new one say.
    if in_flight and is_new then arrival = '1' end
    if not in_flight and (arrival == '' or not unbroken) then arrival = text(now) end
    if not tickets_of[key] then
      keys[#keys + 1], tickets_of[key] = key, {}
    end
    table.insert(tickets_of[key], {number = ARGV[at + 1], in_flight = in_flight, arrival = arrival})
    table.insert(reply, arrival)
    at = at + 4
  end

  -- The tickets of a queue as they are to be, where those of this process join those that are there.
  local function in_places(key, there)
    local order = base .. 'order:' .. key
    local arrivals = {}
    if not open then
      local found = redis.call('ZRANGE', order, 0, -1, 'WITHSCORES')
      for i = 1, #found, 2 do arrivals[found[i]] = tonumber(found[i + 1]) end
    end
    local function keep(ticket, arrival)
      if open then return end
      redis.call('ZADD', order, text(arrival), ticket)
      redis.call('PEXPIRE', order, ${FORGET_ORDER_MS})
    end
    if is_new and unbroken then
      local all = {}
      for i, ticket in ipairs(there) do all[i] = {ticket, arrivals[ticket] or now, i} end
      for _, ticket in ipairs(tickets_of[key]) do
        local named = name .. ':' .. ticket.number
        table.insert(all, {named, tonumber(ticket.arrival), #all + 1})
        keep(named, tonumber(ticket.arrival))
      end
      table.sort(all, function(a, b)
        if a[2] ~= b[2] then return a[2] < b[2] end
        return a[3] < b[3]
      end)
      for i, entry in ipairs(all) do all[i] = entry[1] end
      return all
    end
    -- They keep the places that they have, under the new name, or come last.
    local renamed = {}
    for _, ticket in ipairs(tickets_of[key]) do
      if unbroken then renamed[last_name .. ':' .. ticket.number] = ticket end
    end
    local all = {}
    for _, ticket in ipairs(there) do
      local own = renamed[ticket]
      if own then
        own.placed = true
        all[#all + 1] = name .. ':' .. own.number
        if arrivals[ticket] then keep(all[#all], arrivals[ticket]) end
      elseif string.match(ticket, '^[^:]+') ~= last_name then
        all[#all + 1] = ticket
      end
    end
    for _, ticket in ipairs(tickets_of[key]) do
      local named = name .. ':' .. ticket.number
      if not ticket.placed and not ticket.in_flight then
        all[#all + 1] = named
        keep(named, tonumber(ticket.arrival))
      elseif not ticket.placed and unbroken then
        table.insert(all, 1, named)
        keep(named, 1)
      end
    end
    return all
  end
  for _, key in ipairs(keys) do
    local queue = base .. 'queue:' .. key
    local tickets = in_places(key, redis.call('LRANGE', queue, 1, -1))
    redis.call('DEL', queue)
    redis.call('RPUSH', queue, 'q')
    for i = 1, #tickets, 500 do redis.call('RPUSH', queue, unpack(tickets, i, math.min(i + 499, #tickets))) end
    redis.call('PEXPIRE', queue, ${FORGET_QUEUE_MS})
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
const OPEN_SCRIPT = `${READ_EPOCH}${REJOIN_UNLESS_OPEN}${DEFINE_LIVES}
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
const LEAVE_SCRIPT = `${READ_EPOCH}${REJOIN_UNLESS_OPEN}
  redis.call('ZREM', KEYS[2], ARGV[2])
  return {'ok'}
`

/** `numberOfKeys` are the KEYS of each call, where they are always as many; JOIN_SCRIPT and HEARTBEAT_SCRIPT name more queues and windows in their values. */
export const SCRIPTS = {
  enter: { lua: ENTER_SCRIPT },
  restore: { lua: RESTORE_SCRIPT, numberOfKeys: 3 },
  withdraw: { lua: WITHDRAW_SCRIPT, numberOfKeys: 2 },
  line: { lua: WAIT_QUEUE_SCRIPT },
  beat: { lua: HEARTBEAT_SCRIPT, numberOfKeys: 2 },
  join: { lua: JOIN_SCRIPT, numberOfKeys: 1 },
  open: { lua: OPEN_SCRIPT, numberOfKeys: 2 },
  leave: { lua: LEAVE_SCRIPT, numberOfKeys: 2 },
} as const

export type ScriptName = keyof typeof SCRIPTS
