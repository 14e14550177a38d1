/** One cause is reported once: what other checks see of it blocks them, and is no finding of theirs. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { profileOf } from "../../../../schema/ocpi/versions.ts"
import { allChecks } from "../../../../src/conformance/catalogue/suites.ts"
import { grade } from "../../../../src/conformance/grading/grade.ts"
import { probesFor, type SuiteScope } from "../../../../src/conformance/model/Check.ts"
import { type Gathered, makeEvidence, type Observation } from "../../../../src/conformance/model/Evidence.ts"
import { chargingProfileProbes } from "../../../../src/conformance/modules/chargingprofiles/chargingProfilesProbes.ts"
import {
  evidenceOf,
  exchanged,
  honest,
  location,
  now,
  type Partner,
  party,
  type Res,
  root
} from "../../support/honestPartner.ts"

const scope: SuiteScope = { profile: profileOf("2.2.1"), role: "CPO" }
const checkOf = (id: string) => allChecks.find((check) => check.id === id)!
const rules = { scope, profile: "strict", checks: allChecks } as const

const graded = (id: string, partner: Partner) =>
  Effect.map(evidenceOf(partner, probesFor(checkOf(id), scope)), (evidence) =>
    grade(checkOf(id), evidence, rules)
  )

const refusal = (status: number): Res => ({
  status,
  headers: { "content-type": "application/json" },
  body: { detail: [{ loc: ["query", "party"], msg: "Field required" }] }
})
/** Honest, but refuses the requests of which `where` is true. */
const refusing =
  (status: number, where: (url: URL) => boolean): Partner =>
  (req) =>
    where(req.url) ? refusal(status) : honest(req)

const asked = (path: string) => ({
  url: new URL(`${root}/2.2.1/${path}`),
  token: "good" as const,
  about: "",
  requestId: "r",
  correlationId: "c"
})
const answered = (status: number, data?: unknown): Res => ({
  status,
  headers: { "content-type": "application/json" },
  body: { data, status_code: 1000, timestamp: now }
})
/** The answer to a PUT of a token. */
const written = (id: string, status: number): Observation =>
  exchanged(
    () => (status < 300 ? answered(status) : refusal(status)),
    asked("tokens"),
    { module: "tokens", operation: "PUT token" },
    id
  )
const gradedOn = (id: string, gathered: Record<string, Gathered>) => {
  const basis = { party, profile: scope.profile, startedAt: now, mark: "TST-000001", trustedPrefixes: [] }
  const evidence = makeEvidence({ ...basis, graceSeconds: 0, tokens: [] }, new Map(Object.entries(gathered)))
  return grade(checkOf(id), evidence, rules)
}

describe("a partner that refuses every token with 422", () => {
  it.each([
    ["TRANS-035", "objects.extra#put"],
    ["TRANS-038", "objects.nulls#put"],
    ["TRANS-041", "objects.reserved#put"],
    ["TRANS-042", "objects.charset#put"],
    ["TRANS-054", "objects.twice#first"],
    ["TRANS-055", "objects.twice#again"]
  ])("does not fail %s, which is judged where it takes a plain one", (id, step) => {
    const given = (plain: number) => ({
      "objects.nulls#read back": { seen: [written("exc_3", 422)] },
      "objects.reserved#read back": { seen: [written("exc_3", 422)] },
      [step]: { seen: [written("exc_2", 422)] },
      "objects.twice#first": { seen: [written("exc_1", plain)] }
    })
    const found = gradedOn(id, given(422))
    assert.deepStrictEqual(
      [found.outcome, found.attribution, found.blockedBy?.check, found.blockedBy?.exchangeId],
      ["not_tested", "partner", "TOK-101", "exc_1"]
    )
    assert.strictEqual(found.partnerSaid, "query.party: Field required")
    assert.include(["failed", "warned"], gradedOn(id, given(200)).outcome)
  })

  it("fails TOK-101 once, and TOK-110 not at all", () => {
    const first = { "tokens.write#put": { seen: [written("exc_1", 422)] } }
    const rest = {
      "tokens.long#put": { seen: [written("exc_2", 422)] },
      "tokens.long#read back": { seen: [written("exc_3", 404)] }
    }
    const found = gradedOn("TOK-101", first)
    assert.deepStrictEqual([found.outcome, found.partnerSaid], ["failed", "query.party: Field required"])
    assert.strictEqual(gradedOn("TOK-110", { ...first, ...rest }).blockedBy?.check, "TOK-101")
  })
})

describe("a partner without GET credentials", () => {
  it.effect("fails the check of GET credentials, and not that of the token in it", () =>
    Effect.gen(function* () {
      const partner = refusing(404, (url) => url.pathname.endsWith("/credentials"))
      assert.strictEqual((yield* graded("CRED-039", partner)).outcome, "failed")
      const found = yield* graded("CRED-040", partner)
      assert.deepStrictEqual([found.outcome, found.blockedBy?.check], ["not_tested", "CRED-039"])
    })
  )
})

describe("an empty list", () => {
  const inFuture = (url: URL) => (url.searchParams.get("date_from") ?? "") > "2027"
  it.effect("is not judged where the request is refused for another reason", () =>
    Effect.gen(function* () {
      for (const where of [inFuture, (url: URL) => /locations|sessions|cdrs|tariffs/.test(url.pathname)]) {
        const found = yield* graded("TRANS-015", refusing(422, where))
        assert.deepStrictEqual(
          [found.outcome, found.partnerSaid],
          ["not_tested", "query.party: Field required"]
        )
      }
      for (const status of [404, 500])
        assert.strictEqual((yield* graded("TRANS-015", refusing(status, inFuture))).outcome, "failed")
    })
  )
})

