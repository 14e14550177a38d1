/** Limits on calls and bytes of partners, per connection and per account, shared by all processes. */
import { Context, Effect, Layer } from "effect"
import type { OwnerId } from "../../../schema/Ids.ts"
import { NotAdmitted } from "../../party/wire/Admission.ts"
import { BucketStore } from "../../store/accounts/BucketStore.ts"
import type { Party } from "../../store/parties/Party.ts"
import { traced } from "../../telemetry/traced.ts"
import { type Limits, RateLimits } from "./RateLimits.ts"
import { makeRateLimitBatch, type Taken } from "./rateLimitBatch.ts"

type Called = Pick<Party, "id" | "ownerId">

/** Rates of partners; a call beyond them fails with `NotAdmitted`, which is answered with 429. */
export class InboundLimits extends Context.Tag("services/InboundLimits")<
  InboundLimits,
  {
    readonly limits: Limits
    /** Counts one call of the party's partner. */
    readonly call: (party: Called) => Effect.Effect<void, NotAdmitted>
    /** Counts a body of so many bytes, rounded up to KiB. */
    readonly bytes: (party: Called, bytes: number) => Effect.Effect<void, NotAdmitted>
    /** How much of the account's rates of calls and KiB is used at present. */
    readonly used: (owner: OwnerId) => Effect.Effect<{ readonly calls: number; readonly kilobytes: number }>
  }
>() {
  static readonly layer = Layer.effect(
    InboundLimits,
    Effect.gen(function* () {
      const store = yield* BucketStore
      const { limits } = yield* RateLimits
      // Partners often send calls one after the other: a first batch saves a query for each.
      const take = makeRateLimitBatch(store, { atFirst: 16, keepsMillis: 5000 })
      const clock = yield* Effect.clock

      /** Takes of each bucket, at once as far as this process's batches go. */
      const taken = (amount: number, buckets: ReadonlyArray<Bucket>): Effect.Effect<void, NotAdmitted> =>
        Effect.suspend(() => {
          for (const [place, bucket] of buckets.entries()) {
            const { limit, name } = bucket
            const known = take.atOnce(name, limit, clock, amount)
            if (known === undefined)
              return Effect.flatMap(take(name, limit, amount), (found) =>
                found.allowed ? taken(amount, buckets.slice(place + 1)) : refused(bucket, found)
              )
            if (!known.allowed) return refused(bucket, known)
          }
          return Effect.void
        })

      const call = ({ id, ownerId }: Called) =>
        taken(1, [
          { name: `partner:${id}`, limit: limits.partnerCalls, of: "requests", whose: "a connection" },
          { name: callsOf(ownerId), limit: limits.accountCalls, of: "requests", whose: ofAll }
        ])

      const bytes = ({ id, ownerId }: Called, size: number) => {
        const kilobytes = Math.ceil(size / 1024)
        if (kilobytes === 0) return Effect.void
        return taken(kilobytes, [
          { name: `partner-kib:${id}`, limit: limits.partnerKilobytes, of: "KiB", whose: "a connection" },
          { name: kilobytesOf(ownerId), limit: limits.accountKilobytes, of: "KiB", whose: ofAll }
        ])
      }

      const used = traced("InboundLimits.used")(function* (owner: OwnerId) {
        const calls = limits.accountCalls - (yield* store.level(callsOf(owner), limits.accountCalls))
        const kilobytes =
          limits.accountKilobytes - (yield* store.level(kilobytesOf(owner), limits.accountKilobytes))
        return { calls: Math.ceil(calls), kilobytes: Math.ceil(kilobytes) }
      })

      return InboundLimits.of({ limits, call, bytes, used })
    })
  )
}

/** A rate: at most `limit` a minute `of` something, for those whose bucket it is. */
interface Bucket {
  readonly name: string
  readonly limit: number
  readonly of: string
  readonly whose: string
}

const ofAll = "of all partners of an account"

const refused = ({ limit, of, whose }: Bucket, { standing: { resetSeconds } }: Taken) =>
  new NotAdmitted({
    httpStatus: 429,
    message: `At most ${limit} ${of} a minute ${whose}; try again in ${resetSeconds} s`,
    retryAfterSeconds: resetSeconds
  })

const callsOf = (owner: OwnerId) => `partners:${owner}`
const kilobytesOf = (owner: OwnerId) => `partners-kib:${owner}`
