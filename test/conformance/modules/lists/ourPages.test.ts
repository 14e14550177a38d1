/** Partners that read our lists: honest ones follow our links, and who computes pages is told so. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Exchange } from "../../../../schema/Exchange.ts"
import type { OcpiVersion } from "../../../../schema/ocpi/OcpiVersion.ts"
import type { Role } from "../../../../schema/ocpi/Role.ts"
import { versionNumbers } from "../../../../schema/ocpi/versions.ts"
import type { Evidence } from "../../../../src/conformance/model/Evidence.ts"
import { ourPagesChecks } from "../../../../src/conformance/modules/paging/ourPages.ts"
import { bothRoles } from "../../../../src/sandbox/faults/Fault.ts"
import { gradedQuickly } from "../../../support/parties/quickWorld.ts"

const [check] = ourPagesChecks

const outcome = (role: Role, version: OcpiVersion, faults: ReadonlyArray<string>) =>
  Effect.map(
    gradedQuickly({ role, version, faults, checks: [check!.id], activity: "lively", listenSeconds: 100 }),
    ({ assertions: [assertion] }) => assertion?.outcome
  )

describe("a partner that reads our lists", () => {
  const partners = versionNumbers.flatMap((version) => bothRoles.map((role) => ({ role, version })))
  it.live.each(partners)("follows the links when it is an honest $role in $version", ({ role, version }) =>
    Effect.map(outcome(role, version, []), (is) => assert.strictEqual(is, "passed"))
  )

  it.live.each(partners)("is warned when it computes pages, as a $role in $version", ({ role, version }) =>
    Effect.map(outcome(role, version, ["paging.links-rebuilt"]), (is) => assert.strictEqual(is, "warned"))
  )
})

describe("pages of ours", () => {
  const at = "https://us.example/ocpi/2.2.1/locations"
  /** A GET of our locations that was answered; `next` is the query of the link in the answer. */
  const read = (seconds: number, query: string, next?: string): Exchange => ({
    id: `exc_${seconds}`,
    direction: "inbound",
    module: "locations",
    operation: "list",
    request: { method: "GET", url: `${at}${query}`, headers: {}, body: null, truncated: false },
    response: {
      httpStatus: 200,
      ocpiStatusCode: 1000,
      headers: next === undefined ? {} : { Link: `<${at}${next}>; rel="next"` },
      body: "{}",
      truncated: false
    },
    outcome: "completed",
    startedAt: new Date(Date.UTC(2026, 5, 1) + seconds * 1000).toISOString(),
    durationMs: 1,
    requestId: "r",
    correlationId: "c"
  })
  const judgedOf = (cut: ReadonlyArray<string>, exchanges: ReadonlyArray<Exchange>) => {
    const seen = exchanges.map((exchange) => ({ exchange, json: undefined, about: "" }))
    const evidence = { startedAt: "2026-06-01T00:00:00Z", seen: () => seen, gathered: () => ({ seen, cut }) }
    return check!.judge(evidence as unknown as Evidence) // the check looks at nothing else
  }
  const judged = (...exchanges: ReadonlyArray<Exchange>) => judgedOf([], exchanges)

  it("may be asked for through another host and with the query in another order", () => {
    const other = read(1, "?limit=2&offset=2")
    const url = "http://proxy.internal/ocpi/2.2.1/locations?limit=2&offset=2"
    const asked = { ...other, request: { ...other.request, url } }
    assert.strictEqual(judged(read(0, "", "?offset=2&limit=2"), asked).is, "pass")
  })

  it("that were never gone on from are a finding when there was time", () => {
    assert.strictEqual(judged(read(0, "", "?offset=50"), read(90, "?date_from=x")).is, "fail")
    assert.strictEqual(judged(read(0, "", "?offset=50"), read(10, "?date_from=x")).is, "inconclusive")
  })

  it("are no finding where not all calls are kept: the next page may have been asked for in one of the others", () => {
    const calls = [read(0, "", "?offset=50"), read(90, "?date_from=x")]
    const judgement = judgedOf(["locations"], calls)
    assert.deepInclude(judgement, { is: "inconclusive", outcome: "not_tested", attribution: "ours" })
    assert.strictEqual(judgedOf(["commands"], calls).is, "fail")
  })

  it("are a finding when a partner gives a limit and never follows a link", () => {
    const first = read(0, "?limit=50", "?offset=50&limit=50")
    const judgement = judged(first, read(90, "?limit=50", "?offset=50&limit=50"), read(200, "?date_from=x"))
    assert.strictEqual(judgement.is, "fail")
    assert.include(JSON.stringify(judgement), "asked for one page, or it does not follow the Link")
  })

  it("are nothing to judge when a partner that follows links elsewhere gives a limit", () => {
    const glance = read(0, "?limit=50", "?offset=50&limit=50")
    const others = [read(1, "?date_from=x", "?date_from=x&offset=50"), read(2, "?date_from=x&offset=50")]
    const sessions = others.map((one) => ({ ...one, module: "sessions" }))
    assert.strictEqual(judged(glance, ...sessions, read(200, "?date_from=y")).is, "pass")
  })

  it("are nothing to judge when the partner wanted one page only", () => {
    assert.strictEqual(
      judged(read(0, "?limit=1", "?offset=1&limit=1"), read(90, "?date_from=x")).is,
      "inconclusive"
    )
  })
})
