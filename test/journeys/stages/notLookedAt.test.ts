/** What is said of a request that the partner did not look at, or that broke something of its own. */
import { assert, describe, it } from "@effect/vitest"
import { gradeStage } from "../../../src/journeys/grading/gradeStage.ts"
import type { JourneyTemplate } from "../../../src/journeys/model/JourneyTemplate.ts"
import { authorizeToken } from "../../../src/journeys/templates/asCpo/authorizeToken.ts"
import { pushLocation } from "../../../src/journeys/templates/asCpo/pushLocation.ts"
import { pushTariff } from "../../../src/journeys/templates/asCpo/pushTariff.ts"
import { historyOf } from "../support/history.ts"

/** The lines of a stage whose PUT was answered like this. */
const written = (stageId: string, httpStatus: number, ocpiStatusCode: number | null) => {
  const exchange = {
    id: `exc_${stageId}`,
    direction: "outbound",
    module: "locations",
    operation: "PUT evse",
    startedAt: "2026-06-01T11:59:00Z",
    durationMs: 1,
    outcome: "completed",
    request: { method: "PUT", url: "https://partner.example/y", headers: {}, body: "{}", truncated: false },
    response: { httpStatus, ocpiStatusCode, headers: {}, body: "{}", truncated: false }
  }
  return [
    { type: "exchange.intended", stageId, exchange: { ...exchange, response: null } },
    { type: "exchange.completed", stageId, exchange }
  ]
}
const accepted = (...stageIds: ReadonlyArray<string>) => stageIds.flatMap((id) => written(id, 200, 1000))

/** The rule's outcome when the stage's only request was answered like this. */
const outcomeOf = (
  { stages }: JourneyTemplate,
  rule: string,
  httpStatus: number,
  ocpiStatusCode: number | null,
  data?: unknown,
  before: ReadonlyArray<object> = accepted("add-evse", "remove-evse")
) => {
  const [stageId] = rule.split(".")
  const exchange = {
    id: "exc_1",
    direction: "outbound",
    module: "tariffs",
    operation: "GET tariff",
    startedAt: "2026-06-01T12:00:00Z",
    durationMs: 1,
    outcome: "completed",
    request: { method: "GET", url: "https://partner.example/x", headers: {}, body: null, truncated: false },
    response: {
      httpStatus,
      ocpiStatusCode,
      headers: { "retry-after": "7" },
      body: JSON.stringify({ status_code: ocpiStatusCode, data }),
      truncated: false
    }
  }
  const lines = [
    ...before,
    { type: "exchange.intended", stageId, exchange: { ...exchange, response: null } },
    { type: "exchange.completed", stageId, exchange }
  ]
  const stage = stages.find(({ id }) => id === stageId)!
  return gradeStage(stage, historyOf(lines)).find(({ id }) => id === rule)!
}

describe.each([
  ["read-gone.gone", pushTariff],
  ["read-removed.gone", pushLocation],
  ["authorize-unknown.refused", authorizeToken]
])("%s", (rule, template) => {
  it("is not shown by an error of the partner's own", () => {
    assert.strictEqual(outcomeOf(template, rule, 404, 2003).outcome, "passed")
    for (const [httpStatus, code] of [
      [500, null],
      [503, 3000],
      [200, 3000]
    ] as const) {
      const { message, outcome } = outcomeOf(template, rule, httpStatus, code)
      assert.strictEqual(outcome, "failed")
      assert.strictEqual(message, "The partner answered with an error of its own")
    }
  })
})

describe("a tariff that was deleted", () => {
  it("is gone where GET brings no object, in whatever form", () => {
    for (const data of [undefined, null, [], {}])
      assert.strictEqual(outcomeOf(pushTariff, "read-gone.gone", 200, 1000, data).outcome, "passed")
    const kept = { id: "T1" }
    assert.strictEqual(outcomeOf(pushTariff, "read-gone.gone", 200, 1000, kept).outcome, "failed")
  })
})

describe("a request that the partner has too many of", () => {
  it("is not judged", () => {
    const [stage] = pushTariff.stages.filter(({ writes }) => writes)
    const rule = stage!.expect[0]!.id
    const limited = outcomeOf(pushTariff, rule, 429, null)
    assert.strictEqual(limited.outcome, "not_tested")
    assert.strictEqual(
      limited.reason,
      "GET tariffs was answered HTTP 429 (too many requests), Retry-After: 7"
    )
    assert.strictEqual(outcomeOf(pushTariff, rule, 400, 2001).outcome, "failed")
  })
})

describe("an object that cannot be read back", () => {
  it("is a warning where nothing shows that the partner offers to read it", () => {
    for (const httpStatus of [404, 405, 501]) {
      const { outcome, strength } = outcomeOf(pushTariff, "read-tariff.same", httpStatus, null)
      assert.deepStrictEqual([outcome, strength], ["warned", "should"])
    }
    assert.strictEqual(outcomeOf(pushTariff, "read-tariff.same", 200, 1000).outcome, "failed")
    assert.strictEqual(outcomeOf(pushTariff, "read-tariff.same", 500, null).outcome, "failed")
  })
})

describe("what a partner has not accepted", () => {
  it("is not sought in its copy", () => {
    const shown = { uid: "E2", status: "AVAILABLE" }
    const removed = (...before: ReadonlyArray<object>) =>
      outcomeOf(pushLocation, "read-removed.gone", 200, 1000, shown, before).outcome
    assert.strictEqual(removed(...accepted("add-evse", "remove-evse")), "failed")
    assert.strictEqual(removed(...accepted("add-evse"), ...written("remove-evse", 429, null)), "not_tested")
    assert.strictEqual(removed(...accepted("add-evse"), ...written("remove-evse", 200, 2001)), "not_tested")
    assert.strictEqual(removed(...written("add-evse", 400, 2001), ...accepted("remove-evse")), "not_tested")
  })
})
