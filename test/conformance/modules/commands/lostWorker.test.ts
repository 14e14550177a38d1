/** Two commands at a time, and our worker ends before the answer to the second is recorded: nobody waited for the first result. */
import { assert, describe, it } from "@effect/vitest"
import { profileOf } from "../../../../schema/ocpi/versions.ts"
import { allChecks } from "../../../../src/conformance/catalogue/suites.ts"
import { grade } from "../../../../src/conformance/grading/grade.ts"
import type { Gathered } from "../../../../src/conformance/model/Evidence.ts"
import { withheld } from "../../../../src/conformance/model/Probe.ts"
import { answered, evidenceFrom } from "../../support/handmade.ts"

const scope = { profile: profileOf("2.2.1"), role: "CPO" } as const
const accepted = answered(
  "commands",
  { result: "ACCEPTED", timeout: 30 },
  { operation: "UNLOCK_CONNECTOR", id: "exc_unlock" }
)
const lost = withheld("not_tested", "our worker ended before the answer was recorded", "ours")
const unheard = withheld("unobservable", "no result came")

const outcomeOf = (id: string, steps: Readonly<Record<string, Gathered>>) => {
  const gathered = Object.fromEntries(
    Object.entries(steps).map(([step, one]) => [`commands.unlock#${step}`, one])
  )
  const evidence = evidenceFrom({ "commands.unlock": { seen: [accepted] }, ...gathered })
  const check = allChecks.find((one) => one.id === id)!
  const { attribution, outcome } = grade(check, evidence, { scope, profile: "strict", checks: [check] })
  return [outcome, attribution]
}

describe("a result that nobody waited for", () => {
  const sent = { first: { seen: [accepted] } }

  it.each(["CMD-038", "CMD-039"])("is not missed by %s", (id) => {
    const ofUs = outcomeOf(id, { ...sent, "first result": lost, second: lost, "second result": lost })
    assert.deepStrictEqual(ofUs, ["not_tested", "ours"])
  })

  it.each(["CMD-038", "CMD-039"])("is told by %s where it was waited for in vain", (id) => {
    const steps = { "first result": unheard, second: { seen: [accepted] }, "second result": unheard }
    assert.deepStrictEqual(outcomeOf(id, { ...sent, ...steps }), ["failed", "partner"])
  })
})
