/** Whom a stage that could not be carried out is attributed to, with an absence of ours before it and without. */
import { assert, describe, it } from "@effect/vitest"
import { gapAfterAbsence } from "../../../src/journeys/grading/gradeStage.ts"
import { profileStages } from "../../../src/journeys/stages/asEmsp/commands/chargingProfile.ts"
import { stopSession } from "../../../src/journeys/stages/asEmsp/commands/remoteControl.ts"
import { historyOf } from "../support/history.ts"

const startSent = { type: "exchange.intended", stageId: "start-session", exchange: { id: "exc_1" } }
const away = { type: "run.interrupted" }
const unmet = {
  outcome: "not_tested",
  reason: "There is no session to stop",
  attribution: "partner"
} as const

describe.each([stopSession, profileStages("set")[0]!])("stage $id without a session", (stage) => {
  it("follows from what the partner has sent while we were there", () => {
    assert.deepStrictEqual(gapAfterAbsence(stage, historyOf([startSent]), unmet), unmet)
    assert.deepStrictEqual(gapAfterAbsence(stage, historyOf([away, startSent]), unmet), unmet)
  })

  it("is ours when we were away since the start: the session may have been pushed then", () => {
    const gap = gapAfterAbsence(stage, historyOf([startSent, away]), unmet)
    assert.strictEqual(gap?.attribution, "ours")
    assert.match(gap?.reason ?? "", /did not work on the run .* There is no session to stop$/)
  })
})
