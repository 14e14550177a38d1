/** What a check finds is named by what is wrong, and by that check alone whose rule it is. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import { allChecks } from "../../../src/conformance/catalogue/suites.ts"
import { grade } from "../../../src/conformance/grading/grade.ts"
import { probesFor } from "../../../src/conformance/model/Check.ts"
import type { Observation } from "../../../src/conformance/model/Evidence.ts"
import { withheld } from "../../../src/conformance/model/Probe.ts"
import { chargingCalls } from "../../../src/conformance/modules/charge/chargingCalls.ts"
import { withoutTarget } from "../../../src/conformance/modules/commands/commandTargets.ts"
import { order } from "../../../src/conformance/modules/commands/reservations/reservationSteps.ts"
import { blockedByLegs, resultStep } from "../../../src/conformance/modules/shared/commandLegs.ts"
import { isResultOf } from "../../../src/conformance/modules/shared/stepAnswers.ts"
import { answered, called, evidenceFrom } from "../support/handmade.ts"
import { evidenceOf, honest, location, now, type Partner, party } from "../support/honestPartner.ts"

type Seen = Readonly<Record<string, ReadonlyArray<Observation>>>
const scope = { profile: profileOf("2.2.1"), role: "CPO" } as const
const graded = (id: string, seen: Seen) =>
  grade(allChecks.find((check) => check.id === id)!, evidenceFrom(seen), {
    scope,
    profile: "strict",
    checks: allChecks
  })
const told = ({ blockedBy, outcome }: ReturnType<typeof graded>) =>
  blockedBy === undefined ? outcome : `${outcome} ${blockedBy.check}`

/** An answer with that HTTP status and code. */
const refused = (module: string, httpStatus: number, status_code: number): Observation => {
  const seen = answered(module, null, {
    response: { httpStatus, ocpiStatusCode: status_code, headers: {}, body: "{}", truncated: false }
  })
  return { ...seen, json: { status_code, timestamp: now } }
}

describe("a token that cannot be read back at all", () => {
  const story = (asSent: Observation, upper: Observation) => ({
    "tokens.case#put": [answered("tokens", null)],
    "tokens.case#read back": [asSent],
    "tokens.case#read upper": [upper]
  })
  const [found, lost] = [answered("tokens", { uid: "MiXed" }), refused("tokens", 404, 2004)]

  it("says nothing about the case of its uid", () => {
    assert.strictEqual(graded("TOK-109", story(lost, lost)).outcome, "not_tested")
    assert.strictEqual(graded("TOK-109", story(found, lost)).outcome, "failed")
    assert.strictEqual(graded("TOK-109", story(found, found)).outcome, "passed")
  })
})

describe("last_updated of a location that is no DateTime", () => {
  const story = (last_updated: string) => ({
    "locations.list": [answered("locations", [location("A", 1)])],
    "locations.crawl": [],
    inbound: [called("PATCH", "locations", "/NL/TST/A/A-1", { status: "CHARGING", last_updated: now })],
    "locations.after": [answered("locations", [{ ...location("A", 1), last_updated }])]
  })

  it("is before nothing", () => {
    assert.strictEqual(told(graded("LOC-045", story(`${now}.123Z`))), "not_tested LOC-002")
    assert.strictEqual(graded("LOC-045", story("2026-01-01T00:00:00Z")).outcome, "failed")
    assert.strictEqual(graded("LOC-045", story(now)).outcome, "passed")
  })
})

