/**
 * A place among the requests that are served at once in this process: accounts take turns, and no partner has more than
 * its share. Who waits holds nothing but its socket: its body is not read yet.
 */
import { Clock, Effect, type Option } from "effect"

export interface FairGateOptions {
  /** Served at once. */
  readonly places: number
  /** Of one party at once. */
  readonly placesOfOne: number
  /** Of one party, how many may wait. */
  readonly waiting: number
  readonly patienceMillis: number
}

interface Guest {
  readonly owner: string
  readonly party: string
  isIn: boolean
  enter: () => void
}

/** Within the gate there is the body's answer; none when too many wait already, or it would have been too long. */
export interface FairGate {
  readonly within: <A, E, R>(
    whose: { readonly ownerId: string; readonly id: string },
    body: Effect.Effect<A, E, R>
  ) => Effect.Effect<Option.Option<A>, E, R>
}

export const makeFairGate = ({ patienceMillis, places, placesOfOne, waiting }: FairGateOptions): FairGate => {
  /** Who waits, by account and party; the first of both is whose turn it is. */
  const queues = new Map<string, Map<string, Array<Guest>>>()
  const inside = new Map<string, number>()
  let taken = 0

  const insideOf = (party: string) => inside.get(party) ?? 0

  /** The next one that may come in, taken out of its queue; its account and its party go to the end of their lines. */
  const next = (): Guest | undefined => {
    for (const [owner, parties] of queues) {
      for (const [party, queue] of parties) {
        if (insideOf(party) >= placesOfOne) continue
        const guest = queue.shift()
        parties.delete(party)
        if (queue.length > 0) parties.set(party, queue)
        queues.delete(owner)
        if (parties.size > 0) queues.set(owner, parties)
        return guest
      }
    }
    return undefined
  }

  const letIn = () => {
    while (taken < places) {
      const guest = next()
      if (guest === undefined) return
      guest.isIn = true
      taken += 1
      inside.set(guest.party, insideOf(guest.party) + 1)
      guest.enter()
    }
  }

  /** undefined: too many wait. */
  const arrive = (owner: string, party: string): Guest | undefined => {
    const parties = queues.get(owner) ?? new Map<string, Array<Guest>>()
    const queue = parties.get(party) ?? []
    if (queue.length >= waiting) return undefined
    const guest: Guest = { owner, party, isIn: false, enter: () => {} }
    queue.push(guest)
    parties.set(party, queue)
    queues.set(owner, parties)
    letIn()
    return guest
  }

  const leave = (guest: Guest) => {
    if (guest.isIn) {
      taken -= 1
      const left = insideOf(guest.party) - 1
      if (left > 0) inside.set(guest.party, left)
      else inside.delete(guest.party)
      return letIn()
    }
    const parties = queues.get(guest.owner)
    const queue = parties?.get(guest.party)?.filter((one) => one !== guest) ?? []
    if (queue.length > 0) parties?.set(guest.party, queue)
    else parties?.delete(guest.party)
    if (parties?.size === 0) queues.delete(guest.owner)
  }

  /** Its turn; false when that took too long. */
  const turnOf = (guest: Guest): Effect.Effect<boolean> =>
    guest.isIn
      ? Effect.succeed(true)
      : Effect.async<boolean>((resume) => {
          if (guest.isIn) resume(Effect.succeed(true))
          else guest.enter = () => resume(Effect.succeed(true))
        }).pipe(
          Effect.timeoutTo({
            duration: patienceMillis,
            onSuccess: (isIn) => isIn,
            // It may have come in at the last instant.
            onTimeout: () => guest.isIn
          }),
          Effect.withClock(Clock.make())
        )

  return {
    within: (whose, body) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.suspend(() => {
          const guest = arrive(whose.ownerId, whose.id)
          if (guest === undefined) return Effect.succeedNone
          return restore(
            Effect.flatMap(turnOf(guest), (isIn) => (isIn ? Effect.asSome(body) : Effect.succeedNone))
          ).pipe(Effect.ensuring(Effect.sync(() => leave(guest))))
        })
      )
  }
}
