/** One decision over several runs: the pure parts. */
import { assert, describe, it } from "vitest"
import {
  choicesOf,
  mostRuns,
  offersIn,
  offersText,
  outcomeOf,
  type RunNow
} from "../../../src/console/machines/decideRuns.ts"

const option = (decision: string, repeats: ReadonlyArray<string> = []) => ({
  decision,
  label: decision,
  description: `does ${decision}`,
  recommended: false,
  repeats
})
const journey = (
  runId: string,
  recoveryVersion: number,
  status: string,
  ...recoveryOptions: ReadonlyArray<object>
) => ({ runId, recoveryVersion, status, recoveryOptions }) as unknown as RunNow["journey"]

describe("a decision over several runs", () => {
  it("has its runs and their offers in the address", () => {
    const offers = [
      { runId: "run_a1", version: 3 },
      { runId: "run_b2", version: 1 }
    ]
    assert.deepStrictEqual(offersIn(offersText(offers)), offers)
    assert.deepStrictEqual(offersIn("run_a1.3,,<script>.1,run_c,run_a1.3,run_b2.1"), offers)
    assert.deepStrictEqual(offersIn(undefined), [])
    const many = Array.from({ length: 2 * mostRuns }, (_, index) => ({ runId: `run_${index}`, version: 1 }))
    assert.lengthOf(offersIn(offersText(many)), mostRuns)
  })

  it("is open, decided, or was overtaken, as the run's ledger says", () => {
    const outcome = (version: number, run: RunNow["journey"], applied: RunNow["applied"] = new Map()) =>
      outcomeOf({ runId: "run_a", version }, { journey: run, applied })
    const interrupted = journey("run_a", 2, "interrupted")
    assert.deepStrictEqual(outcome(2, interrupted), { state: "open" })
    assert.deepStrictEqual(outcome(1, interrupted), { state: "moved" })
    assert.deepStrictEqual(outcome(1, interrupted, new Map([[1, "resume"]])), {
      state: "decided",
      decision: "resume"
    })
    assert.deepStrictEqual(outcome(2, journey("run_a", 2, "completed")), { state: "moved" })
  })

  it("offers what is offered for most of them first", () => {
    const choices = choicesOf([
      journey("run_a", 1, "interrupted", option("resume"), option("retry_stage", ["POST a"])),
      journey("run_b", 1, "interrupted", option("retry_stage", ["POST a", "PUT b"]))
    ])
    assert.deepStrictEqual(
      choices.map(({ decision, repeats, runIds }) => [decision, runIds, repeats]),
      [
        ["retry_stage", ["run_a", "run_b"], ["POST a", "PUT b"]],
        ["resume", ["run_a"], []]
      ]
    )
  })
})
