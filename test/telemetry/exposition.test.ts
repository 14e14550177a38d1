import { assert, describe, it } from "vitest"
import { counted, exposition } from "../../src/telemetry/exposition.ts"
import { countBatch, countExchange, countRequest } from "../../src/telemetry/measures.ts"
import { readMetrics } from "../support/telemetry/readMetrics.ts"

const read = () => readMetrics(exposition(counted()))
const valueOf = (name: string, labels: Record<string, string> = {}, suffix = "") =>
  read()
    .get(name)
    ?.samples.find(
      (sample) =>
        sample.name === `${name}${suffix}` &&
        Object.entries(labels).every(([label, value]) => sample.labels[label] === value)
    )?.value ?? 0

describe("the text for Prometheus", () => {
  it("takes any text as a label and as help, and a scraper reads it back", () => {
    const nasty = 'a "quoted" \\ back\nslash, {brace}'
    const text = exposition([
      {
        name: "x_total",
        help: "one\nline",
        type: "counter",
        samples: [{ labels: { nasty, b: "" }, value: 1.5e21 }]
      },
      { name: "y", help: "y", type: "gauge", samples: [{ value: Number.NaN }] }
    ])
    assert.deepStrictEqual(readMetrics(text).get("x_total")?.samples, [
      { name: "x_total", labels: { nasty, b: "" }, value: 1.5e21 }
    ])
  })

  it("adds up what was counted, by labels", () => {
    const labels = { method: "GET", route: "/test/{id}", status: "200" }
    const before = valueOf("plugfest_http_requests_total", labels)
    countRequest("GET", "/test/{id}", 200, 0.003)
    countRequest("GET", "/test/{id}", 200, 0.003)
    countRequest("GET", "/test/{id}", 404, 0.003)
    assert.strictEqual(valueOf("plugfest_http_requests_total", labels) - before, 2)
  })

  it("counts a duration in every bucket that it fits in", () => {
    const bucket = (le: string) =>
      valueOf("plugfest_exchange_duration_seconds", { outcome: "timed_out", le }, "_bucket")
    const before = [bucket("0.1"), bucket("30"), bucket("+Inf")]
    countExchange("timed_out", undefined, 12)
    assert.deepStrictEqual(
      [bucket("0.1"), bucket("30"), bucket("+Inf")].map((count, index) => count - before[index]!),
      [0, 1, 1]
    )
  })

  it("gives a method that somebody made up no series of its own", () => {
    countRequest("BREW", "other", 405, 0.001)
    const samples = read().get("plugfest_http_requests_total")?.samples ?? []
    const methods = samples.map(({ labels }) => labels["method"])
    assert.include(methods, "other")
    assert.notInclude(methods, "BREW")
  })

  it("has metrics without labels, too", () => {
    const before = valueOf("plugfest_ledger_lines_total")
    countBatch(7, 0.002)
    assert.strictEqual(valueOf("plugfest_ledger_lines_total") - before, 7)
  })
})