describe("the ids of EVSEs", () => {
  const page = (data: unknown, id: string): Gathered => ({
    seen: [
      exchanged(() => answered(200, data), asked("locations"), { module: "locations", operation: "list" }, id)
    ]
  })
  const listed = (evseIds: ReadonlyArray<string>, uids: ReadonlyArray<string>) => {
    const one = location("LOC1", 1)
    const evses = one.evses.map((evse, index) => ({ ...evse, evse_id: evseIds[index], uid: uids[index] }))
    return [{ ...one, evses }]
  }
  const idsKept = (before: unknown, after: unknown) =>
    gradedOn("LOC-047", {
      inbound: { seen: [] },
      "locations.list": page(before, "exc_1"),
      "locations.crawl": { seen: [] },
      "locations.after": page(after, "exc_2")
    })

  it("are not compared by an evse_id that several EVSEs share", () => {
    const shared = (...uids: ReadonlyArray<string>) => listed(["NL*TST*E1", "NL*TST*E1"], uids)
    assert.strictEqual(idsKept(shared("A", "B"), shared("C", "D")).outcome, "unobservable")
    assert.strictEqual(idsKept(shared("A", "B"), shared("A", "B")).outcome, "passed")
    const own = (...uids: ReadonlyArray<string>) => listed(["NL*TST*E1", "NL*TST*E2"], uids)
    assert.strictEqual(idsKept(own("A", "B"), own("A", "B")).outcome, "passed")
    assert.strictEqual(idsKept(own("A", "B"), own("A", "C")).outcome, "failed")
  })

  it("are compared without an evse_id where the EVSE says the same as before the run", () => {
    const unnamed = (uid: string, last_updated = "2026-01-01T00:00:00Z") => {
      const [one] = listed([], [uid])
      return [{ ...one, evses: [{ ...one?.evses[0], evse_id: undefined, last_updated }] }]
    }
    assert.strictEqual(idsKept(unnamed("A"), unnamed("A")).outcome, "passed")
    assert.strictEqual(idsKept(unnamed("A"), unnamed("C")).outcome, "failed")
    assert.strictEqual(idsKept(unnamed("A"), unnamed("C", "2026-06-01T12:00:01Z")).outcome, "unobservable")
  })

  it("of connectors that are other ones may be other ones, which the text leaves open", () => {
    const plugged = (id: string, standard = "CHADEMO") => {
      const [one] = listed(["NL*TST*E1"], ["A"])
      return [
        {
          ...one,
          evses: [{ ...one?.evses[0], connectors: [{ id, standard, format: "CABLE", power_type: "DC" }] }]
        }
      ]
    }
    const renamed = idsKept(plugged("1"), plugged("2"))
    assert.strictEqual(renamed.outcome, "failed")
    assert.strictEqual(renamed.attribution, "ambiguous")
    assert.strictEqual(idsKept(plugged("1"), plugged("2", "IEC_62196_T2_COMBO")).outcome, "passed")
  })
})

describe("an object without the id of its EVSE", () => {
  const page = (module: string, data: unknown): Gathered => ({
    seen: [
      exchanged(() => answered(200, data), asked(module), { module, operation: "list" }, `exc_${module}`)
    ]
  })
  const session = (id: string) => ({
    country_code: "NL",
    party_id: "TST",
    id,
    status: "ACTIVE",
    location_id: "LOC1",
    kwh: 1,
    start_date_time: now,
    last_updated: now
  })
  const none: Gathered = { seen: [] }

  it("is told of by the check of its form alone: it is at no EVSE, and names none that is not there", () => {
    const gathered = {
      "sessions.list": page("sessions", [session("S1"), session("S2")]),
      "sessions.crawl": none,
      "locations.list": page("locations", [location("LOC1", 1)]),
      "locations.crawl": none
    }
    for (const id of ["SESS-010", "SESS-016"]) {
      const found = gradedOn(id, gathered)
      assert.notInclude(["failed", "warned"], found.outcome, `${id} ${found.message}`)
      assert.notInclude(JSON.stringify(found), "undefined")
    }
    assert.strictEqual(gradedOn("SESS-002", gathered).outcome, "failed")
  })
})

describe("what a run has nothing to send to", () => {
  const startOf = (endpoints: ReadonlyArray<string>, listed: Res) => {
    const of = {
      ...party,
      counterpart: {
        ...party.counterpart,
        endpoints: endpoints.map((identifier) => ({
          identifier,
          role: "RECEIVER" as const,
          url: `${root}/2.2.1/${identifier}`
        }))
      }
    }
    const basis = {
      party: of,
      profile: scope.profile,
      startedAt: now,
      mark: "TST-000001",
      trustedPrefixes: []
    }
    const list = exchanged(
      () => listed,
      asked("locations"),
      { module: "locations", operation: "list" },
      "exc_1"
    )
    const evidence = makeEvidence(
      { ...basis, graceSeconds: 0, tokens: [] },
      new Map([["locations.list", { seen: [list] }]])
    )
    const start = chargingProfileProbes.flatMap((probe) => ("steps" in probe ? probe.steps : []))[0]
    return start?.act(evidence)
  }

  it("is an endpoint that the partner does not list", () => {
    const act = startOf(["commands"], answered(200, []))
    assert.include(act, { withheld: "not_applicable" })
  })

  it("is an EVSE that the list lacks, or that cannot be known as the list is none", () => {
    assert.include(startOf(["chargingprofiles"], answered(200, [])), { withheld: "unobservable" })
    const act = startOf(["chargingprofiles"], answered(200))
    assert.deepInclude(act, {
      withheld: "not_tested",
      blockedBy: {
        check: "LOC-001",
        exchangeId: "exc_1",
        what: "GET locations was answered HTTP 200, status_code 1000, without a list"
      }
    })
  })
})
