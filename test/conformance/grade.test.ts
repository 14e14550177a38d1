import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Assertion } from "../../schema/Assertion.ts"
import type { Exchange } from "../../schema/Exchange.ts"
import { profileOf } from "../../schema/ocpi/versions.ts"
import { grade } from "../../src/conformance/grading/grade.ts"
import { type Check, pass, type SuiteScope } from "../../src/conformance/model/Check.ts"
import { type Gathered, makeEvidence, type Observation } from "../../src/conformance/model/Evidence.ts"
import { pageCap, withheld } from "../../src/conformance/model/Probe.ts"
import type { Finding } from "../../src/findings/Flaw.ts"
import { curlLine } from "../../src/reports/curl.ts"
import { evidenceOf, exchanged, honest, now, type Partner, party, root } from "./support/honestPartner.ts"

const scope: SuiteScope = { profile: profileOf("2.2.1"), role: "CPO" }
const answered = exchanged(
  honest,
  { url: new URL(`${root}/versions`), token: "good", about: "", requestId: "r", correlationId: "c" },
  { module: "versions", operation: "list" },
  "exc_1"
)
const without = (change: Partial<Exchange>): Observation => ({
  ...answered,
  json: undefined,
  exchange: { ...answered.exchange, response: null, ...change }
})

const check = (change: Partial<Check> = {}): Check => ({
  id: "TST-001",
  title: "A rule",
  module: "versions",
  versions: ["2.2.1"],
  roles: ["CPO"],
  mode: "RO",
  strength: "must",
  reference: "versions",
  sends: "a request",
  passes: "all is well",
  needs: () => ["probe"],
  judge: () => pass(),
  ...change
})
const broken = (...findings: ReadonlyArray<Finding>) => ({
  judge: () => ({ is: "fail" as const, findings })
})

const graded = (
  one: Check,
  gathered: Record<string, Gathered> = { probe: { seen: [answered] } },
  profile: "lenient" | "strict" = "strict"
): Assertion => {
  const world = {
    party,
    profile: scope.profile,
    startedAt: now,
    trustedPrefixes: [],
    mark: "TST-000001",
    graceSeconds: 0,
    tokens: []
  }
  return grade(one, makeEvidence(world, new Map(Object.entries(gathered))), scope, profile)
}

