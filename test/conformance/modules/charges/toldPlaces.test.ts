/** An EMSP that is told locations and tariffs: what is left there, and what is told of a late change. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { isEventOf } from "../../../../schema/LedgerEvent.ts"
import { allChecks } from "../../../../src/conformance/catalogue/suites.ts"
import { gradedQuickly } from "../../../support/parties/quickWorld.ts"

const mine = allChecks.filter(({ id, mode }) => mode === "MUT" && /^(LOC|TAR)-/.test(id))

describe("an EMSP that is told of places and prices", () => {
  it.live("leaves nothing in use behind", () =>
    Effect.gen(function* () {
      const checks = mine.filter(({ versions }) => versions.includes("2.2.1")).map(({ id }) => id)
      const { events } = yield* gradedQuickly({ version: "2.2.1", role: "EMSP", checks })
      const sent = events.filter(isEventOf("exchange.completed")).map(({ exchange }) => exchange)
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
