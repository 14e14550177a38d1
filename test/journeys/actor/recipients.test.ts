/** Whom the requests of a journey are for, where the partner is a hub or a platform of several parties. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { isEventOf } from "../../../schema/LedgerEvent.ts"
import type { Call } from "../../../src/journeys/model/Act.ts"
import { play, stage } from "../support/ActBench.ts"

const party = (role: string, partyId: string) => ({ role, countryCode: "DE", partyId, name: partyId })

const reading: Call = {
  module: "locations",
  interfaceRole: "SENDER",
  operation: "list",
  method: "GET",
  query: { limit: "20" }
}
const unlocking: Call = {
  module: "commands",
  interfaceRole: "RECEIVER",
  operation: "UNLOCK_CONNECTOR",
  method: "POST",
  path: ["UNLOCK_CONNECTOR"],
  body: { location_id: "LOC1", evse_uid: "EVSE1", connector_id: "1" }
}
const sending = (id: string, call: Call) =>
  stage({ id, act: { act: "exchange", sends: call.operation, call: () => call } })

/** The party in OCPI-to of each request, in turn. */
const addressed = (parties: ReadonlyArray<ReturnType<typeof party>>) =>
  Effect.gen(function* () {
    const run = yield* play([sending("read", reading), sending("unlock", unlocking)], {}, { parties })
    yield* run.pass(3)
    return run
      .events()
      .filter(isEventOf("exchange.intended"))
      .map(({ exchange }) => exchange.request.headers["ocpi-to-party-id"])
  }).pipe(Effect.scoped)

describe("a command of a journey", () => {
  it.effect("is for the owner of the location behind a hub, whose list is read from the hub", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* addressed([party("HUB", "HUB")]), ["HUB", "CPO"])
    })
  )

  it.effect("is for the owner of the location at a platform of several parties", () =>
    Effect.gen(function* () {
      const parties = [party("CPO", "ONE"), party("CPO", "CPO")]
      assert.deepStrictEqual(yield* addressed(parties), ["ONE", "CPO"])
    })
  )
})