describe("the results of commands", () => {
  const url = (id: string) => `https://us.example/ocpi/2.2.1/commands/result/${id}`
  /** A command, its answer ACCEPTED, and the call that came: none, or one with that end of the URL and that body. */
  const command = (step: string, result?: Observation): Seen => ({
    [step]: [
      answered(
        "commands",
        { result: "ACCEPTED", timeout: 30 },
        {
          operation: "START_SESSION",
          request: {
            method: "POST",
            url: "https://cpo.example/ocpi/2.2.1/commands/START_SESSION",
            headers: {},
            body: JSON.stringify({ response_url: url("1") }),
            truncated: false
          }
        }
      )
    ],
    [`${step} result`]: result === undefined ? [] : [result]
  })
  const result = (body: unknown, change: Parameters<typeof called>[4] = {}) =>
    called("POST", "commands", "/result/1", body, change)
  const turnedAway = () => ({
    ...result(undefined, {
      response: { httpStatus: 401, ocpiStatusCode: 2000, headers: {}, body: "{}", truncated: false }
    })
  })
  const start = "commands.start#start"
  const cancel = "commands.wrong#an unknown reservation"
  const others = { "commands.start#stop": [], "commands.start#stop result": [], "locations.list": [] }
  const fine = { ...others, ...command(start, result({ result: "ACCEPTED" })) }

  it("are judged also where the command cannot be carried out", () => {
    const word = (result: string) => ({
      ...fine,
      ...command(cancel, called("POST", "commands", "/result/1", { result }))
    })
    assert.strictEqual(graded("CMD-007", word("UNKNOWN_SESSION")).outcome, "failed")
    assert.strictEqual(graded("CMD-007", word("UNKNOWN_RESERVATION")).outcome, "passed")
  })

  it("that came with another token are a finding of CMD-008, and no empty body", () => {
    const story = { ...others, ...command(start, turnedAway()) }
    assert.strictEqual(graded("CMD-008", story).outcome, "failed")
    assert.strictEqual(told(graded("CMD-007", story)), "not_tested CMD-008")
  })

  it("came to the response_url when a slash is added to it, which CMD-006 tells of", () => {
    const seen = called("POST", "commands", "/result/1/", { result: "ACCEPTED" })
    const story = { ...others, ...command(start, seen) }
    assert.isTrue(isResultOf(seen, evidenceFrom(story), start))
    assert.isFalse(isResultOf(called("POST", "commands", "/result/2/", {}), evidenceFrom(story), start))
    assert.strictEqual(graded("CMD-004", story).outcome, "passed")
    assert.strictEqual(graded("CMD-006", story).outcome, "failed")
  })

  it("that never come are told by CMD-004, and leave CMD-034 without an answer", () => {
    const none = { ...others, ...command(start), ...command(cancel) }
    assert.strictEqual(graded("CMD-004", none).outcome, "failed")
    assert.strictEqual(told(graded("CMD-034", none)), "not_tested CMD-004")
    assert.strictEqual(graded("CMD-034", { ...fine, ...command(cancel) }).outcome, "warned")
  })
})

describe("a CPO that falls over each command", () => {
  const failed = [refused("commands", 500, 3000)]
  const locations = { "locations.list": [answered("locations", [location("A", 1)])] }

  it.each([
    ["CMD-012", "commands.wrong#an unknown EVSE"],
    ["CMD-019", "commands.wrong#start where it cannot"]
  ] as const)("is told by CMD-001, which blocks %s", (id, step) => {
    const needs = allChecks.find((check) => check.id === id)!.needs(scope)
    const alone = { ...Object.fromEntries(needs.map((need) => [need, []])), ...locations, [step]: failed }
    assert.strictEqual(graded(id, alone).outcome, "warned")
    assert.strictEqual(told(graded(id, { ...alone, "commands.start#start": failed })), "not_tested CMD-001")
  })
})

describe("a START_SESSION of which nothing comes", () => {
  it("shows nothing of authorize", () => {
    const others = { "commands.calls": [], "commands.reserve-calls": [], "commands.reserve#reserve": [] }
    const accepted = answered("commands", { result: "ACCEPTED", timeout: 30 })
    const story = { ...others, "commands.start#start": [accepted] }
    const { outcome, reason } = graded("CMD-024", story)
    assert.strictEqual(outcome, "not_tested")
    assert.match(reason ?? "", /^the partner answered /)
    const result = [called("POST", "commands", "/result/1", { result: "ACCEPTED" })]
    const begun = { ...story, "commands.start#start result": result }
    assert.strictEqual(graded("CMD-024", begun).outcome, "passed")
  })
})

