/** Whom a stage that could not be carried out is attributed to, with an absence of ours before it and without. */
import { assert, describe, it } from "@effect/vitest"
import { RunId } from "../../../schema/Ids.ts"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import { gapAfterAbsence } from "../../../src/journeys/actor/gradeStage.ts"
import type { RunHistory } from "../../../src/journeys/model/RunHistory.ts"
import { profileStages } from "../../../src/journeys/stages/asEmsp/chargingProfile.ts"
import { stopSession } from "../../../src/journeys/stages/asEmsp/remoteControl.ts"

const historyOf = (...lines: ReadonlyArray<object>): RunHistory => ({
  runId: RunId.make("run_01890a5dac96774bbcceb302099a8057"),
  createdAt: "2026-01-01T11:59:00.000Z",
  inputs: {},
  profile: profileOf("2.2.1"),
  us: { countryCode: "DE", partyId: "PFT", name: "plugfest" },
  them: undefined,
  // As much as is looked at.
  events: lines.map((line, index) => ({
    sequence: index + 1,
    occurredAt: `2026-01-01T12:0${index}:00Z`,
    assertions: [],
    ...line
  })) as unknown as ReadonlyArray<LedgerEvent>
})
const startSent = { type: "exchange.intended", stageId: "start-session", exchange: { id: "exc_1" } }
const away = { type: "run.interrupted" }
const unmet = {
  outcome: "not_tested",
  reason: "There is no session to stop",
  attribution: "partner"
} as const

describe.each([stopSession, profileStages("set")[0]!])("stage $id without a session", (stage) => {
  it("follows from what the partner has sent while we were there", () => {
    assert.deepStrictEqual(gapAfterAbsence(stage, historyOf(startSent), unmet), unmet)
    assert.deepStrictEqual(gapAfterAbsence(stage, historyOf(away, startSent), unmet), unmet)
  })

  it("is ours when we were away since the start: the session may have been pushed then", () => {
    const gap = gapAfterAbsence(stage, historyOf(startSent, away), unmet)
    assert.strictEqual(gap?.attribution, "ours")
    assert.match(gap?.reason ?? "", /did not work on the run .* There is no session to stop$/)
  })
})
