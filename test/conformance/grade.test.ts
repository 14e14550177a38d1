import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Assertion } from "../../schema/Assertion.ts"
import type { Exchange } from "../../schema/Exchange.ts"
import { profileOf } from "../../schema/ocpi/versions.ts"
import { grade } from "../../src/conformance/grading/grade.ts"
import { type Check, inconclusive, pass, type SuiteScope } from "../../src/conformance/model/Check.ts"
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
  profile: "lenient" | "strict" = "strict",
  checks: ReadonlyArray<Check> = []
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
  return grade(one, makeEvidence(world, new Map(Object.entries(gathered))), { scope, profile, checks })
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
  })

  it("takes the worse of two parts of a rule", () => {
    const assertion = graded(check(broken({ message: "weak", strength: "should" }, { message: "strong" })))
    assert.strictEqual(assertion.outcome, "failed")
    assert.strictEqual(assertion.message, "strong; weak")
  })

  it("warns in the lenient profile where the check says so, and in no other check", () => {
    const soft = check({ lenient: () => true, ...broken({ message: "wrong" }) })
    assert.strictEqual(graded(soft, undefined, "lenient").outcome, "warned")
    assert.strictEqual(graded(soft, undefined, "strict").outcome, "failed")
    assert.strictEqual(graded(check(broken({ message: "wrong" })), undefined, "lenient").outcome, "failed")
  })

  it("says one sentence for each kind of finding, with its number and three places, and keeps all places", () => {
    const findings = Array.from({ length: 25 }, (_, index) => ({
      message: `id is ${index}, which is no text (/data/${index}/id)`,
      pointer: `/data/${index}/id`,
      actual: String(index)
    }))
    const other = { message: "the list is not sorted" }
    const found = graded(check(broken(...findings, other)))
    assert.strictEqual(
      found.message,
      "id is 0, which is no text (/data/0/id), 25 times, also at /data/1/id and /data/2/id; the list is not sorted"
    )
    assert.deepStrictEqual(
      found.findings?.map(({ count, places }) => [count, places.length, places.at(-1)?.actual]),
      [
        [25, 25, "24"],
        [1, 1, undefined]
      ]
    )
  })

  it("is one kind of finding where only the object differs that the sentence names", () => {
    const findings = ["A1", "B2"].map((id, index) => ({
      message: `the EVSE ${id} is not in the list (/data/${index})`,
      pointer: `/data/${index}`,
      actual: JSON.stringify(id)
    }))
    assert.deepStrictEqual(
      graded(check(broken(...findings))).findings?.map(({ count }) => count),
      [2]
    )
  })

  it("says for each kind what to change and how to repeat its request, ours or the partner's", () => {
    const called = {
      ...answered,
      exchange: { ...answered.exchange, id: "exc_2", direction: "inbound" as const }
    }
    const ours = { message: "one", hint: "Send one.", exchangeId: "exc_1" }
    const theirs = { message: "two", exchangeId: "exc_2" }
    const found = graded(check({ ...broken(ours, theirs), hint: "Read the text." }), {
      probe: { seen: [answered, called] }
    })
    assert.strictEqual(found.hint, "Send one.")
    assert.deepStrictEqual(
      found.findings?.map(({ hint }) => hint),
      [undefined, "Read the text."]
    )
    for (const kind of found.findings ?? []) assert.match(kind.curl ?? "", /^curl .*TOKEN/)
  })

  it("keeps every place of each kind", () => {
    const findings = [
      ...Array.from({ length: 2000 }, (_, index) => ({
        message: `number ${index}`,
        pointer: `/data/${index}`
      })),
      ...Array.from({ length: 5 }, (_, index) => ({ message: "no text", pointer: `/data/${index}` }))
    ]
    const kinds = graded(check(broken(...findings))).findings
    assert.deepStrictEqual(
      kinds?.map(({ count, places }) => [count, places.length]),
      [
        [2000, 2000],
        [5, 5]
      ]
    )
  })

  it("names the object of a finding by its ids, and by its page when it has none", () => {
    const request = { ...answered.exchange.request, url: `${root}/locations?offset=50` }
    const json = { data: [{ id: "LOC1", evses: [{ uid: "E1" }] }, {}] }
    const seen = { ...answered, json, exchange: { ...answered.exchange, request } }
    const objects = ["/data/0/evses/0/status", "/data/1/id"].map((pointer) => {
      const one = check(broken({ message: "wrong", pointer, exchangeId: "exc_1" }))
      return graded(one, { probe: { seen: [seen] } }).findings?.[0]?.places[0]?.object
    })
    assert.deepStrictEqual(objects, [
      "LOC1, EVSE E1",
      `entry 2 of ${new URL(request.url).pathname}?offset=50`
    ])
  })

  it("attributes what did not pass to one of a closed set", () => {
    const attribution = (one: Check, gathered?: Record<string, Gathered>) => graded(one, gathered).attribution
    const reading = { readings: ["one way", "another way"], section: "mod_tokens" } as const
    assert.deepStrictEqual(
      [
        attribution(check()),
        attribution(check(broken({ message: "wrong" }))),
        attribution(check(broken({ message: "wrong", ambiguous: reading }))),
        attribution(check(), { probe: { seen: [without({ outcome: "unknown" })] } }),
        attribution(check(), { probe: withheld("unobservable", "no driver came") }),
        attribution(check(), { probe: withheld("not_applicable", "none") })
      ],
      [undefined, "partner", "ambiguous", "ours", "operator", undefined]
    )
  })

  it("attributes to the operator what was waited for, and nothing that follows from an answer or from our own stop", () => {
    const of = (gathered: Gathered) => graded(check(), { probe: gathered }).attribution
    assert.deepStrictEqual(
      [
        of(withheld("not_tested", "the command before it was answered HTTP 202")),
        of({ seen: [answered], stopped: "run" }),
        of({ ...withheld("unobservable", "no result came in the last 2 waits for one"), givenUp: {} }),
        of(withheld("not_tested", "the connection is not registered", "operator"))
      ],
      ["partner", undefined, "partner", "operator"]
    )
    const left = check({ needs: () => ["script#left out"] })
    assert.strictEqual(graded(left, { script: { seen: [] } }).attribution, "partner")
    const unjudged = check({ judge: () => inconclusive("not_tested", "no command was accepted") })
    assert.strictEqual(graded(unjudged).attribution, "partner")
  })

  it("gives a hint by what came where a request is refused that was to be accepted, before the hint of the check", () => {
    const hintAt = (httpStatus: number, expected: string, body: string | null = null) => {
      const response = { httpStatus, ocpiStatusCode: null, headers: {}, body, truncated: false }
      const exchange = { ...answered.exchange, response }
      return graded(
        check({ ...broken({ message: "wrong", expected, exchangeId: "exc_1" }), hint: "Answer the list." }),
        { probe: { seen: [{ ...answered, exchange }] } }
      ).hint
    }
    assert.match(`${hintAt(401, "HTTP 200, status_code 1000")}`, /^The token .*refused.* Answer the list\.$/)
    assert.match(
      `${hintAt(403, "HTTP 200, status_code 1000", "<title>Blocked</title>")}`,
      /order: a gateway.*; or the token/
    )
    assert.match(
      `${hintAt(403, "HTTP 200 or 201, status_code 1000", '{"status_code":2000}')}`,
      /order: the token.*; or a gateway/
    )
    assert.match(`${hintAt(405, "HTTP 200, status_code 1000")}`, /does not offer that method/)
    assert.match(`${hintAt(503, "HTTP 200, status_code 1000")}`, /gateway answered/)
    assert.strictEqual(hintAt(404, "HTTP 405"), "Answer the list.")
    assert.strictEqual(hintAt(200, "HTTP 200, status_code 1000"), "Answer the list.")
  })

  it("does not blame the partner where its data name another host that may not get our token", () => {
    const fault = { kind: "other_host", message: "our token is not sent there" } as const
    const seen = without({ outcome: "blocked", operation: "list", fault })
    const found = graded(check(), { probe: { seen: [seen] } })
    assert.deepStrictEqual([found.outcome, found.attribution], ["not_tested", "ours"])
    assert.isUndefined(found.blockedBy?.check)
  })

  it("names both readings of an ambiguous text, and warns at most in the lenient profile", () => {
    const ambiguous = { readings: ["one way", "another way"], section: "mod_tokens, Token object" } as const
    for (const one of [
      check({ ambiguous, ...broken({ message: "wrong" }) }),
      check(broken({ message: "wrong", ambiguous }))
    ]) {
      assert.strictEqual(graded(one, undefined, "strict").outcome, "failed")
      const found = graded(one, undefined, "lenient")
      assert.strictEqual(found.outcome, "warned")
      assert.match(
        found.message ?? "",
        /two ways \(mod_tokens, Token object\): one way; or another way\. .*wrong$/
      )
      assert.deepStrictEqual(found.ambiguity, ambiguous)
    }
  })

  it("holds a partner to account that was reached and did not answer", () => {
    for (const outcome of ["timed_out", "reset"] as const) {
      const assertion = graded(check(), { probe: { seen: [without({ outcome })] } })
      assert.strictEqual(assertion.outcome, "failed", outcome)
    }
  })

  it("blocks a check whose requests reached nobody, and attributes it to the network", () => {
    for (const kind of ["dns", "refused"] as const) {
      const seen = without({ outcome: "refused", fault: { kind, message: "no way" } })
      const found = graded(check(), { probe: { seen: [seen] } })
      assert.deepStrictEqual(
        [found.outcome, found.attribution, found.blockedBy?.exchangeId],
        ["not_tested", "network", "exc_1"]
      )
      assert.match(found.reason ?? "", /was not delivered: .*no way/)
      const one = check({ partial: true, ...broken({ message: "wrong", exchangeId: "exc_2" }) })
      const rest = { ...answered, exchange: { ...answered.exchange, id: "exc_2" } }
      assert.strictEqual(graded(one, { probe: { seen: [seen, rest] } }).outcome, "failed")
    }
  })

  it("never counts our own faults against the partner", () => {
    const ours = [
      without({ outcome: "blocked", fault: { kind: "blocked", message: "private range" } }),
      without({ outcome: "unknown" })
    ]
    for (const seen of ours) {
      const assertion = graded(check(), { probe: { seen: [seen] } })
      assert.strictEqual(assertion.outcome, "error")
      assert.isNotEmpty(assertion.reason)
    }
  })

  const refusedWith = (httpStatus: number, body: string, headers = {}): Observation => ({
    ...answered,
    json: undefined,
    exchange: {
      ...answered.exchange,
      id: "exc_2",
      response: { ...answered.exchange.response!, httpStatus, body, headers }
    }
  })
  const fieldRequired = JSON.stringify({
    detail: [{ loc: ["body", "state"], msg: "Field required", type: "missing" }]
  })

  it("does not judge a rate-limited answer, unless the rule is about limits", () => {
    const limited = refusedWith(429, "", { "retry-after": "7" })
    const one = (change: Partial<Check> = {}) =>
      check({ ...broken({ message: "wrong", exchangeId: "exc_2" }), ...change })
    const found = graded(one(), { probe: { seen: [limited] } })
    assert.deepStrictEqual([found.outcome, found.blockedBy?.exchangeId], ["not_tested", "exc_2"])
    assert.match(found.reason ?? "", /HTTP 429 \(too many requests\), Retry-After: 7/)
    assert.strictEqual(graded(one({ ofLimits: true }), { probe: { seen: [limited] } }).outcome, "failed")
    const several = { probe: { seen: [answered, limited] } }
    assert.strictEqual(graded(one({ partial: true }), several).outcome, "not_tested")
    assert.strictEqual(
      graded(check({ partial: true, ...broken({ message: "wrong", exchangeId: "exc_1" }) }), several).outcome,
      "failed"
    )
  })

  it("quotes the partner where it refuses a request, and nowhere else", () => {
    const one = (exchangeId: string) => check(broken({ message: "refused", exchangeId }))
    const seen = [answered, refusedWith(422, fieldRequired)]
    assert.strictEqual(graded(one("exc_2"), { probe: { seen } }).partnerSaid, "body.state: Field required")
    assert.isUndefined(graded(one("exc_1"), { probe: { seen } }).partnerSaid)
  })

  describe("of a check with preconditions", () => {
    const requires = () => [{ answers: "plain", what: "a plain PUT of a token", check: "TST-000" }]
    const needy = check({ requires, ...broken({ message: "wrong" }) })
    const gathered = (plain: Gathered) => ({ probe: { seen: [answered] }, plain })

    it("is blocked by the answer that was not as required, with the partner's words", () => {
      const found = graded(needy, gathered({ seen: [refusedWith(422, fieldRequired)] }))
      assert.deepStrictEqual(
        [
          found.outcome,
          found.attribution,
          found.blockedBy?.check,
          found.blockedBy?.exchangeId,
          found.partnerSaid
        ],
        ["not_tested", "partner", "TST-000", "exc_2", "body.state: Field required"]
      )
      assert.match(found.reason ?? "", /^a plain PUT of a token has to be accepted first, and .* HTTP 422/)
      assert.isUndefined(found.message)
    })

    it("is judged when the precondition holds, or was not gathered", () => {
      assert.strictEqual(graded(needy, gathered({ seen: [answered] })).outcome, "failed")
      assert.strictEqual(graded(needy, gathered(withheld("not_applicable", "none"))).outcome, "failed")
      assert.strictEqual(graded(needy).outcome, "failed")
    })

    it("is blocked by a check that failed, by the cause of one that is blocked, and by no other", () => {
      const first = (change: Partial<Check>) => check({ id: "TST-000", ...change })
      const second = check({
        id: "TST-002",
        requires: () => [{ check: "TST-000" }],
        ...broken({ message: "2" })
      })
      const third = check({
        id: "TST-003",
        requires: () => [{ check: "TST-002" }],
        ...broken({ message: "3" })
      })
      const of = (one: Check, ...others: ReadonlyArray<Check>) =>
        graded(one, undefined, "strict", [one, ...others])
      const bad = first(broken({ message: "twice", exchangeId: "exc_1" }))
      assert.strictEqual(of(second, bad).blockedBy?.check, "TST-000")
      assert.match(of(second, bad).reason ?? "", /TST-000 failed: twice/)
      assert.strictEqual(of(third, second, bad).blockedBy?.check, "TST-000")
      assert.strictEqual(of(second, first({})).outcome, "failed")
      assert.strictEqual(
        of(second, first({ strength: "should", ...broken({ message: "1" }) })).outcome,
        "failed"
      )
      assert.strictEqual(of(second).outcome, "failed")
    })
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

    it("is a finding, too, where nobody answers at the host", () => {
      const dead = "http://pages.elsewhere.example/versions?offset=1"
      const seen = [
        page(dead),
        {
          ...without({
            outcome: "refused",
            fault: { kind: "dns", message: "ENOTFOUND" },
            request: { ...answered.exchange.request, url: dead }
          }),
          linkedFrom: answered.exchange.request.url
        }
      ]
      const found = graded(check({ ofLinks: true }), { probe: { seen } })
      assert.deepStrictEqual([found.outcome, found.attribution], ["failed", "partner"])
      assert.match(
        found.message ?? "",
        /another host, "pages\.elsewhere\.example", which does not answer: ENOTFOUND/
      )
      const other = graded(check(), { probe: { seen } })
      assert.deepStrictEqual([other.outcome, other.attribution], ["not_tested", "partner"])
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
  const request = { method: "PUT", url: `${root}/tokens/1`, headers: {}, body: "@/etc/passwd" }

  it("has the headers that matter, and a body that curl takes as it is", () => {
    const headers = { "x-request-id": "r1", "user-agent": "plugfest", "content-type": "text/plain" }
    assert.strictEqual(
      curlLine({ request: { ...request, headers } }),
      `curl -sS -i -X PUT -H 'x-request-id: r1' -H 'content-type: text/plain' --data-raw '@/etc/passwd' '${root}/tokens/1'`
    )
  })

  it("reads from a file a body that is long or was not kept whole", () => {
    const command = `curl -sS -i -X PUT -H 'content-type: application/json' --data-binary @exc_1.request '${root}/tokens/1'`
    assert.strictEqual(curlLine({ id: "exc_1", request: { ...request, body: "x".repeat(2001) } }), command)
    assert.strictEqual(curlLine({ id: "exc_1", request: { ...request, truncated: true } }), command)
  })

  it("lets curl read no pattern in a URL of the partner", () => {
    assert.match(curlLine({ request: { ...request, url: `${root}/[1-9]` } }), /^curl -sS -i -g -X PUT /)
  })

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
        withheld(
          "not_tested",
          "versions was not answered; the connection was made: see in the partner's log what keeps its service from answering, then run again",
          "network"
        )
      )
    })
  )
})