describe("a result without a token", () => {
  const accepted = answered("commands", { result: "ACCEPTED", timeout: 30 })
  const result = called("POST", "commands", "/results/1", undefined, {
    response: { httpStatus: 401, ocpiStatusCode: 2001, headers: {}, body: "{}", truncated: false }
  })

  it("is said to have none, and blocks what depends on it", () => {
    const saidOf = (came: typeof result) => {
      const found = graded("CMD-008", {
        "commands.start#start": [accepted],
        "commands.start#start result": [came],
        "commands.start#stop": [],
        "commands.start#stop result": []
      })
      assert.strictEqual(found.outcome, "failed")
      return found.message
    }
    assert.include(saidOf(result), "the result came without an Authorization header")
    const { request, ...others } = result.exchange
    const empty = { ...request, headers: { ...request.headers, authorization: "Token " } }
    assert.include(
      saidOf({ ...result, exchange: { ...others, request: empty } }),
      "the result came without a token in its Authorization header"
    )
    const evidence = evidenceFrom({ [order]: [accepted], [resultStep(order)]: [result] })
    const judgement = blockedByLegs(evidence, order)
    assert.deepInclude(judgement.is === "inconclusive" ? judgement.blockedBy : undefined, {
      check: "CMD-008"
    })
    assert.include(
      JSON.stringify(judgement),
      "then a result without a token, which was refused with HTTP 401"
    )
  })
})

describe("a command without a route, or that is answered HTTP 501", () => {
  const none = refused("commands", 501, 3000)
  const noRoute = { ...refused("commands", 404, 3000), json: { message: "Not Found" } }
  const locations = { "locations.list": [answered("locations", [location("A", 1)])] }
  const at = (name: string, seen: Observation): Observation => ({
    ...seen,
    exchange: { ...seen.exchange, operation: name }
  })
  const found = (id: string, step: string, seen: Observation = none, more: Seen = {}) => {
    const needs = allChecks.find((check) => check.id === id)!.needs(scope)
    return graded(id, {
      ...Object.fromEntries(needs.map((need) => [need, []])),
      ...locations,
      [`commands.wrong#${step}`]: [seen],
      ...more
    })
  }

  it.each([
    ["CMD-011", "reserve at an unknown location"],
    ["CMD-013", "stop an unknown session"],
    ["CMD-034", "an unknown reservation"]
  ] as const)("is not offered, which is what %s says of it", (id, step) => {
    const { hint, message, outcome } = found(id, step)
    assert.strictEqual(outcome, "warned")
    assert.match(message ?? "", /was answered HTTP 501.*, and NOT_SUPPORTED is due$/)
    assert.match(hint ?? "", /a command that you do not offer/)
  })

  it("is offered all the same where a valid one is taken", () => {
    const reserved = (seen: Observation) =>
      found("CMD-011", "reserve at an unknown location", at("RESERVE_NOW", noRoute), {
        [order]: [at("RESERVE_NOW", seen)]
      })
    const of404 = reserved(noRoute)
    assert.strictEqual(of404.outcome, "warned")
    assert.match(of404.message ?? "", /was answered HTTP 404.*, and NOT_SUPPORTED is due$/)
    const taken = reserved(answered("commands", { result: "ACCEPTED", timeout: 30 }))
    assert.strictEqual(taken.outcome, "failed")
    assert.match(taken.message ?? "", /and status_code 2003 is due$/)
  })
})

describe("a partner without a list of locations", () => {
  it("is told so where an EVSE is needed, and not to free one", () => {
    const reason = "The partner's version details list no locations endpoint with role SENDER"
    const locations = withheld("not_applicable", reason)
    const target = withoutTarget(evidenceFrom({ "locations.list": locations }))
    assert.deepStrictEqual(target, locations)
  })
})

describe("credentials that cannot be read", () => {
  it("leave open which roles the partner has", () => {
    const details = answered("versions", { version: "2.2.1", endpoints: [] }, { operation: "details" })
    const story = { details: [details], credentials: [refused("credentials", 501, 3000)] }
    assert.strictEqual(told(graded("VERS-016", story)), "not_tested CRED-039")
  })
})

