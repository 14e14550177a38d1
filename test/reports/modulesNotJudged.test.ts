/** Modules without checks: each form of a report says so, whatever the partner calls its own. */
import { assert, describe, it } from "vitest"
import type { RunReport } from "../../schema/RunReport.ts"
import { notJudgedOf, suiteById } from "../../src/conformance/catalogue/suites.ts"
import type { RunFacts, RunRow } from "../../src/ledger/Ledger.ts"
import { reportOf } from "../../src/ledger/run/runReport.ts"
import { render } from "../../src/reports/render.ts"
import { unjudgedLines } from "../../src/reports/text.ts"
import { modulesNotJudged } from "../../src/reports/unjudged.ts"
import { document } from "../support/documents.ts"

const suite = (id: string) => suiteById(id)!
const announcing = (id: string, ...identifiers: ReadonlyArray<string>) =>
  notJudgedOf(suite(id), identifiers).map(({ announced, module }) => [module, announced])

describe("the modules that no suite judges", () => {
  it("are those of the version's other documents, with their editions, and those of the partner", () => {
    assert.deepStrictEqual(
      announcing("ocpi-2.3.0-cpo-core", "credentials", "INVOICERECONCILIATION", "x-fleet"),
      [
        ["invoicereconciliation", true],
        ["Booking", false],
        ["x-fleet", true]
      ]
    )
    const [invoices] = notJudgedOf(suite("ocpi-2.3.0-cpo-full"), ["locations"])
    assert.include(invoices?.name, "Invoice Reconciliation (OCPI 2.3.0 edition 2)")
  })

  it("have those of the partner's role only: nothing of payments is judged of an EMSP", () => {
    const names = (id: string) =>
      announcing(id, "payments").flatMap(([module, is]) => (is === true ? [module] : []))
    assert.deepStrictEqual(names("ocpi-2.3.0-cpo-full"), [])
    assert.deepStrictEqual(names("ocpi-2.3.0-emsp-full"), ["payments"])
  })

  it("are announced by nobody before a registration, and bounded where a partner invents many", () => {
    assert.deepStrictEqual(announcing("ocpi-2.3.0-cpo-registration"), [
      ["invoicereconciliation", undefined],
      ["Booking", undefined]
    ])
    const many = Array.from({ length: 50 }, (_, index) => `x-${index}-${"y".repeat(300)}`)
    const found = notJudgedOf(suite("ocpi-2.2.1-cpo-core"), many)
    assert.isAtMost(found.length, 20)
    assert.isTrue(found.every(({ name }) => name.length < 120))
  })
})

describe("a report", () => {
  const notJudged = notJudgedOf(suite("ocpi-2.3.0-cpo-full"), ["locations", "Booking", "x-<b>@octocat</b>"])
  const report: RunReport = { ...document.report, ocpiVersion: "2.3.0", notJudged }
  const of = (format: Parameters<typeof render>[1], told: RunReport = report) =>
    render({ ...document, report: told }, format).text

  it("has no id twice in a page that names modules beside those that it judged", () => {
    const ids = [...of("html").matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)
    assert.strictEqual(new Set(ids).size, ids.length)
  })

  it.each(["json", "html", "markdown", "junit", "har"] as const)("says so as %s", (format) => {
    const text = of(format)
    assert.include(text, "Bookings (OCPI 2.3.0 with Bookings 1.0 or 1.1)")
    assert.include(text, "Invoice Reconciliation (OCPI 2.3.0 edition 2)")
    if (format === "html" || format === "junit") assert.notInclude(text, "<b>@")
    const { notJudged: _, ...without } = report
    assert.notInclude(of(format, without), "Invoice Reconciliation")
  })

  it("says so on the terminal, what the partner announces first", () => {
    const [first, second] = unjudgedLines([], report)
    assert.match(
      first ?? "",
      /The partner announces modules that plugfest does not judge: Bookings .*, x-<b>/
    )
    assert.match(second ?? "", /Other modules of OCPI 2\.3\.0 .*: Invoice Reconciliation/)
    assert.deepStrictEqual(modulesNotJudged({ ocpiVersion: "2.2.1" }), [])
  })

  it("has them from the plan of its run, and a run of an older release has none", () => {
    const of = (plan: RunFacts["plan"]) =>
      reportOf({
        facts: { plan, kind: "conformance" },
        snapshot: { view: { status: "completed", waitingFor: null } }
      } as unknown as RunRow).notJudged
    assert.deepStrictEqual(of({ notJudged }), notJudged)
    assert.isUndefined(of({}))
    assert.isUndefined(of({ notJudged: "x" }))
  })
})
