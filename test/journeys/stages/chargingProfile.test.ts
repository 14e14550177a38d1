import { assert, describe, it } from "@effect/vitest"
import type { Exchange } from "../../../schema/Exchange.ts"
import { RunId } from "../../../schema/Ids.ts"
import type { ObjectName } from "../../../schema/ocpi/VersionProfile.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import { violations } from "../../../src/findings/violations/violations.ts"
import type { RunHistory } from "../../../src/journeys/model/RunHistory.ts"
import { profileStages } from "../../../src/journeys/stages/asEmsp/commands/chargingProfile.ts"

const responseUrl = "https://us.example/ocpi/2.2.1/chargingprofiles/results/1"

/** A run that has sent that request. */
const sent = (stageId: string): RunHistory => ({
  runId: RunId.make("run_1"),
  createdAt: "2026-06-01T12:00:00.000Z",
  inputs: {},
  profile: profileOf("2.2.1"),
  us: { countryCode: "NL", partyId: "PLG", name: "plugfest" },
  events: [
    {
      sequence: 1,
      type: "exchange.intended",
      occurredAt: "2026-06-01T12:00:00.000Z",
      stageId,
      assertions: [],
      // Only what the expectation looks at.
      exchange: {
        id: "exc_1",
        request: {
          method: "GET",
          url: `https://them.example/chargingprofiles/S1?response_url=${encodeURIComponent(responseUrl)}`,
          headers: {},
          body: null,
          truncated: false
        }
      } as unknown as Exchange
    }
  ]
})

describe("the result of a request about a charging profile", () => {
  const requests: ReadonlyArray<readonly ["set" | "read" | "clear", ObjectName]> = [
    ["set", "ChargingProfileResult"],
    ["read", "ActiveChargingProfileResult"],
    ["clear", "ClearProfileResult"]
  ]
  it.each(requests)("is told to %s as a whole %s, at our response_url", (request, name) => {
    const act = profileStages(request)[1]!.act
    const history = sent(`${request}-profile`)
    const expected = act.act === "await" ? act.expects?.(history, "2026-06-01T12:00:05.000Z") : undefined
    assert.strictEqual(expected?.url, responseUrl)
    assert.deepStrictEqual(violations(history.profile.objects[name]!, expected?.body), [])
  })
})
