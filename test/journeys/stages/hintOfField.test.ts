/** What a rule of a journey says is to be changed, where neither the rule nor a refusal says it. */
import { assert, it } from "@effect/vitest"
import { gradeStage } from "../../../src/journeys/grading/gradeStage.ts"
import type { JourneyStage, Ruling } from "../../../src/journeys/model/JourneyTemplate.ts"
import { historyOf } from "../support/history.ts"

const title = "The CDR has the session's id"
const hintOf = (flaw: Ruling) => {
  const rule = {
    id: "consistency.session-id",
    title,
    strength: "must",
    reference: "mod_cdrs",
    judge: () => flaw
  }
  const stage = { id: "consistency", module: null, act: { act: "judge" }, expect: [rule] }
  const [found] = gradeStage(stage as unknown as JourneyStage, historyOf([])) // as much of it as is looked at
  return found?.hint
}

it("names the field that is wrong, and what is expected there", () => {
  const flaw = { message: "session_id differs", pointer: "/session_id", expected: "S1", actual: '"S2"' }
  assert.strictEqual(
    hintOf(flaw),
    `Send in session_id what is expected there, S1, so that this holds: ${title}.`
  )
  assert.match(String(hintOf({ ...flaw, pointer: "/data/cdr_token/uid" })), /^Send in cdr_token\.uid what/)
  const { pointer: _, ...whole } = flaw
  assert.strictEqual(hintOf(whole), `Change it so that this holds: ${title}.`)
  assert.strictEqual(hintOf({ ...flaw, expected: title }), `Change it so that this holds: ${title}.`)
})
