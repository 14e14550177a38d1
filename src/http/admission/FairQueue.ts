/**
 * A bounded queue in front of a fixed number of slots of this process. Accounts take turns, their parties take turns
 * within them (round-robin), and one party never holds more than its share of the slots.
 */
import { type Cause, Effect, type Option } from "effect"

/** Sizes of a fair queue. */
interface FairQueueOptions {
  /** Effects that run at once. */
  readonly slots: number
  /** Effects of one party that run at once. */
  readonly slotsPerParty: number
  /** Effects of one party that may wait for a slot. */
  readonly maxWaiting: number
  /** The longest wait for a slot. */
  readonly timeoutMillis: number
}

/** An account that has waiting effects; its parties in the order of their turns. */
interface Account {
  readonly id: string
  readonly parties: Array<Party>
}

/** A party that has running or waiting effects. */
interface Party {
  readonly id: string
  readonly ownerId: string
  running: number
  /** The oldest first. */
  readonly waiting: Array<Waiter>
}

interface Waiter {
  readonly party: Party
  /** Monotonic milliseconds after which it waits no longer. */
  readonly until: number
  isStarted: boolean
  /** Ends the wait; does nothing before the wait begins, and after it has ended. */
  resume: () => void
}

/** Runs effects in slots, in fair turns. */
interface FairQueue {
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
  // Calls are held in arrays and never in a Map or Set: when one of those makes a new table, the garbage collector takes the old
  // one and what it held for alive until its next full collection, so every other call would fill the heap until then.
  const parties = new Map<string, Party>()
  /** In the order of their turns. */
  const accounts: Array<Account> = []
  let active = 0
  let timer: NodeJS.Timeout | undefined

  /** Takes the next waiter that may run out of its queue, and puts its account and its party last if others wait there. */
  const next = (): Waiter | undefined => {
    for (const account of accounts) {
      const party = account.parties.find(({ running }) => running < slotsPerParty)
      if (party === undefined) continue
      const waiter = party.waiting.shift()
      remove(account.parties, party)
      if (party.waiting.length > 0) account.parties.push(party)
      remove(accounts, account)
      if (account.parties.length > 0) accounts.push(account)
      return waiter
    }
    return undefined
  }

  const start = (waiter: Waiter) => {
    waiter.isStarted = true
    active += 1
    waiter.party.running += 1
  }
  const startNext = () => {
    while (active < slots) {
      const waiter = next()
      if (waiter === undefined) return
      start(waiter)
      waiter.resume()
    }
  }

  const partyOf = (ownerId: string, id: string): Party => {
    const known = parties.get(id)
    if (known !== undefined) return known
    const party: Party = { id, ownerId, running: 0, waiting: [] }
    parties.set(id, party)
    return party
  }
  const accountOf = ({ ownerId }: Party): Account => {
    const known = accounts.find(({ id }) => id === ownerId)
    if (known !== undefined) return known
    const account: Account = { id: ownerId, parties: [] }
    accounts.push(account)
    return account
  }

  /** Undefined if too many of the party wait. */
  const enter = (party: Party): Waiter | undefined => {
    const until = performance.now() + timeoutMillis
    const waiter: Waiter = { party, until, isStarted: false, resume: () => {} }
    // This overtakes nobody: while a slot is free, only parties that hold all the slots they may hold have waiting effects.
    if (active < slots && party.running < slotsPerParty) {
      start(waiter)
      return waiter
    }
    if (party.waiting.length >= maxWaiting) return undefined
    if (party.waiting.length === 0) accountOf(party).parties.push(party)
    party.waiting.push(waiter)
    timer ??= setInterval(endOverdue, timeoutMillis / 10).unref()
    return waiter
  }

  const release = (waiter: Waiter) => {
    const { party } = waiter
    if (waiter.isStarted) {
      active -= 1
      party.running -= 1
      startNext()
    } else {
      remove(party.waiting, waiter)
      if (party.waiting.length === 0) {
        const account = accountOf(party)
        remove(account.parties, party)
        if (account.parties.length === 0) remove(accounts, account)
      }
    }
    if (party.running === 0 && party.waiting.length === 0) parties.delete(party.id)
  }

  /** All waits share one timer, because a timer for each costs more than most waits. It stops itself. */
  const endOverdue = () => {
    if (accounts.length === 0) {
      clearInterval(timer)
      timer = undefined
    }
    const now = performance.now()
    const all = accounts.flatMap((account) => account.parties.flatMap(({ waiting }) => waiting))
    for (const waiter of all) if (waiter.until <= now) waiter.resume()
  }

  /** Waits for the slot; false on a time-out. */
  const turnOf = (waiter: Waiter): Effect.Effect<boolean> =>
    Effect.async<boolean>((done) => {
      waiter.resume = () => {
        waiter.resume = () => {}
        done(Effect.succeed(waiter.isStarted))
      }
      if (waiter.isStarted) waiter.resume()
    })

  // In few steps, because every call of a partner takes them.
  const withSlot: FairQueue["withSlot"] = (whose, effect) =>
    Effect.uninterruptibleMask((restore) => {
      const waiter = enter(partyOf(whose.ownerId, whose.id))
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

const remove = <A>(list: Array<A>, one: A) => {
  const place = list.indexOf(one)
  if (place >= 0) list.splice(place, 1)
}
