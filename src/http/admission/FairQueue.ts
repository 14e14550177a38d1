/**
 * A bounded queue in front of a fixed number of slots of this process. Accounts take turns, their parties take turns
 * within them (round-robin), and one party never holds more than its share of the slots.
 */
import { type Cause, Effect, type Option } from "effect"

/** Sizes of a fair queue. */
export interface FairQueueOptions {
  /** Effects that run at once. */
  readonly slots: number
  /** Effects of one party that run at once. */
  readonly slotsPerParty: number
  /** Effects of one party that may wait for a slot. */
  readonly maxWaiting: number
  /** The longest wait for a slot. */
  readonly timeoutMillis: number
}

interface Waiter {
  readonly owner: string
  readonly party: string
  /** Monotonic milliseconds after which it waits no longer. */
  readonly until: number
  isStarted: boolean
  /** Ends the wait; does nothing before the wait begins, and after it has ended. */
  resume: () => void
}

/** Runs effects in slots, in fair turns. */
export interface FairQueue {
  /** Runs the effect in a slot of the party `whose`; none if too many of its effects wait already, or the wait timed out. */
  readonly withSlot: <A, E, R>(
    whose: { readonly ownerId: string; readonly id: string },
    effect: Effect.Effect<A, E, R>
  ) => Effect.Effect<Option.Option<A>, E, R>
}

/** Makes an empty queue. Waits are timed by the real clock, and end up to a tenth too late. */
export const makeFairQueue = ({
  timeoutMillis,
  slots,
  slotsPerParty,
  maxWaiting
}: FairQueueOptions): FairQueue => {
  /** Waiting effects by account and party, in the order of their turns. */
  const queues = new Map<string, Map<string, Array<Waiter>>>()
  const running = new Map<string, number>()
  let active = 0
  /** Calls that wait for a slot, the oldest first. They share one timer, because a timer for each costs more than most waits. */
  const waiting = new Set<Waiter>()
  let timer: NodeJS.Timeout | undefined

  const runningOf = (party: string) => running.get(party) ?? 0

  /** Takes the next waiter that may run out of its queue, and puts its account and its party last. */
  const next = (): Waiter | undefined => {
    for (const [owner, parties] of queues) {
      for (const [party, queue] of parties) {
        if (runningOf(party) >= slotsPerParty) continue
        const waiter = queue.shift()
        parties.delete(party)
        if (queue.length > 0) parties.set(party, queue)
        queues.delete(owner)
        if (parties.size > 0) queues.set(owner, parties)
        return waiter
      }
    }
    return undefined
  }

  const start = (waiter: Waiter) => {
    waiter.isStarted = true
    active += 1
    running.set(waiter.party, runningOf(waiter.party) + 1)
  }
  const startNext = () => {
    while (active < slots) {
      const waiter = next()
      if (waiter === undefined) return
      start(waiter)
      waiter.resume()
    }
  }

  /** Undefined if too many of the party wait. */
  const enter = (owner: string, party: string): Waiter | undefined => {
    const until = performance.now() + timeoutMillis
    const waiter: Waiter = { owner, party, until, isStarted: false, resume: () => {} }
    // This overtakes nobody: while a slot is free, only parties that hold all the slots they may hold have waiting effects.
    if (active < slots && runningOf(party) < slotsPerParty) {
      start(waiter)
      return waiter
    }
    const parties = queues.get(owner) ?? new Map<string, Array<Waiter>>()
    const queue = parties.get(party) ?? []
    if (queue.length >= maxWaiting) return undefined
    queue.push(waiter)
    parties.set(party, queue)
    queues.set(owner, parties)
    return waiter
  }

  const release = (waiter: Waiter) => {
    if (waiter.isStarted) {
      active -= 1
      const left = runningOf(waiter.party) - 1
      if (left > 0) running.set(waiter.party, left)
      else running.delete(waiter.party)
      return startNext()
    }
    const parties = queues.get(waiter.owner)
    const queue = parties?.get(waiter.party)?.filter((one) => one !== waiter) ?? []
    if (queue.length > 0) parties?.set(waiter.party, queue)
    else parties?.delete(waiter.party)
    if (parties?.size === 0) queues.delete(waiter.owner)
  }

  const endOverdue = () => {
    const now = performance.now()
    for (const waiter of waiting) {
      if (waiter.until > now) return
      waiter.resume()
    }
  }
  const watch = (waiter: Waiter) => {
    waiting.add(waiter)
    timer ??= setInterval(endOverdue, timeoutMillis / 10)
  }
  const unwatch = (waiter: Waiter) => {
    waiting.delete(waiter)
    if (waiting.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  /** Waits for the slot; false on a time-out. */
  const turnOf = (waiter: Waiter): Effect.Effect<boolean> =>
    Effect.async<boolean>((done) => {
      const leave = () => {
        unwatch(waiter)
        waiter.resume = () => {}
      }
      waiter.resume = () => {
        leave()
        done(Effect.succeed(waiter.isStarted))
      }
      if (waiter.isStarted) return waiter.resume()
      watch(waiter)
      return Effect.sync(leave)
    })

  // In few steps, because every call of a partner takes them.
  const withSlot: FairQueue["withSlot"] = (whose, effect) =>
    Effect.uninterruptibleMask((restore) => {
      const waiter = enter(whose.ownerId, whose.id)
      if (waiter === undefined) return Effect.succeedNone
      const failed = <E>(cause: Cause.Cause<E>) => {
        release(waiter)
        return Effect.failCause(cause)
      }
      const served = Effect.matchCauseEffect(restore(effect), {
        onFailure: failed,
        onSuccess: (value) => {
          release(waiter)
          return Effect.succeedSome(value)
        }
      })
      if (waiter.isStarted) return served
      return Effect.matchCauseEffect(restore(turnOf(waiter)), {
        onFailure: failed,
        onSuccess: (isStarted) => {
          if (isStarted) return served
          release(waiter)
          return Effect.succeedNone
        }
      })
    })

  return { withSlot }
}