describe("grade", () => {
  it("lets the strength decide what a broken rule is", () => {
    const outcomes = (["must", "should", "may"] as const).map(
      (strength) => graded(check({ strength, ...broken({ message: "wrong" }) })).outcome
    )
    assert.deepStrictEqual(outcomes, ["failed", "warned", "passed"])
  })

  it("says of what was too large for us that it was not judged, and never that it is wrong", () => {
    const unread = { ...answered, json: undefined, unread: "it has more than 150000 values" }
    const of = (one: Check, ...seen: ReadonlyArray<Observation>) => graded(one, { probe: { seen } })
    const about = (id: string) => broken({ message: "no object", exchangeId: id })
    const silent = of(check(about("exc_1")), unread)
    assert.strictEqual(silent.outcome, "unobservable")
    assert.match(silent.reason ?? "", /too large for us to judge: it has more than 150000 values/)
    const other = { ...answered, exchange: { ...answered.exchange, id: "exc_2" } }
    assert.strictEqual(of(check(about("exc_2")), unread, other).outcome, "failed")
    assert.strictEqual(of(check(), unread).outcome, "passed")
    assert.strictEqual(of(check({ ...about("exc_1"), ofSize: true }), unread).outcome, "failed")
  })

  it("takes the worse of two parts of a rule", () => {
    const assertion = graded(check(broken({ message: "weak", strength: "should" }, { message: "strong" })))
    assert.strictEqual(assertion.outcome, "failed")
    assert.match(assertion.message ?? "", /^strong; 1 more: weak/)
  })

  it("warns in the lenient profile where the check says so, and in no other check", () => {
    const soft = check({ lenient: () => true, ...broken({ message: "wrong" }) })
    assert.strictEqual(graded(soft, undefined, "lenient").outcome, "warned")
    assert.strictEqual(graded(soft, undefined, "strict").outcome, "failed")
    assert.strictEqual(graded(check(broken({ message: "wrong" })), undefined, "lenient").outcome, "failed")
  })

  it("lists ten findings at most, and counts the others", () => {
    const findings = Array.from({ length: 25 }, (_, index) => ({
      message: `wrong ${index}`,
      pointer: `/data/${index}`
    }))
    const { message, pointer } = graded(check(broken(...findings)))
    assert.strictEqual(pointer, "/data/0")
    assert.include(message, "24 more")
    assert.include(message, "wrong 9 ")
    assert.notInclude(message, "wrong 10 ")
  })

  it("holds a partner to account that was reached and did not answer", () => {
    for (const outcome of ["timed_out", "reset", "refused"] as const) {
      const assertion = graded(check(), { probe: { seen: [without({ outcome })] } })
      assert.strictEqual(assertion.outcome, "failed", outcome)
    }
  })

  it("never counts our own faults against the partner", () => {
    const ours = [
      without({ outcome: "blocked", fault: { kind: "blocked", message: "private range" } }),
      without({ outcome: "refused", fault: { kind: "dns", message: "ENOTFOUND" } }),
      without({ outcome: "unknown" })
    ]
    for (const seen of ours) {
      const assertion = graded(check(), { probe: { seen: [seen] } })
      assert.strictEqual(assertion.outcome, "error")
      assert.isNotEmpty(assertion.reason)
    }
  })

  describe("of a link to a next page on a host that is closed", () => {
    const inside = "http://10.1.2.3:8080/versions?offset=1"
    const page = (link: string): Observation => ({
      ...answered,
      exchange: {
        ...answered.exchange,
        response: { ...answered.exchange.response!, headers: { link: `<${link}>; rel="next"` } }
      }
    })
    const refused = (url: string, linkedFrom?: string) => ({
      ...without({
        outcome: "blocked",
        fault: { kind: "blocked", message: "10.1.2.3 is private" },
        request: { ...answered.exchange.request, url }
      }),
      ...(linkedFrom === undefined ? {} : { linkedFrom })
    })
    /** A page with that link, and a request to that URL: by the link where they are the same. */
    const linkedTo = (link: string, url: string) => ({
      probe: {
        seen: [page(link), refused(url, link === url ? answered.exchange.request.url : undefined)]
      }
    })

    it("fails the check about links, and says where it leads", () => {
      for (const partial of [true, false]) {
        const assertion = graded(check({ ofLinks: true, partial }), linkedTo(inside, inside))
        assert.strictEqual(assertion.outcome, "failed")
        assert.match(assertion.message ?? "", /another host, "10\.1\.2\.3:8080".*10\.1\.2\.3 is private/)
        assert.strictEqual(assertion.actual, inside)
      }
    })

    it("leaves the checks untested that only wanted to see the page", () => {
      const assertion = graded(check(), linkedTo(inside, inside))
      assert.strictEqual(assertion.outcome, "not_tested")
      assert.match(assertion.reason ?? "", /leads to another host, "10\.1\.2\.3:8080"/)
    })

    it("still holds the partner to account for what it did not answer besides", () => {
      const { seen } = linkedTo(inside, inside).probe
      const assertion = graded(check(), { probe: { seen: [...seen, without({ outcome: "timed_out" })] } })
      assert.strictEqual(assertion.outcome, "failed")
      assert.notInclude(assertion.message, "10.1.2.3")
    })

    it("is our fault as before where the partner did not name it, or named its own host", () => {
      const own = `${answered.exchange.request.url}?offset=1`
      for (const [link, url] of [
        [`${root}/elsewhere`, inside],
        [own, own]
      ] as const) {
        assert.strictEqual(graded(check({ ofLinks: true }), linkedTo(link, url)).outcome, "error")
      }
    })
  })

  it("says why it did not test", () => {
    const reason = "the partner offers no such endpoint"
    const assertion = graded(check(), { probe: withheld("not_applicable", reason) })
    assert.deepStrictEqual([assertion.outcome, assertion.reason], ["not_applicable", reason])
    assert.strictEqual(graded(check(), {}).outcome, "not_tested")
  })

  it("judges what could be gathered where a rule is about several lists", () => {
    const gathered = { probe: { seen: [answered] }, other: withheld("not_applicable", "none") }
    const needs = () => ["probe", "other"]
    assert.strictEqual(graded(check({ needs, partial: true }), gathered).outcome, "passed")
    assert.strictEqual(graded(check({ needs }), gathered).outcome, "not_applicable")
  })
})

describe("curlLine", () => {
  it("puts a variable where the secret was, in the form in which it travelled", () => {
    const line = curlLine(answered.exchange)
    assert.strictEqual(
      line,
      `curl -sS -i -X GET -H 'authorization: Token '"$(printf %s "$TOKEN" | base64 | tr -d '\\n')" '${root}/versions'`
    )
  })

  it("lets nothing that a partner wrote reach the shell", () => {
    const url = "https://cpo.example/x?a='; rm -rf / #$(id)`id`"
    const line = curlLine({
      ...answered.exchange,
      request: { ...answered.exchange.request, url, headers: {} }
    })
    assert.strictEqual(line, `curl -sS -i -X GET 'https://cpo.example/x?a='\\''; rm -rf / #$(id)\`id\`'`)
  })
})

describe("gather", () => {
  it.effect("ends a crawl whose links never end at the page cap", () =>
    Effect.gen(function* () {
      const endless: Partner = (req) => {
        const offset = Number(req.url.searchParams.get("offset") ?? 0)
        const link = `<${root}/2.2.1/locations?offset=${offset + 1}>; rel="next"`
        return {
          status: 200,
          headers: { link },
          body: { data: [{ id: `L${offset}` }], status_code: 1000, timestamp: "2026-06-01T12:00:00Z" }
        }
      }
      const evidence = yield* evidenceOf(endless, ["locations.crawl"])
      const crawl = evidence.gathered("locations.crawl")
      assert.isTrue(crawl !== undefined && "seen" in crawl && crawl.seen.length === pageCap - 1)
      assert.isTrue(crawl !== undefined && "seen" in crawl && crawl.stopped === "cap")
    })
  )

  it.effect("does not ask on where the answer that it needs did not come", () =>
    Effect.gen(function* () {
      const evidence = yield* evidenceOf(() => "timed_out", ["details"])
      assert.deepStrictEqual(
        evidence.gathered("details"),
        withheld("not_tested", "versions was not answered")
      )
    })
  )
})