describe("a session that was pushed without its token", () => {
  const session = {
    country_code: "NL",
    party_id: "TST",
    id: "S1",
    kwh: 1,
    currency: "EUR",
    start_date_time: now
  }
  const token = { country_code: "NL", party_id: "PLG", uid: "T1", type: "RFID", contract_id: "C1" }
  const story = (pushed: object, cdr: object) => ({
    [chargingCalls]: [
      called("PUT", "sessions", "/NL/TST/S1", { ...session, ...pushed, status: "COMPLETED" }),
      called("POST", "cdrs", "", {
        country_code: "NL",
        party_id: "TST",
        id: "C1",
        session_id: "S1",
        total_energy: 1,
        currency: "EUR",
        cdr_token: token,
        ...cdr
      })
    ]
  })

  it("is no fault of its CDR", () => {
    assert.strictEqual(told(graded("JRN-003", story({}, {}))), "not_tested SESS-024")
    assert.strictEqual(graded("JRN-003", story({ cdr_token: token }, {})).outcome, "passed")
    const other = { cdr_token: { ...token, uid: "T2" } }
    assert.strictEqual(graded("JRN-003", story({ cdr_token: token }, other)).outcome, "failed")
  })

  it("nor is one without a currency", () => {
    assert.strictEqual(graded("JRN-005", story({ currency: undefined }, {})).outcome, "passed")
    assert.strictEqual(graded("JRN-005", story({ currency: "USD" }, {})).outcome, "warned")
  })
})

describe("the pages of a list", () => {
  const changed =
    (change: (headers: Record<string, string>, data: unknown) => Record<string, string>): Partner =>
    (req) => {
      const answer = honest(req)
      return typeof answer === "string" || !Array.isArray(answer.body?.data)
        ? answer
        : { ...answer, headers: { ...answer.headers, ...change(answer.headers, answer.body.data) } }
    }
  const outcomes = (partner: Partner, ...ids: ReadonlyArray<string>) =>
    Effect.map(
      evidenceOf(partner, [
        ...new Set(ids.flatMap((id) => probesFor(allChecks.find((check) => check.id === id)!, scope)))
      ]),
      (evidence) =>
        ids.map((id) =>
          told(
            grade(allChecks.find((check) => check.id === id)!, evidence, {
              scope,
              profile: "strict",
              checks: allChecks
            })
          )
        )
    )

  it.effect("whose Link lost the filter are no objects outside the window, but a finding of PAGE-007", () =>
    Effect.gen(function* () {
      const partner = changed(({ link }) =>
        link === undefined ? {} : { link: link.replace(/date_(from|to)=[^&>]*&?/g, "") }
      )
      const [kept, ...windows] = yield* outcomes(partner, "PAGE-007", "PAGE-021", "PAGE-022")
      assert.strictEqual(kept, "warned")
      for (const outcome of windows) assert.notStrictEqual(outcome, "failed")
    })
  )

  it.effect("of a list that has no filter at all are a finding of PAGE-021, and none of the Link", () =>
    Effect.gen(function* () {
      const partner: Partner = (req) => {
        const url = new URL(req.url)
        url.searchParams.delete("date_from")
        return honest({ ...req, url })
      }
      const [filter, kept] = yield* outcomes(partner, "PAGE-021", "PAGE-007")
      assert.deepStrictEqual([filter, kept], ["failed", "not_tested PAGE-021"])
    })
  )

  it.effect("that are counted one by one are a finding of PAGE-008, and no Link too many", () =>
    Effect.gen(function* () {
      const partner = changed((_, data) => ({
        "x-total-count": `${(data as ReadonlyArray<unknown>).length}`
      }))
      const [total, link] = yield* outcomes(partner, "PAGE-008", "PAGE-005")
      assert.strictEqual(total, "failed")
      assert.notStrictEqual(link, "warned")
    })
  )
})

describe("HTTP 200 to a new object", () => {
  const put = (module: string, httpStatus: number) =>
    answered(module, null, {
      operation: module,
      response: { httpStatus, ocpiStatusCode: 1000, headers: {}, body: "{}", truncated: false }
    })
  const found = (first: number, location: number) => {
    const check = allChecks.find(({ id }) => id === "TRANS-054")!
    const of = { ...party, counterpart: { ...party.counterpart, role: "EMSP" as const } }
    return grade(
      check,
      evidenceFrom(
        {
          "objects.twice#first": [put("tariffs", first)],
          "locations.write#put": [put("locations", location)]
        },
        "2.2.1",
        of
      ),
      { scope: { ...scope, role: "EMSP" }, profile: "strict", checks: allChecks }
    )
  }

  it("is told of every kind of object, also where a tariff is answered HTTP 201", () => {
    assert.strictEqual(found(201, 201).outcome, "passed")
    const mixed = found(201, 200)
    assert.strictEqual(mixed.outcome, "warned")
    assert.include(mixed.message, "locations")
    assert.include(found(200, 200).message, "tariffs")
  })
})
