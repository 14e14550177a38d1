/** A run that is cancelled, or out of time: what it saw counts, and what it did not wait for accuses nobody. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Exchange } from "../../../schema/Exchange.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import type { GradingOptions } from "../../../src/conformance/grading/gradeSafely.ts"
import { type Gathered, makeEvidence, type Observation } from "../../../src/conformance/model/Evidence.ts"
import { cutShort, type Probe } from "../../../src/conformance/model/Probe.ts"
import { cdrPushesChecks } from "../../../src/conformance/modules/cdrs/cdrPushes.ts"
import { sessionPushesChecks } from "../../../src/conformance/modules/sessions/sessionPushes.ts"
import { gradeCutShort } from "../../../src/conformance/run/cutShort.ts"
import { gather, gatherObserved } from "../../../src/conformance/run/gather.ts"
import { answered } from "../support/handmade.ts"
import { now, party } from "../support/honestPartner.ts"

const reason = "the time limit of 15 minutes was reached"
const scope = { profile: profileOf("2.2.1"), role: "CPO" } as const
const options: GradingOptions = {
  scope,
  profile: "strict",
  accept: [],
  needOf: () => "partner_acts",
  withholding: () => undefined
}
const evidenceOf = (results: ReadonlyMap<string, Gathered>) =>
  makeEvidence(
    {
      party,
      profile: scope.profile,
      startedAt: now,
      trustedPrefixes: [],
      mark: "TST-000001",
      graceSeconds: 0,
      tokens: []
    },
    results
  )

/** A session that ended, and took energy. */
const ended = (kwh: number): Observation => {
  const body = { id: "S1", status: "COMPLETED", kwh, last_updated: now }
  const exchange: Exchange = {
    id: `exc_${kwh}`,
    direction: "inbound",
    module: "sessions",
    operation: "PUT session",
    request: {
      method: "PUT",
      url: "https://us.example/ocpi/2.2.1/sessions/NL/TNM/S1",
      headers: {},
      body: JSON.stringify(body),
      truncated: false
    },
    response: { httpStatus: 200, ocpiStatusCode: 1000, headers: {}, body: "{}", truncated: false },
    outcome: "completed",
    startedAt: now,
    durationMs: 1,
    requestId: "r",
    correlationId: "c"
  }
  return { exchange, json: body, about: "" }
}

const graded = (id: string, gathered: Readonly<Record<string, Gathered>>) => {
  const check = [...cdrPushesChecks, ...sessionPushesChecks].find((one) => one.id === id)!
  return gradeCutShort(check, evidenceOf(new Map(Object.entries(gathered))), options, reason)
}

describe("a check of a run that was cut short", () => {
  const seen = { seen: [ended(5), ended(4)] }

  it("is graded when its evidence is complete", () => {
    assert.strictEqual(graded("SESS-029", { "charging.calls": seen }).outcome, "warned")
  })

  it("accuses nobody of what there was no time left for", () => {
    const cut = { "charging.calls": seen, "cdrs.told": cutShort(reason) }
    const assertion = graded("CDR-036", cut)
    assert.deepStrictEqual([assertion.outcome, assertion.reason], ["not_tested", reason])
    assert.strictEqual(graded("CDR-036", { "charging.calls": seen }).outcome, "not_tested")
    // With the list it is complete, and the CDR is not there.
    assert.strictEqual(
      graded("CDR-036", { "charging.calls": seen, "cdrs.told": { seen: [answered("cdrs", [])] } }).outcome,
      "warned"
    )
  })

  it("says that the run was cut short where nothing came by then", () => {
    const assertion = graded("SESS-029", { "charging.calls": { seen: [] } })
    assert.deepStrictEqual([assertion.outcome, assertion.reason], ["not_tested", reason])
  })
})

describe("calls of the partner", () => {
  const settling: Probe = { id: "settled", steps: [{ id: "cdr", act: () => undefined }] }
  const calls: Probe = { id: "calls", after: ["settled"], source: "inbound.run" }
  const stateOf = (results: Map<string, Gathered>, played: Gathered) => ({
    probes: new Map([settling, calls].map((probe) => [probe.id, probe])),
    results,
    evidence: evidenceOf(results),
    send: () => Effect.die("nothing is sent"),
    script: () => Effect.succeed(played),
    inbound: () => Effect.succeed({ seen: [ended(1)] })
  })

  it.effect("after a script that was cut off are not told as if it were over", () =>
    Effect.gen(function* () {
      const results = new Map<string, Gathered>()
      yield* gather(stateOf(results, { seen: [], stopped: "run" }), ["calls"])
      assert.strictEqual(
        graded("SESS-029", { "charging.calls": results.get("calls")! }).outcome,
        "not_tested"
      )
      const whole = new Map<string, Gathered>()
      yield* gather(stateOf(whole, { seen: [] }), ["calls"])
      assert.deepStrictEqual(whole.get("calls"), { seen: [ended(1)] })
    })
  )

  it.effect("are read at the end only where nothing has to be begun for them", () =>
    Effect.gen(function* () {
      const results = new Map<string, Gathered>()
      yield* gatherObserved(stateOf(results, { seen: [] }), ["calls"])
      assert.isFalse(results.has("calls") || results.has("settled"))
      results.set("settled", { seen: [] })
      yield* gatherObserved(stateOf(results, { seen: [] }), ["calls"])
      assert.isTrue(results.has("calls"))
    })
  )
})
