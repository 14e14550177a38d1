/** Limits on calls and bytes of partners, per connection and per account, shared by all processes. */
import { Context, Effect, Layer } from "effect"
import type { OwnerId } from "../../../schema/Ids.ts"
import { NotAdmitted } from "../../party/wire/Admission.ts"
import { BucketStore } from "../../store/accounts/BucketStore.ts"
import type { Party } from "../../store/parties/Party.ts"
import { traced } from "../../telemetry/traced.ts"
import { type Limits, RateLimits } from "./RateLimits.ts"
import { makeRateLimitBatch } from "./rateLimitBatch.ts"

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

      const taken = (
        name: string,
        [limit, what, whose]: readonly [limit: number, what: string, whose: string],
        amount: number
      ) =>
        Effect.flatMap(take(name, limit, amount), ({ allowed, standing }) =>
          allowed
            ? Effect.void
            : new NotAdmitted({
                httpStatus: 429,
                message: `At most ${limit} ${what} a minute ${whose}; try again in ${standing.resetSeconds} s`,
                retryAfterSeconds: standing.resetSeconds
              })
        )

      const call = traced("InboundLimits.call")(({ id, ownerId }: Called) =>
        Effect.zipRight(
          taken(`partner:${id}`, [limits.partnerCalls, "requests", "a connection"], 1),
          taken(callsOf(ownerId), [limits.accountCalls, "requests", "of all partners of an account"], 1)
        )
      )

      const bytes = traced("InboundLimits.bytes")(({ id, ownerId }: Called, size: number) => {
        const kilobytes = Math.ceil(size / 1024)
        if (kilobytes === 0) return Effect.void
        return Effect.zipRight(
          taken(`partner-kib:${id}`, [limits.partnerKilobytes, "KiB", "a connection"], kilobytes),
          taken(
            kilobytesOf(ownerId),
            [limits.accountKilobytes, "KiB", "of all partners of an account"],
            kilobytes
          )
        )
      })

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

const callsOf = (owner: OwnerId) => `partners:${owner}`
const kilobytesOf = (owner: OwnerId) => `partners-kib:${owner}`
