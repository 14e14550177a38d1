/** We ask a sandbox CPO for charging profiles, in every version that has them: answers and results over sockets. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { profileOf, versionNumbers, versionsWhere } from "../../schema/ocpi/versions.ts"
import { violations } from "../../src/findings/violations.ts"
import { OcpiClient } from "../../src/ocpi/OcpiClient.ts"
import { chargingProfileCall, type ProfileRequest } from "../../src/party/chargingProfileCall.ts"
import type { Party } from "../../src/store/parties/PartyStore.ts"
import {
  commanded,
  eventually,
  firstEvse,
  objectsOf,
  patienceMillis,
  resultOf,
  withCharging
} from "./chargingWorld.ts"

const havingProfiles = versionsWhere(({ modules }) => modules.includes("chargingprofiles"))
const profile = {
  charging_rate_unit: "W",
  charging_profile_period: [{ start_period: 0, limit: 4000 }]
}

/** Asks, and gives the result that comes. */
const asked = (emsp: Party, sessionId: string, request: ProfileRequest) =>
  Effect.gen(function* () {
    const ids = { exchangeId: `exc_${request.request}`, resultKey: `key_${request.request}` }
    const call = yield* chargingProfileCall(emsp, sessionId, request, ids)
    // A test looks into JSON of any shape.
    const answer = (yield* (yield* OcpiClient).exchange(call)).json as any
    assert.deepStrictEqual(
      violations(profileOf(emsp.version).objects.ChargingProfileResponse!, answer.data),
      []
    )
    assert.strictEqual(answer.data.result, "ACCEPTED")
    return yield* resultOf(emsp, ids.resultKey)
  })

const started = (emsp: Party, cpo: Party) =>
  Effect.gen(function* () {
    const { evse, location } = yield* firstEvse(cpo)
    const [token] = yield* objectsOf(emsp, "tokens", "own")
    yield* commanded(emsp, "START_SESSION", { token, location_id: location.id, evse_uid: evse.uid }, "k1")
    const active = Effect.map(objectsOf(emsp, "sessions", "received"), ([first]) => first)
    return String((yield* eventually(active)).id)
  })

describe("a charging profile", { timeout: patienceMillis }, () => {
  it.live.each(havingProfiles)("is set, read and cleared, each with its result, in %s", (version) =>
    withCharging(version, 60, ({ cpo, emsp }) =>
      Effect.gen(function* () {
        const sessionId = yield* started(emsp, cpo)
        const { objects } = profileOf(version)
        const set = yield* asked(emsp, sessionId, { request: "set", profile })
        assert.deepStrictEqual(set, { result: "ACCEPTED" })
        const read = yield* asked(emsp, sessionId, { request: "read", durationSeconds: 900 })
        assert.deepStrictEqual(violations(objects.ActiveChargingProfileResult!, read), [])
        assert.deepStrictEqual(read.profile.charging_profile.charging_profile_period, [
          { start_period: 0, limit: 4000 }
        ])
        const cleared = yield* asked(emsp, sessionId, { request: "clear" })
        assert.deepStrictEqual(cleared, { result: "ACCEPTED" })
      })
    )
  )

  it.live.each(versionNumbers.filter((version) => !havingProfiles.includes(version)))(
    "cannot be asked for in %s, which has none",
    (version) =>
      withCharging(version, 60, ({ emsp }) =>
        Effect.gen(function* () {
          const ids = { exchangeId: "exc_1", resultKey: "key_1" }
          const none = yield* Effect.flip(chargingProfileCall(emsp, "S1", { request: "clear" }, ids))
          assert.strictEqual(none._tag, "NoEndpoint")
        })
      )
  )
})
