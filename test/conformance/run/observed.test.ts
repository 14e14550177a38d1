import { assert, describe, it } from "@effect/vitest"
import type { Observation } from "../../../src/conformance/model/Evidence.ts"
import { observed } from "../../../src/conformance/model/observed.ts"
import { evidenceFrom } from "../support/handmade.ts"
import { exchanged, honest, root } from "../support/honestPartner.ts"

const call = (operation: string): Observation => {
  const seen = exchanged(
    honest,
    { url: new URL(`${root}/versions`), token: "good", about: "", requestId: "", correlationId: "" },
    { module: "sessions", operation },
    operation
  )
  return { ...seen, exchange: { ...seen.exchange, direction: "inbound" } }
}

const evidenceOf = (...calls: ReadonlyArray<Observation>) => evidenceFrom({ "inbound.run": calls })

const judged = (...calls: ReadonlyArray<Observation>) =>
  observed({
    source: "inbound.run",
    matches: ({ exchange }) => exchange.operation === "PUT session",
    nearMiss: ({ exchange }) => `a ${exchange.operation} came`,
    provoke: "start a charge",
    findings: (seen) => seen.map(({ exchange }) => ({ message: "wrong", exchangeId: exchange.id }))
  })(evidenceOf(...calls))

describe("observed", () => {
  it("says what to do when nothing came", () => {
    assert.deepStrictEqual(judged(), {
      is: "inconclusive",
      outcome: "unobservable",
      reason: "start a charge"
    })
  })

  it("says what almost was", () => {
    const judgement = judged(call("PATCH session"), call("PATCH session"))
    assert.strictEqual(
      judgement.is === "inconclusive" && judgement.reason,
      "start a charge. Near misses: a PATCH session came"
    )
  })

  it("says that a call came where we offered nothing, whatever it was to be", () => {
    const { exchange, ...seen } = call("PUT TNM S1")
    const request = { ...exchange.request, method: "PUT", url: "https://us.example/ocpi/sessions/NL/TNM/S1" }
    const response = exchange.response === null ? null : { ...exchange.response, httpStatus: 404 }
    const judgement = observed({
      source: "inbound.run",
      matches: () => false,
      provoke: "start a charge",
      findings: () => []
    })(evidenceOf({ ...seen, exchange: { ...exchange, request, response } }))
    assert.strictEqual(
      judgement.is === "inconclusive" && judgement.reason,
      "start a charge. Near misses: PUT came to /ocpi/sessions/NL/TNM/S1, where we offered nothing"
    )
  })

  it("grades the calls that it is about, and no others", () => {
    const judgement = judged(call("PATCH session"), call("PUT session"))
    assert.deepStrictEqual(judgement, {
      is: "fail",
      findings: [{ message: "wrong", exchangeId: "PUT session" }]
    })
  })
})
