/** An EMSP that is told locations and tariffs: the honest one passes in every version, each fault is caught by its check. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { versionNumbers } from "../../../schema/ocpi/versions.ts"
import { allChecks } from "../../../src/conformance/suites.ts"
import { faultLibrary } from "../../../src/sandbox/faults/faultLibrary.ts"
import { gradedQuickly } from "../quickWorld.ts"

const mine = allChecks.filter(({ id, mode }) => mode === "MUT" && /^(LOC|TAR)-/.test(id))
/** Records what the text leaves open. */
const recording = ["LOC-115"]
/** Who takes nothing new, or forgets a field of everything, breaks more than one rule. */
const wide: ReadonlySet<string> = new Set([
  "locations.new-refused",
  "locations.forgets-city",
  "tariffs.new-refused"
])

describe("an EMSP that is told of places and prices", () => {
  it.live.each(versionNumbers)("is all right when it is honest, in %s", (version) =>
    Effect.gen(function* () {
      const checks = mine.filter(({ versions }) => versions.includes(version)).map(({ id }) => id)
      const { assertions } = yield* gradedQuickly({ version, role: "EMSP", checks })
      assert.deepStrictEqual(assertions.map(({ id }) => id).toSorted(), checks.toSorted())
      assert.deepStrictEqual(
        assertions
          .filter(({ outcome }) => outcome !== "passed")
          .map(({ id, message, outcome, reason }) => ({ id, outcome, why: message ?? reason })),
        []
      )
    })
  )

  it.live("leaves nothing in use behind", () =>
    Effect.gen(function* () {
      const checks = mine.filter(({ versions }) => versions.includes("2.2.1")).map(({ id }) => id)
      const { events } = yield* gradedQuickly({ version: "2.2.1", role: "EMSP", checks })
      const sent = events.flatMap(({ exchange, type }) =>
        type === "exchange.completed" && exchange ? [exchange] : []
      )
      const last = new Map(
        sent.flatMap((one) => (one.request.method === "GET" ? [] : [[one.request.url, one]]))
      )
      const whole = [...last].filter(([url]) => /\/locations\/[^/]+\/[^/]+\/[^/]+$/.test(url))
      const taken = whole.filter(([, { response }]) => response?.ocpiStatusCode === 1000)
      for (const [url, { request }] of taken) assert.match(request.body ?? "", /"REMOVED"/, url)
      for (const [url, { request }] of last)
        if (url.includes("/tariffs/") && request.method === "PUT")
          assert.match(url, /no-|dimension|-patch/, "a tariff that was taken is deleted")
    })
  )

  const proofs = faultLibrary.flatMap(({ caughtBy, id, versions }) =>
    caughtBy
      .filter((check) => mine.some((one) => one.id === check) && !recording.includes(check))
      .flatMap((check) =>
        versions
          .filter((version) => mine.some((one) => one.id === check && one.versions.includes(version)))
          .map((version) => ({ fault: id, check, version }))
      )
  )
  it.live.each(proofs)("$check, and no other, catches $fault in $version", ({ check, fault, version }) =>
    Effect.gen(function* () {
      const checks = mine.filter(({ versions }) => versions.includes(version)).map(({ id }) => id)
      const { assertions } = yield* gradedQuickly({ version, role: "EMSP", checks, faults: [fault] })
      const caught = assertions.filter(({ outcome }) => outcome === "failed" || outcome === "warned")
      const ids = caught.map(({ id }) => id)
      if (wide.has(fault)) assert.include(ids, check)
      else assert.deepStrictEqual(ids, [check], JSON.stringify(caught))
    })
  )

  it.live.each([
    { fault: "locations.late-change-refused", what: "was refused" },
    { fault: "", what: "was applied" }
  ])("says that a late change $what", ({ fault, what }) =>
    Effect.map(
      gradedQuickly({
        version: "2.2.1",
        role: "EMSP",
        checks: ["LOC-115"],
        faults: fault === "" ? [] : [fault]
      }),
      ({ assertions: [assertion] }) => {
        assert.strictEqual(assertion?.outcome, "passed")
        assert.include(assertion?.message ?? "", what)
      }
    )
  )
})