describe("a call from before the run", () => {
  const call = (id: string, startedAt: string, operation = "START_SESSION"): Observation => ({
    ...answered,
    exchange: { ...answered.exchange, id, direction: "inbound", module: "commands", operation, startedAt }
  })
  const secondsAgo = (seconds: number) => new Date(Date.parse(now) - seconds * 1000).toISOString()
  /** The outcome, when a check finds something wrong with some of these calls. */
  const outcomeOf = (calls: ReadonlyArray<Observation>, ...wrong: ReadonlyArray<string>) => {
    const findings = wrong.map((exchangeId) => ({ message: "wrong", exchangeId }))
    return graded(check({ needs: () => ["inbound"], ...broken(...findings) }), { inbound: { seen: calls } })
      .outcome
  }

  it("is no finding where a later one of the same kind is right", () => {
    const old = call("exc_old", secondsAgo(60))
    assert.strictEqual(outcomeOf([old], "exc_old"), "failed")
    assert.strictEqual(outcomeOf([old, call("exc_new", secondsAgo(30))], "exc_old"), "passed")
    assert.strictEqual(outcomeOf([old, call("exc_new", now)], "exc_old"), "passed")
  })

  it("is one where the later one is of another kind, or as wrong", () => {
    const old = call("exc_old", secondsAgo(60))
    const other = call("exc_new", now, "STOP_SESSION")
    assert.strictEqual(outcomeOf([old, other], "exc_old"), "failed")
    assert.strictEqual(outcomeOf([old, call("exc_new", now)], "exc_old", "exc_new"), "failed")
  })

  it("is not compared with calls of the run, of which each one counts", () => {
    const calls = [call("exc_a", now), call("exc_b", new Date(Date.parse(now) + 1000).toISOString())]
    assert.strictEqual(outcomeOf(calls, "exc_a"), "failed")
  })
})
