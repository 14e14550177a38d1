/** Whose act it is that a registration is not there any more, found among the calls of the partner. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { PartyId } from "../../../schema/Ids.ts"
import { lostRegistration } from "../../../src/conformance/run/registration/lostRegistration.ts"
import type { Inbound, PartyStore } from "../../../src/store/parties/PartyStore.ts"
import { called } from "../support/handmade.ts"

const partyId = PartyId.make("conn_1")
const inbound = (method: string, module: string, position: number): Inbound => ({
  position,
  partyId,
  exchange: called(method, module, "", undefined).exchange
})

/** A store with these calls, oldest first. */
const storeOf = (calls: ReadonlyArray<Inbound>): Pick<PartyStore["Type"], "exchangesBefore"> => ({
  exchangesBefore: (_, { limit, upTo = Number.MAX_SAFE_INTEGER }) =>
    Effect.sync(() =>
      calls
        .filter(({ position }) => position <= upTo)
        .slice(-limit)
        .reverse()
    )
})

const lossAfter = (others: number, since: number) =>
  lostRegistration({
    store: storeOf([
      inbound("DELETE", "credentials", 1),
      ...Array.from({ length: others }, (_, index) => inbound("PUT", "sessions", index + 2))
    ]) as PartyStore["Type"], // nothing else of it is asked
    partyId,
    since,
    acceptedAt: undefined,
    own: [],
    refusal: called("GET", "locations", "", undefined).exchange
  })

describe("a registration that the partner has ended", () => {
  it.effect("is known to be, however much it has called since", () =>
    Effect.gen(function* () {
      for (const others of [0, 600, 10_600]) {
        const { blockedBy, reason } = yield* lossAfter(others, 0)
        assert.match(reason, /the partner has ended the registration/, `${others} calls`)
        assert.isUndefined(blockedBy?.check)
      }
    })
  )

  it.effect("is not looked for before the run began", () =>
    Effect.map(lossAfter(600, 1), ({ blockedBy }) => assert.strictEqual(blockedBy?.check, "CRED-012"))
  )
})
