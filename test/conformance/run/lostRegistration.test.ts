/** Whose act it is that a registration is not there any more, found among the calls of the partner. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { PartyId } from "../../../schema/Ids.ts"
import type { Observation } from "../../../src/conformance/model/Evidence.ts"
import type { ProbeRequest } from "../../../src/conformance/model/Probe.ts"
import { lostRegistration } from "../../../src/conformance/run/registration/lostRegistration.ts"
import {
  carriesToken,
  makeRegistrationGuard
} from "../../../src/conformance/run/registration/registrationGuard.ts"
import type { Party } from "../../../src/store/parties/Party.ts"
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

const reads: ProbeRequest = { module: "locations", interfaceRole: "SENDER", operation: "list" }
const refusal = (): Observation => {
  const { exchange, ...seen } = called("GET", "locations", "", undefined)
  return { ...seen, exchange: { ...exchange, response: { ...exchange.response!, httpStatus: 401 } } }
}

describe("a request that meets the partner's renewal", () => {
  it.live("is sent again with the new token, and the registration is not lost", () =>
    Effect.gen(function* () {
      const taken = called("GET", "locations", "", undefined)
      /** What the partner answers: as before, and HTTP 401 until its PUT credentials is done. */
      const answers = [refusal(), taken, taken]
      const calls: Array<Inbound> = []
      const guard = yield* makeRegistrationGuard({
        store: {
          ...storeOf(calls),
          head: () => Effect.succeed(0),
          tokens: () => Effect.succeed([])
        } as unknown as PartyStore["Type"],
        party: { id: partyId, registration: "registered" } as Party, // nothing else of it is asked
        send: () =>
          Effect.sync(() => {
            const answer = answers.shift()
            if (answer === taken && calls.length === 0) calls.push(inbound("PUT", "credentials", 1))
            return answer
          }),
        openedBefore: Effect.succeed(undefined),
        note: () => assert.fail("nothing is lost")
      })
      yield* guard.unlessLost(reads, taken)
      assert.strictEqual(yield* guard.unlessLost(reads, refusal()), taken)
      assert.isUndefined(guard.loss())
    })
  )

  it("carries the token in any form and under any name", () => {
    assert.isTrue(carriesToken({ ...reads, credentials: { use: "base64" } }))
    assert.isTrue(carriesToken({ ...reads, credentials: { use: "live", headerName: "AUTHORIZATION" } }))
    assert.isFalse(carriesToken({ ...reads, credentials: { use: "random" } }))
  })
})
