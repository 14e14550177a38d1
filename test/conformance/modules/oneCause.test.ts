/** One act of a partner is reported by one check: what others see of it blocks them. */

import { assert, describe, it } from "@effect/vitest"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import { allChecks } from "../../../src/conformance/catalogue/suites.ts"
import { grade } from "../../../src/conformance/grading/grade.ts"
import type { Observation } from "../../../src/conformance/model/Evidence.ts"
import { cdrWrites } from "../../../src/conformance/modules/cdrs/cdrWrites.ts"
import { testCdr } from "../../../src/conformance/modules/charge/testCharge.ts"
import { lastReading } from "../../../src/conformance/modules/shared/lists.ts"
import { appToken, testToken } from "../../../src/conformance/modules/tokens/testToken.ts"
import { itemsOf } from "../../../src/findings/answers.ts"
import { answered, called, evidenceFrom } from "../support/handmade.ts"
import { now, party } from "../support/honestPartner.ts"

type Seen = Readonly<Record<string, ReadonlyArray<Observation>>>

const emsp = {
  ...party,
  role: "CPO" as const,
  counterpart: { ...party.counterpart, role: "EMSP" as const, parties: [] }
}

const graded = (id: string, seen: Seen, of = party, version: OcpiVersion = "2.2.1") =>
  grade(allChecks.find((check) => check.id === id)!, evidenceFrom(seen, version, of), {
    scope: { profile: profileOf(version), role: of.counterpart.role },
    profile: "strict",
    checks: allChecks
  })
const told = ({ blockedBy, outcome }: ReturnType<typeof graded>) =>
  blockedBy === undefined ? outcome : `${outcome} ${blockedBy.check} ${blockedBy.exchangeId}`

/** An answer of that status and body. */
const said = (
  id: string,
  module: string,
  method: string,
  httpStatus: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {}
): Observation => {
  const [seen] = [answered(module, null)]
  const text = typeof body === "string" ? body : JSON.stringify(body)
  return {
    ...seen,
    json: typeof body === "string" ? undefined : body,
    exchange: {
      ...seen.exchange,
      id,
      operation: `${method} object`,
      request: { ...seen.exchange.request, method, url: `https://emsp.example/ocpi/2.2.1/${module}` },
      response: { httpStatus, ocpiStatusCode: null, headers, body: text, truncated: false }
    }
  }
}
const fine = (data?: unknown) => ({ data, status_code: 1000, timestamp: now })
const refused = { status_code: 2001, timestamp: now }

describe("a CDR that is replaced by another one with its id", () => {
  const first = testCdr(evidenceFrom({}, "2.2.1", emsp), "C1")
  const dearer = { ...first, total_cost: { excl_vat: 9 } }
  const story = (kept: object, del: number) => ({
    "cdrs.write#location": [],
    "cdrs.write#post": [
      said("exc_post", "cdrs", "POST", 200, fine(), { location: "https://emsp.example/c/1" })
    ],
    "cdrs.write#read back": [said("exc_read", "cdrs", "GET", 200, fine(first))],
    "cdrs.write#post dearer": [said("exc_dearer", "cdrs", "POST", 200, fine())],
    "cdrs.write#read after dearer": [said("exc_after", "cdrs", "GET", 200, fine(dearer))],
    "cdrs.write#put": [said("exc_put", "cdrs", "PUT", 405, refused)],
    "cdrs.write#patch": [said("exc_patch", "cdrs", "PATCH", 405, refused)],
    "cdrs.write#delete": [said("exc_delete", "cdrs", "DELETE", del, del < 300 ? fine() : refused)],
    "cdrs.write#read kept": [said("exc_kept", "cdrs", "GET", 200, fine(kept))]
  })

  it("is a finding of CDR-106, and none of CDR-109", () => {
    assert.strictEqual(graded("CDR-106", story(dearer, 405), emsp).outcome, "warned")
    assert.strictEqual(graded("CDR-109", story(dearer, 405), emsp).outcome, "passed")
  })

  it("leaves CDR-109 to see what else is changed, or deleted", () => {
    assert.strictEqual(graded("CDR-109", story(dearer, 200), emsp).outcome, "failed")
    assert.strictEqual(graded("CDR-109", story(first, 405), emsp).outcome, "failed")
  })
})

describe("the URL in the Location header of a CDR", () => {
  const story = (location: string, read: Observation) => ({
    "cdrs.write#location": [],
    "cdrs.write#post": [said("exc_post", "cdrs", "POST", 200, fine(), { location })],
    "cdrs.write#read back": [read]
  })
  const here = "https://emsp.example/ocpi/2.2.1/cdrs/VersionNumber.v_2_2_1/1"
  const elsewhere = "http://emsp.example/ocpi/2.2.1/cdrs/1"
  const notSent = (): Observation => {
    const seen = said("exc_read", "cdrs", "GET", 200, fine())
    return {
      ...seen,
      linkedFrom: "https://emsp.example/ocpi/2.2.1/cdrs",
      exchange: {
        ...seen.exchange,
        operation: "GET cdr",
        request: { ...seen.exchange.request, url: elsewhere },
        response: null,
        outcome: "blocked",
        fault: { kind: "other_host", message: "our token is not sent there" }
      }
    }
  }

  it("is a finding where there is none, which names the answer for what is not asked for want of it", () => {
    const seen = { "cdrs.write#post": [said("exc_post", "cdrs", "POST", 201, fine())] }
    assert.strictEqual(graded("CDR-102", { ...seen, "cdrs.write#location": [] }, emsp).outcome, "failed")
    const steps = cdrWrites.probes.flatMap((probe) => ("steps" in probe ? probe.steps : []))
    for (const id of ["read back", "put", "patch", "delete", "read kept"])
      assert.deepEqual(steps.find((step) => step.id === id)?.act(evidenceFrom(seen, "2.2.1", emsp)), {
        leftOut: {
          check: "CDR-102",
          exchangeId: "exc_post",
          what: "the answer to POST object has no Location header, so nobody knows the URL of the CDR"
        }
      })
  })

  it("is a finding where it serves nothing, which blocks CDR-103", () => {
    const nothing = story(here, said("exc_read", "cdrs", "GET", 404, "not found"))
    assert.strictEqual(graded("CDR-102", nothing, emsp).outcome, "warned")
    assert.strictEqual(told(graded("CDR-103", nothing, emsp)), "not_tested CDR-102 exc_read")
  })

  it("is a finding where it leads to another scheme, which blocks CDR-103", () => {
    const found = graded("CDR-102", story(elsewhere, notSent()), emsp)
    assert.strictEqual(found.outcome, "warned")
    assert.match(
      found.message ?? "",
      /leads to another scheme or port of the partner's host: our token is not sent there/
    )
    const blocked = graded("CDR-103", story(elsewhere, notSent()), emsp)
    assert.strictEqual(told(blocked), "not_tested CDR-102 exc_read")
    assert.notMatch(blocked.reason ?? "", /config:/)
  })

  it("leaves CDR-106 the answer to the other CDR, though nothing can be read", () => {
    const dearer = (status: number) => ({
      ...story(elsewhere, notSent()),
      "cdrs.write#post dearer": [said("exc_dearer", "cdrs", "POST", status, status < 300 ? fine() : refused)]
    })
    assert.strictEqual(graded("CDR-106", dearer(201), emsp).outcome, "warned")
    assert.strictEqual(graded("CDR-106", dearer(400), emsp).outcome, "passed")
  })

  it("passes where it serves the CDR, and where GET is not offered", () => {
    const first = testCdr(evidenceFrom({}, "2.2.1", emsp), "C1")
    const served = story(here, said("exc_read", "cdrs", "GET", 200, fine(first)))
    for (const id of ["CDR-102", "CDR-103"])
      assert.strictEqual(graded(id, served, emsp).outcome, "passed", id)
    const none = story(here, said("exc_read", "cdrs", "GET", 405, refused))
    assert.strictEqual(graded("CDR-102", none, emsp).outcome, "passed")
  })
})

describe("a link to a next page on another host", () => {
  it("is a finding of PAGE-006, which blocks the checks that wanted the page", () => {
    const first = answered("locations", [], { operation: "list" })
    const notSent: Observation = {
      ...first,
      linkedFrom: "https://cpo.example/ocpi/2.2.1/locations",
      exchange: {
        ...first.exchange,
        id: "exc_next",
        operation: "list, next page",
        response: null,
        outcome: "blocked",
        fault: { kind: "other_host", message: "our token is not sent there" }
      }
    }
    const needs = allChecks
      .find(({ id }) => id === "LOC-002")!
      .needs({
        profile: profileOf("2.2.1"),
        role: "CPO"
      })
    const seen = Object.fromEntries(needs.map((id) => [id, id.endsWith("crawl") ? [notSent] : [first]]))
    assert.strictEqual(told(graded("LOC-002", seen)), "not_tested PAGE-006 exc_next")
  })
})

describe("a partner that takes invalid tokens", () => {
  const put = (id: string, body: unknown) => said(id, "tokens", "PUT", 200, body)
  const read = (id: string) => said(id, "tokens", "GET", 404, refused)
  const story = (answer: unknown): Seen => ({
    "objects.twice#first": [put("exc_plain", fine())],
    "tokens.write#put": [put("exc_first", fine())],
    "objects.semantic#put": [put("exc_known", fine())],
    "objects.semantic#spoilt": [put("exc_spoilt", fine())],
    "objects.semantic#read spoilt": [],
    ...Object.fromEntries(
      ["no-valid", "whitelist", "text"].flatMap((name) => [
        [`tokens.wrong#${name}`, [put(`exc_${name}`, answer)]],
        [`tokens.wrong#read ${name}`, [read(`exc_read_${name}`)]]
      ])
    )
  })

  it("is reported by TOK-108, which blocks TRANS-019", () => {
    assert.strictEqual(graded("TOK-108", story(fine())).outcome, "failed")
    const blocked = graded("TRANS-019", story(fine()))
    assert.strictEqual(`${blocked.outcome} ${blocked.blockedBy?.check}`, "not_tested TOK-108")
  })

  const alike = (answer: unknown, httpStatus: number): Seen =>
    Object.fromEntries(
      Object.entries(story(answer)).map(([id, seen]) => [
        id,
        id.startsWith("tokens.wrong#") || id === "objects.semantic#spoilt"
          ? seen.map((one) =>
              one.exchange.request.method === "PUT"
                ? said(one.exchange.id, "tokens", "PUT", httpStatus, answer)
                : one
            )
          : seen
      ])
    )
  const outcomeOf = (id: string, seen: Seen) => {
    const { blockedBy, outcome } = graded(id, seen)
    return blockedBy?.check === undefined ? outcome : `${outcome} ${blockedBy.check}`
  }

  it("is reported by TRANS-019, and blocks TOK-108, where invalid objects are answered as faults of the server", () => {
    for (const answer of [
      alike({ ...refused, status_code: 3000 }, 200),
      alike("Internal Server Error", 500)
    ]) {
      assert.strictEqual(outcomeOf("TRANS-019", answer), "failed")
      assert.strictEqual(outcomeOf("TOK-108", answer), "not_tested TRANS-019")
    }
    const { "objects.semantic#spoilt": _, ...others } = alike({ ...refused, status_code: 3000 }, 200)
    assert.strictEqual(outcomeOf("TOK-108", others), "failed")
  })

  it("is reported by TRANS-018, and blocks TOK-108, where they are refused by HTTP alone", () => {
    const unprocessable = alike({ detail: "no" }, 422)
    assert.strictEqual(outcomeOf("TRANS-018", unprocessable), "failed")
    assert.strictEqual(outcomeOf("TRANS-019", unprocessable), "not_tested TRANS-018")
    assert.strictEqual(outcomeOf("TOK-108", unprocessable), "not_tested TRANS-018")
  })

  it("is reported by both where one is taken, and the other is answered as a fault of the server", () => {
    for (const [answer, httpStatus] of [
      [{ ...refused, status_code: 3000 }, 200],
      ["Internal Server Error", 500]
    ] as const) {
      const mixed = {
        ...alike(answer, httpStatus),
        "tokens.wrong#no-valid": [put("exc_no-valid", fine())]
      }
      assert.strictEqual(outcomeOf("TRANS-019", mixed), "failed")
      assert.strictEqual(outcomeOf("TOK-108", mixed), "failed")
    }
  })

  it("is reported by TRANS-019 where only that one was taken", () =>
    assert.strictEqual(graded("TRANS-019", story(refused)).outcome, "failed"))
})

describe("a list that is not filtered by date_from", () => {
  it("is told by PAGE-023 alone, as it shows nothing of empty lists", () => {
    const future = (data: unknown) =>
      Object.fromEntries(
        ["locations", "sessions", "cdrs", "tariffs"].map((module) => [
          `${module}.future`,
          [said(`exc_${module}`, module, "GET", 200, fine(data))]
        ])
      )
    const full = future([{ id: "1" }])
    assert.strictEqual(told(graded("TRANS-015", full)), "not_tested PAGE-023 exc_locations")
    assert.strictEqual(graded("TRANS-015", { ...full, ...future([]) }).outcome, "passed")
    assert.strictEqual(graded("TRANS-015", future(null)).outcome, "failed")
  })
})

describe("what another check reports of the same object", () => {
  const of = (id: string, module: string, objects: ReadonlyArray<object>) =>
    graded(id, {
      [`${module}.list`]: [answered(module, objects)],
      [`${module}.crawl`]: [],
      [`${module}.${lastReading}`]: []
    }).outcome
  const cdr = { country_code: "NL", party_id: "TST", session_id: "S1" }

  it("a Credit CDR that does not name its CDR leaves open which one stands: CDR-018", () => {
    const credit = { ...cdr, id: "C2", credit: true }
    const cdrs = (reference: object) => [
      { ...cdr, id: "C1" },
      { ...credit, ...reference },
      { ...cdr, id: "C3" }
    ]
    assert.strictEqual(of("CDR-029", "cdrs", cdrs({ credit_reference_id: "C9" })), "warned")
    assert.notStrictEqual(of("CDR-029", "cdrs", cdrs({})), "warned")
  })

  it("two objects without an id are not one that is listed twice: TAR-002", () => {
    const tariff = { country_code: "NL", party_id: "TST", currency: "EUR" }
    const twice = (one: object) =>
      allChecks
        .find(({ id }) => id === "PAGE-009")!
        .judge(evidenceFrom({ "tariffs.list": [answered("tariffs", [one, one])] }, "2.2.1", party)).is
    assert.strictEqual(twice({ ...tariff, id: "T" }), "fail")
    assert.notStrictEqual(twice(tariff), "fail")
  })

  it("publish that is missing is no publish that is true: LOC-002", () => {
    const allowed = { id: "A", publish_allowed_to: [{ uid: "U", type: "RFID" }], evses: [] }
    assert.strictEqual(of("LOC-022", "locations", [{ ...allowed, publish: true }]), "failed")
    assert.strictEqual(of("LOC-022", "locations", [allowed]), "passed")
  })

  it("a version of the details that is no text is named, and leads to no other details: VERS-006", () => {
    const details = (version: unknown) => ({
      versions: [answered("versions", [{ version: "2.2.1", url: "https://cpo.example/ocpi/2.2.1" }])],
      details: [
        { ...answered("versions", { version, endpoints: [{ identifier: "credentials" }] }), about: "2.2.1" }
      ],
      "details.others": [],
      "details.others-again": []
    })
    assert.strictEqual(graded("VERS-006", details(2.2)).message?.includes("version is 2.2"), true)
    assert.strictEqual(graded("VERS-007", details(2.2)).outcome, "not_tested")
    assert.strictEqual(graded("VERS-007", details("2.3.0")).outcome, "failed")
  })
})

describe("answers and results of which nothing can be read", () => {
  it("a response_url that leads nowhere is told by CMD-107 alone", () => {
    const results = (httpStatus: number) => {
      const seen = [said("exc_result", "commands", "POST", httpStatus, httpStatus === 200 ? fine() : "gone")]
      const needs = ["CMD-107", "CMD-108", "CMD-109", "CMD-110", "CMD-111"].flatMap((id) =>
        allChecks
          .find((check) => check.id === id)!
          .needs({ profile: profileOf("2.2.1"), role: "EMSP" })
          .map((need) => [need, seen] as const)
      )
      return Object.fromEntries(needs)
    }
    for (const id of ["CMD-108", "CMD-109", "CMD-110", "CMD-111"])
      assert.match(told(graded(id, results(404), emsp)), /^not_tested CMD-107/)
    assert.strictEqual(graded("CMD-107", results(404), emsp).outcome, "failed")
    assert.strictEqual(graded("CMD-108", results(200), emsp).outcome, "passed")
  })

  it("a result that there is not, to a charging profile, is told by CP-001 alone", () => {
    const answers = (result: string) => {
      const seen = [said("exc_profile", "chargingprofiles", "PUT", 200, fine({ result, timeout: 5 }))]
      const start = "chargingprofiles.set#start"
      return {
        ...Object.fromEntries(
          ["CP-001", "CP-003", "CP-009"].flatMap((id) =>
            allChecks
              .find((check) => check.id === id)!
              .needs({ profile: profileOf("2.2.1"), role: "CPO" })
              .map((need) => [need, seen] as const)
          )
        ),
        [start]: [answered("commands", { result: "ACCEPTED", timeout: 30 })],
        "chargingprofiles.set#set": seen
      }
    }
    for (const id of ["CP-003", "CP-009"]) {
      assert.match(told(graded(id, answers("OK"))), /^not_tested CP-001/)
      assert.notMatch(told(graded(id, answers("ACCEPTED"))), /CP-001/)
    }
  })

  it("the token of a command that has no owner is told by CMD-101 alone", () => {
    const parties = [{ role: "EMSP", countryCode: "NL", partyId: "EMS", name: "" }] as const
    const of = { ...emsp, counterpart: { ...emsp.counterpart, parties } }
    const found = (token: object) =>
      graded("CMD-103", { inbound: [called("POST", "commands", "/RESERVE_NOW", { token })] }, of).outcome
    assert.strictEqual(found({ uid: "T1", country_code: "DE", party_id: "XYZ" }), "failed")
    assert.strictEqual(found({ uid: "T1" }), "passed")
  })
})

describe("the owner of a token", () => {
  const parties = [{ role: "EMSP", countryCode: "NL", partyId: "EMS", name: "" }] as const
  const of = { ...emsp, counterpart: { ...emsp.counterpart, parties } }
  const listed = (owner: object) => ({
    "tokens.list": [answered("tokens", [{ uid: "T1", type: "RFID", ...owner }])],
    "tokens.crawl": []
  })

  it("is told by TOK-008 where the credentials do not name it, and not by PAGE-027 again", () => {
    const seen = listed({ country_code: "NL", party_id: "XXX" })
    assert.strictEqual(graded("TOK-008", seen, of).outcome, "warned")
    assert.match(told(graded("PAGE-027", seen, of)), /^not_tested TOK-008/)
  })

  it("is told by TOK-002 where it is missing", () =>
    assert.strictEqual(graded("TOK-008", listed({ party_id: "EMS" }), of).outcome, "passed"))
})

describe("a date_from that is refused, whatever it is", () => {
  const objects = [1, 2].map((day) => ({ id: `L${day}`, last_updated: `2026-05-0${day}T00:00:00Z` }))
  const lists = ["locations", "sessions", "cdrs", "tariffs"]
  const story = (refusal: number, middle?: unknown) =>
    Object.fromEntries(
      lists.flatMap((module) => [
        [`${module}.list`, [said(`exc_list_${module}`, module, "GET", 200, fine(objects))]],
        [`${module}.crawl`, []],
        [`${module}.${lastReading}`, []],
        [
          `${module}.future`,
          [said(`exc_${module}`, module, "GET", refusal, { status_code: 2001, timestamp: now })]
        ],
        [
          `${module}.from-middle`,
          [said(`exc_m_${module}`, module, "GET", middle === undefined ? refusal : 200, middle ?? refused)]
        ],
        [`${module}.not-instants`, [said(`exc_n_${module}`, module, "GET", 400, refused)]]
      ])
    )

  it("is told by PAGE-023, and shows nothing of a date_from that is none, of bounds, or of empty lists", () => {
    for (const status of [200, 400, 500]) {
      const { findings = [], message, outcome } = graded("PAGE-023", story(status))
      assert.strictEqual(outcome, "failed")
      assert.isNotEmpty(findings)
      assert.match(message ?? "", /with date_from was answered HTTP/)
      assert.match(told(graded("PAGE-025", story(status))), /^not_tested PAGE-023/)
      assert.match(told(graded("PAGE-021", story(status))), /^not_tested PAGE-023/)
    }
    assert.strictEqual(told(graded("TRANS-015", story(400))), "not_tested PAGE-023 exc_locations")
  })

  it("is no must where it is the future alone that is refused, and no finding where the partner is away", () => {
    assert.strictEqual(graded("PAGE-023", story(400, fine(objects))).message?.includes("in the future"), true)
    assert.strictEqual(graded("PAGE-023", story(503)).outcome, "not_tested")
  })
})

describe("a credentials object without a token", () => {
  it("is told by CRED-039 alone, which says so", () => {
    const seen = {
      credentials: [
        said("exc_read", "credentials", "GET", 200, fine({ token: null, url: "https://a.example/versions" }))
      ],
      registration: []
    }
    const { findings = [], outcome } = graded("CRED-039", seen)
    assert.strictEqual(outcome, "failed")
    assert.ok(
      findings.some(({ message }) => message.startsWith("token is null")),
      JSON.stringify(findings)
    )
    assert.notInclude(["failed", "warned"], graded("CRED-040", seen).outcome)
  })
})

describe("a token that opens the versions and no list", () => {
  const list = (module: string, httpStatus = 401) => ({
    [`${module}.list`]: [
      said(`exc_${module}`, module, "GET", httpStatus, httpStatus === 401 ? refused : fine([]))
    ],
    ...(httpStatus === 401
      ? { [`${module}.crawl`]: { withheld: "not_tested" as const, reason: "the first page is no list" } }
      : {})
  })
  const opens = {
    versions: [said("exc_versions", "versions", "GET", 200, fine([]))],
    "authentication.accepted": [said("exc_tokens", "tokens", "GET", 200, fine({}))]
  }
  const kept = { "credentials.kept": [] }
  const registered = { ...party, registration: "registered" as const }
  const of = (seen: Parameters<typeof evidenceFrom>[0]) => (id: string) =>
    told(
      grade(allChecks.find((check) => check.id === id)!, evidenceFrom(seen, "2.2.1", registered), {
        scope: { profile: profileOf("2.2.1"), role: "CPO" },
        profile: "strict",
        checks: allChecks
      })
    )
  const lists = ["locations", "sessions", "cdrs", "tariffs"]

  it("is reported by CRED-012 alone, also while it waits for the end of the run", () => {
    const seen = Object.assign({}, opens, ...lists.map((module) => list(module)))
    const ids = { locations: "LOC", sessions: "SESS", cdrs: "CDR", tariffs: "TAR" }
    for (const [module, id] of Object.entries(ids)) {
      assert.strictEqual(of(seen)(`${id}-001`), `not_tested CRED-012 exc_${module}`)
      assert.strictEqual(of(seen)(`${id}-002`), `not_tested CRED-012 exc_${module}`)
    }
    assert.strictEqual(of({ ...seen, ...kept })("CRED-012"), "failed")
  })

  it("is reported by CRED-012 for any list, and another answer by the list's own check", () => {
    const seen = Object.assign(
      {},
      opens,
      kept,
      ...lists.map((module) => list(module, module === "cdrs" ? 401 : 200))
    )
    assert.strictEqual(of(seen)("CRED-012"), "failed")
    assert.strictEqual(of(seen)("CDR-001"), "not_tested CRED-012 exc_cdrs")
    assert.strictEqual(of(seen)("LOC-001"), "passed")
    const first = {
      ...seen,
      ...list("cdrs", 200),
      "locations.list": [said("exc_l", "locations", "GET", 404, refused)]
    }
    assert.strictEqual(of(first)("CRED-012"), "not_tested LOC-001 exc_l")
    const unlike = { ...first, "locations.list": [said("exc_l", "locations", "GET", 200, fine({}))] }
    assert.strictEqual(of(unlike)("CRED-012"), "passed")
    const missing = { ...seen, "cdrs.list": [said("exc_cdrs", "cdrs", "GET", 404, refused)] }
    assert.strictEqual(of(missing)("CRED-012"), "passed")
    assert.strictEqual(of(missing)("CDR-001"), "failed")
  })
})

describe("a status_code that is a text", () => {
  const answer = (body: object) => [
    said("exc_list", "locations", "GET", 200, { ...fine([]), timestamp: "2026-01-05T09:00:00Z", ...body })
  ]
  const outcomeOf = (id: string, body: object) => {
    const check = allChecks.find((one) => one.id === id)!
    const needs = check.needs({ profile: profileOf("2.2.1"), role: "CPO" }).map((need) => [need, []] as const)
    return graded(id, { ...Object.fromEntries(needs), "locations.list": answer(body) }).outcome
  }

  it("is a finding of TRANS-012, and is read as its number by all others", () => {
    assert.strictEqual(outcomeOf("TRANS-012", { status_code: "1001" }), "failed")
    assert.strictEqual(outcomeOf("LOC-001", { status_code: "1001" }), "passed")
    assert.strictEqual(outcomeOf("TRANS-012", { status_code: "2001" }), "failed")
    assert.strictEqual(outcomeOf("LOC-001", { status_code: "2001" }), "failed")
    assert.strictEqual(outcomeOf("TRANS-016", { status_code: "2001" }), "passed")
    assert.strictEqual(outcomeOf("LOC-001", { status_code: "fine" }), "failed")
  })
})

describe("a registration after which nothing was fetched", () => {
  const opener = said("exc_open", "credentials", "POST", 200, fine({}))
  const fetched = (operation: string, path: string) =>
    called("GET", "versions", path, undefined, { operation })

  it("is reported by CRED-002, which blocks CRED-003", () => {
    assert.strictEqual(graded("CRED-002", { registration: [opener] }).outcome, "failed")
    assert.strictEqual(told(graded("CRED-003", { registration: [opener] })), "not_tested CRED-002 exc_open")
  })

  it("is reported by CRED-003 where only the list was fetched", () => {
    const list = fetched("list", "")
    assert.strictEqual(graded("CRED-003", { registration: [opener, list] }).outcome, "failed")
    const details = fetched("details", "/2.2.1")
    assert.strictEqual(graded("CRED-003", { registration: [opener, details] }).outcome, "passed")
  })
})

describe("a tariff that lacks a field, in the list and in a CDR", () => {
  const tariff = (id: string) => ({ id, currency: "EUR" })
  const cdr = (...tariffs: ReadonlyArray<object>) => ({
    country_code: "NL",
    party_id: "TST",
    id: "D1",
    tariffs
  })
  const story = (...tariffs: ReadonlyArray<object>) => ({
    "cdrs.list": [answered("cdrs", [cdr(...tariffs)])],
    "cdrs.crawl": [],
    "tariffs.list": [answered("tariffs", [tariff("T0"), tariff("T1")], { id: "exc_tariffs" })],
    "tariffs.crawl": []
  })

  it("is reported by the check of the list, which blocks CDR-016", () =>
    assert.strictEqual(told(graded("CDR-016", story(tariff("T1")))), "not_tested TAR-002 exc_tariffs"))

  it("is reported by CDR-016 where only the one in the CDR lacks it", () => {
    assert.strictEqual(graded("CDR-016", story(tariff("T9"))).outcome, "failed")
    assert.strictEqual(graded("CDR-016", story({ ...tariff("T1"), currency: 978 })).outcome, "failed")
  })
})

describe.each([
  ["a page", "404 page not found"],
  [
    "JSON, as that of Fastify or NestJS",
    { statusCode: 404, error: "Not Found", message: "Route POST:/a not found" }
  ]
])("an EMSP without real-time authorization, whose router answers with %s", (_, body) => {
  const page = said("exc_none", "tokens", "POST", 404, body)
  const listed = [{ uid: "T1", type: "RFID", valid: true, whitelist: "NEVER" }]

  it("is reported by TOK-010, which blocks the checks of the answers", () => {
    const seen: Seen = {
      "tokens.list": [answered("tokens", listed)],
      "tokens.crawl": [],
      "tokens.authorize": [page],
      "tokens.authorize-bare": [page],
      "tokens.authorize-broken": [page],
      "tokens.authorize-unknown": [page]
    }
    assert.strictEqual(graded("TOK-010", seen, emsp).outcome, "failed")
    for (const id of ["TOK-012", "TOK-015", "TOK-016", "TOK-019", "TOK-023"])
      assert.strictEqual(told(graded(id, seen, emsp)), "not_tested TOK-010 exc_none", id)
  })

  it("does not pass TOK-015 by the 404 page of a router", () => {
    const unknown = (answer: Observation) => ({ "tokens.authorize-unknown": [answer] })
    assert.strictEqual(told(graded("TOK-015", unknown(page), emsp)), "not_tested TOK-016 exc_none")
    assert.strictEqual(graded("TOK-016", unknown(page), emsp).outcome, "failed")
    const known = said("exc_404", "tokens", "POST", 404, { status_code: 2004, timestamp: now })
    assert.strictEqual(graded("TOK-015", unknown(known), emsp).outcome, "passed")
  })
})

describe("a listed token that lacks its contract_id", () => {
  const token = {
    country_code: "NL",
    party_id: "EMS",
    uid: "T1",
    type: "RFID",
    contract_id: "C1",
    valid: true
  }
  const { contract_id: _, ...unusable } = token
  const acts = (...tokens: ReadonlyArray<object>) => {
    const evidence = evidenceFrom(
      { "tokens.list": [answered("tokens", tokens, { id: "exc_tokens" })], "tokens.crawl": [] },
      "2.2.1",
      emsp
    )
    const [write] = cdrWrites.probes
    const step =
      write !== undefined && "steps" in write ? write.steps.find(({ id }) => id === "post") : undefined
    return step?.act(evidence)
  }

  it("does not go into our sessions and CDRs, which need another one", () => {
    assert.match(JSON.stringify(acts(unusable, { ...token, uid: "T2" })), /"uid":"T2"/)
    const none = acts(unusable)
    assert.isTrue(none !== undefined && "withheld" in none)
    assert.deepInclude(none, { withheld: "not_tested" })
    assert.include(JSON.stringify(none), '"check":"TOK-002","exchangeId":"exc_tokens"')
    assert.match(JSON.stringify(acts()), /"send"/)
  })
})

describe("TRANS-033: a request to an unknown party", () => {
  const hub = {
    ...party,
    counterpart: {
      ...party.counterpart,
      parties: [{ role: "HUB", countryCode: "NL", partyId: "HUB", name: "Hub" }]
    }
  }
  const of = (body: unknown, who = party) =>
    graded("TRANS-033", { "routing.unknown-recipient": [said("exc_1", "locations", "GET", 200, body)] }, who)

  it("is refused by a hub, which has a status code for it", () => {
    assert.strictEqual(of(fine([]), hub).outcome, "warned")
    assert.strictEqual(of(fine([{}]), hub).outcome, "warned")
    assert.strictEqual(of({ status_code: 4001, timestamp: now }, hub).outcome, "passed")
  })

  it("may be read in two ways where the platform is no hub", () => {
    assert.strictEqual(of(fine([])).outcome, "passed")
    const found = of(fine([{}]))
    assert.deepStrictEqual([found.outcome, found.attribution], ["warned", "ambiguous"])
  })
})

describe("TRANS-016: errors without the response format", () => {
  const of = (httpStatus: number, body: unknown, version: OcpiVersion = "2.2.1") => {
    const scope = { profile: profileOf(version), role: "CPO" as const }
    const needs = allChecks.find(({ id }) => id === "TRANS-016")!.needs(scope)
    const answer = said("exc_1", "tokens", "PUT", httpStatus, body)
    const seen = needs.map((id) => [id, id === "transport.answers" ? [answer] : []] as const)
    return graded("TRANS-016", Object.fromEntries(seen), party, version).outcome
  }

  it("are a finding where the body has details of its own", () => {
    assert.strictEqual(of(422, { detail: [{ msg: "Field required" }] }), "warned")
    assert.strictEqual(of(400, { status_code: 2001, timestamp: now }), "passed")
    assert.strictEqual(of(422, { status_code: 2001 }), "failed")
  })

  it("are none where something in front of the partner may have answered, or the version asks for any details", () => {
    for (const status of [401, 403, 404, 500]) assert.strictEqual(of(status, { message: "no" }), "not_tested")
    assert.strictEqual(of(400, ""), "not_tested")
    assert.strictEqual(of(422, { detail: "no" }, "2.1.1"), "not_tested")
  })
})

describe("an EMSP that refuses authorize whatever the token is", () => {
  const told2001 = said("exc_listed", "tokens", "POST", 200, refused)
  const story = (listed: Observation) => ({
    "tokens.list": [answered("tokens", [{ uid: "T1", type: "RFID", valid: true, whitelist: "NEVER" }])],
    "tokens.crawl": [],
    "tokens.authorize": [listed],
    "tokens.authorize-bare": [listed],
    "tokens.authorize-unknown": [said("exc_unknown", "tokens", "POST", 200, refused)]
  })

  it("is told by TOK-012 alone", () => {
    assert.strictEqual(graded("TOK-012", story(told2001), emsp).outcome, "failed")
    for (const id of ["TOK-015", "TOK-016"])
      assert.strictEqual(told(graded(id, story(told2001), emsp)), "not_tested TOK-012 exc_listed")
  })

  it("is judged by what it says of an unknown token where it judges a listed one, or does not find it", () => {
    const allowed = said("exc_listed", "tokens", "POST", 200, fine({ allowed: "ALLOWED" }))
    const absent = said("exc_listed", "tokens", "POST", 404, { status_code: 2004, timestamp: now })
    for (const listed of [allowed, absent])
      assert.strictEqual(graded("TOK-015", story(listed), emsp).outcome, "failed")
  })
})

describe("a CPO that keeps one token for each uid, whatever its type", () => {
  const card = testToken(evidenceFrom({}), "types")
  const app = appToken(evidenceFrom({}) as never)
  const read = (id: string, token: object) => [said(id, "tokens", "GET", 200, fine(token))]
  const story = (kept: object) => ({
    "tokens.types#put": [said("exc_put", "tokens", "PUT", 200, fine())],
    "tokens.types#put app": [said("exc_app", "tokens", "PUT", 200, fine())],
    "tokens.types#read app": read("exc_read_app", app),
    "tokens.types#read card": read("exc_read_card", kept),
    "tokens.types#read default": read("exc_read", kept)
  })

  it("is told by TOK-105, and not by the check of the default", () => {
    assert.strictEqual(graded("TOK-105", story(app)).outcome, "failed")
    assert.strictEqual(graded("TOK-106", story(app)).outcome, "not_tested")
    assert.strictEqual(graded("TOK-105", story(card)).outcome, "passed")
    assert.strictEqual(graded("TOK-106", story(card)).outcome, "passed")
  })
})

describe("a list that is null where it is empty", () => {
  const page = (total: string) => ({
    ...said("exc_list", "sessions", "GET", 200, fine(null), { "x-total-count": total })
  })
  const story = {
    "sessions.list": [page("0")],
    "sessions.crawl": [],
    "sessions.future": [{ ...page("0"), exchange: { ...page("0").exchange, id: "exc_future" } }],
    ...Object.fromEntries(["locations", "cdrs", "tariffs"].map((list) => [`${list}.future`, []]))
  }

  it("is told by the check of that list, and read as empty by all others", () => {
    assert.strictEqual(graded("SESS-001", story).outcome, "failed")
    assert.strictEqual(graded("SESS-002", story).outcome, "unobservable")
    assert.strictEqual(told(graded("TRANS-015", story)), "not_tested SESS-001 exc_list")
  })

  it("is none where it says that it has objects", () => {
    const [none, some] = ["0", "3"].map((total) => ({
      ...page(total),
      response: page(total).exchange.response!
    }))
    assert.deepStrictEqual(itemsOf(none!), [])
    assert.isUndefined(itemsOf(some!))
  })
})

describe("a charge of which a push is refused", () => {
  const steps = (refusals: ReadonlyArray<string>) =>
    Object.fromEntries(
      [
        ...allChecks.find(({ id }) => id === "JRN-010")!.needs({ profile: profileOf("2.2.1"), role: "EMSP" })
      ].map((step) => [
        step,
        [
          said(
            `exc_${step}`,
            step.endsWith("cdr") ? "cdrs" : "sessions",
            "PUT",
            200,
            refusals.includes(step) ? refused : fine()
          )
        ]
      ])
    )
  const put = (body: object) => ({ "sessions.write#put": [said("exc_put", "sessions", "PUT", 200, body)] })
  const post = (body: object) => ({
    "cdrs.write#location": [],
    "cdrs.write#post": [said("exc_post", "cdrs", "POST", 200, body)]
  })
  const place = { "sessions.write#location": [] }

  it("is what is reported of every session, or of every CDR", () => {
    const sessions = { ...place, ...put(refused), ...post(fine()), ...steps(["charge.played#begin"]) }
    assert.strictEqual(told(graded("JRN-010", sessions, emsp)), "not_tested SESS-101 exc_put")
    const cdrs = { ...place, ...put(fine()), ...post(refused), ...steps(["charge.played#cdr"]) }
    assert.strictEqual(told(graded("JRN-010", cdrs, emsp)), "not_tested CDR-101 exc_post")
  })

  it("is a finding of JRN-010 where others are taken", () => {
    const taken = { ...place, ...put(fine()), ...post(fine()), ...steps(["charge.played#cdr"]) }
    assert.strictEqual(graded("JRN-010", taken, emsp).outcome, "failed")
    const others = { ...place, ...put(fine()), ...post(refused), ...steps(["charge.played#begin"]) }
    assert.strictEqual(graded("JRN-010", others, emsp).outcome, "failed")
  })
})

describe("a timestamp that is missing", () => {
  const outcomes = (success: object, error: object) => {
    const scope = { profile: profileOf("2.2.1"), role: "CPO" as const }
    const answers = [
      said("exc_list", "locations", "GET", 200, { ...fine([]), ...success }),
      said("exc_error", "locations", "GET", 200, { ...refused, ...error })
    ]
    return ["TRANS-013", "TRANS-016"].map((id) => {
      const needs = allChecks.find((one) => one.id === id)!.needs(scope)
      const seen = needs.map((need) => [need, need === "transport.answers" ? answers : []] as const)
      return graded(id, Object.fromEntries(seen)).outcome
    })
  }

  it("is a finding of TRANS-016 where errors alone lack it, and else of TRANS-013", () => {
    const none = { timestamp: undefined }
    assert.deepStrictEqual(outcomes({}, {}), ["passed", "passed"])
    assert.deepStrictEqual(outcomes({}, none), ["passed", "failed"])
    assert.deepStrictEqual(outcomes(none, none), ["failed", "not_tested"])
  })
})

describe("a flaw of error responses that all answers of their module have", () => {
  const judged = (answers: ReadonlyArray<Observation>, ...ids: ReadonlyArray<string>) =>
    ids.map((id) => {
      const scope = { profile: profileOf("2.2.1"), role: "CPO" as const }
      const needs = allChecks.find((one) => one.id === id)!.needs(scope)
      const seen = needs.map((need) => [need, need === "transport.answers" ? answers : []] as const)
      return told(graded(id, Object.fromEntries(seen)))
    })
  const headers = { "x-request-id": "a", "x-correlation-id": "b" }
  const answer = (id: string, module: string, status: number, body: object, sent: object) => {
    const seen = said(id, module, "GET", status, body, sent as Readonly<Record<string, string>>)
    return { ...seen, exchange: { ...seen.exchange, requestId: "a", correlationId: "b" } }
  }
  const both = (success: object, error: object) => [
    answer("exc_list", "locations", 200, fine([]), success),
    answer("exc_error", "locations", 404, refused, error)
  ]
  const other = { ...headers, "x-request-id": "z" }

  it("is told of the ids of messages by the check of successful answers alone", () => {
    const ids = ["TRANS-025", "TRANS-026", "TRANS-027"]
    assert.deepStrictEqual(judged(both(headers, headers), ...ids), ["passed", "passed", "passed"])
    assert.deepStrictEqual(judged(both(headers, other), ...ids), ["passed", "passed", "failed"])
    assert.deepStrictEqual(judged(both(other, other), ...ids), [
      "failed",
      "passed",
      "not_tested TRANS-025 exc_error"
    ])
    // A flaw of errors alone is told, whatever else they share.
    assert.deepStrictEqual(judged(both(other, {}), ...ids), ["failed", "passed", "failed"])
    // What another module does with its answers says nothing of this one.
    const elsewhere = answer("exc_tariffs", "tariffs", 200, fine([]), other)
    assert.deepStrictEqual(judged([elsewhere, ...both(headers, other)], "TRANS-025", "TRANS-027"), [
      "failed",
      "failed"
    ])
  })

  it("is told of status_code by TRANS-012", () => {
    const written = (success: unknown, error: unknown) => [
      answer("exc_list", "locations", 200, { ...fine([]), status_code: success }, headers),
      answer("exc_error", "locations", 404, { ...refused, status_code: error }, headers)
    ]
    assert.deepStrictEqual(judged(written(1000, "2001"), "TRANS-012", "TRANS-016"), ["passed", "failed"])
    assert.deepStrictEqual(judged(written("1000", "2001"), "TRANS-012", "TRANS-016"), [
      "failed",
      "not_tested TRANS-012 exc_error"
    ])
  })
})

describe("a list that is open without a token", () => {
  const story = (plain: number) => ({
    "locations.list": [said("exc_list", "locations", "GET", 200, fine([]))],
    "locations.no-token": [said("exc_none", "locations", "GET", plain, plain < 300 ? fine([]) : refused)],
    "locations.random-token": [said("exc_random", "locations", "GET", 200, fine([]))],
    "locations.near-tokens": [],
    "locations.wrong-headers": [said("exc_wrong", "locations", "GET", 200, fine([]))],
    ...Object.fromEntries(
      ["sessions", "cdrs", "tariffs"].flatMap((module) =>
        ["no-token", "random-token", "wrong-headers"].map((suffix) => [`${module}.${suffix}`, []])
      )
    )
  })

  it("is told by TRANS-001, and not by the checks of unknown tokens and other headers", () => {
    const outcomes = (plain: number) =>
      ["TRANS-001", "TRANS-002", "TRANS-003"].map((id) => told(graded(id, story(plain))))
    assert.deepStrictEqual(outcomes(200), [
      "failed",
      "not_tested TRANS-001 exc_none",
      "not_tested TRANS-001 exc_none"
    ])
    assert.deepStrictEqual(outcomes(401), ["passed", "failed", "failed"])
  })

  it("is told of the versions URL by VERS-004", () => {
    const versions = (plain: number) => ({
      "versions.no-token": [said("exc_none", "versions", "GET", plain, plain < 300 ? fine([]) : refused)],
      "versions.random-token": [said("exc_random", "versions", "GET", 200, fine([]))]
    })
    assert.strictEqual(told(graded("VERS-005", versions(200))), "not_tested VERS-004 exc_none")
    assert.strictEqual(told(graded("VERS-005", versions(401))), "failed")
  })
})

describe("a CDR that is posted twice", () => {
  const posted = (id: string, location?: string) => [
    said(id, "cdrs", "POST", 201, fine(), location === undefined ? {} : { location })
  ]
  const first = testCdr(evidenceFrom({}, "2.2.1", emsp), "C1")
  const story = (location: string | undefined, read: number) => ({
    "cdrs.write#location": [],
    "cdrs.write#post": posted("exc_post", location),
    "cdrs.write#read back": [said("exc_read", "cdrs", "GET", read, read === 200 ? fine(first) : refused)],
    "cdrs.write#post again": posted("exc_again", "https://emsp.example/c/2"),
    "cdrs.write#post dearer": posted("exc_dearer", "https://emsp.example/c/3"),
    "cdrs.write#read after dearer": [said("exc_after", "cdrs", "GET", 200, fine(first))]
  })

  it("is stored twice only where the first answer gave the URL of a CDR", () => {
    const outcome = (location: string | undefined, read: number) =>
      told(graded("CDR-105", story(location, read), emsp))
    assert.strictEqual(outcome("https://emsp.example/c/1", 200), "warned")
    assert.strictEqual(outcome("https://emsp.example/c/1", 404), "not_tested CDR-102 exc_read")
    assert.strictEqual(outcome(undefined, 200), "not_tested CDR-102 exc_post")
  })

  it("and stored twice is no second finding where another one has its id", () =>
    assert.strictEqual(
      told(graded("CDR-106", story("https://emsp.example/c/1", 200), emsp)),
      "not_tested CDR-105 exc_again"
    ))
})

describe("a verdict for every unknown token", () => {
  const verdict = (id: string, data?: object) =>
    said(
      id,
      "tokens",
      "POST",
      data === undefined ? 404 : 200,
      data ? fine(data) : { ...refused, status_code: 2004 }
    )
  const story = (unknown: Observation, other: Observation) => ({
    "tokens.authorize": [verdict("exc_listed", { allowed: "ALLOWED" })],
    "tokens.authorize-unknown": [unknown],
    "tokens.authorize-other": [other]
  })
  const no = { allowed: "NOT_ALLOWED" }

  it("is no finding about uid and type, and another verdict than that is one", () => {
    const check = allChecks.find(({ id }) => id === "TOK-022")!
    const outcome = (unknown: Observation, other: Observation) => {
      const judgement = check.judge(evidenceFrom(story(unknown, other), "2.2.1", emsp))
      return judgement.is === "inconclusive" ? judgement.blockedBy?.check : judgement.is
    }
    assert.strictEqual(outcome(verdict("exc_unknown"), verdict("exc_other")), "pass")
    assert.strictEqual(outcome(verdict("exc_unknown"), verdict("exc_other", no)), "fail")
    assert.strictEqual(outcome(verdict("exc_unknown", no), verdict("exc_other", no)), "TOK-016")
    assert.strictEqual(
      outcome(verdict("exc_unknown", no), verdict("exc_other", { allowed: "ALLOWED" })),
      "fail"
    )
  })
})

describe("an answer of HTTP 200 with an empty body", () => {
  const json = { "content-type": "application/json" }
  const answers = [
    said("exc_put", "tokens", "PUT", 200, ""),
    said("exc_ok", "tokens", "GET", 200, fine([]), json)
  ]
  const found = (id: string) => {
    const needs = allChecks.find((one) => one.id === id)!.needs({ profile: profileOf("2.2.1"), role: "CPO" })
    return graded(
      id,
      Object.fromEntries(needs.map((need) => [need, need === "transport.answers" ? answers : []]))
    )
  }

  it("is told as what it is, by TRANS-012 alone", () => {
    assert.match(found("TRANS-012").message ?? "", /: HTTP 200 with an empty body$/)
    for (const id of ["TRANS-011", "TRANS-013", "TRANS-016"])
      assert.notStrictEqual(found(id).outcome, "failed", id)
  })
})

describe("an enum value that the version does not have", () => {
  it("is a finding of TOK-004, and none of TOK-005", () => {
    const told5 = (whitelist: string) =>
      graded(
        "TOK-005",
        {
          "tokens.list": [answered("tokens", [{ uid: "T1", type: "APP_USER", whitelist }])],
          "tokens.crawl": []
        },
        emsp
      ).outcome
    assert.strictEqual(told5("never"), "passed")
    assert.strictEqual(told5("ALWAYS"), "warned")
  })
})

describe("a PUT that hangs", () => {
  const hung = (id: string, isUnusual?: true): Observation => {
    const seen = said(id, "tokens", "PUT", 200, {})
    const fault = { kind: "timeout" as const, message: "cpo.example did not finish its answer within 30 s" }
    return {
      ...seen,
      json: undefined,
      ...(isUnusual === undefined ? {} : { isUnusual }),
      exchange: { ...seen.exchange, response: null, outcome: "timed_out", fault }
    }
  }
  const broken = { "truncated-json": [hung("exc_cut", true)] }

  it("is told once, and called a hang rather than a refusal", () => {
    const story = { ...broken, "tokens.write#put": [hung("exc_put")] }
    const found = graded("TRANS-020", story)
    assert.strictEqual(found.outcome, "failed")
    assert.match(found.message ?? "", /hangs: it got no HTTP answer: timeout, .* within 30 s/)
    assert.match(found.hint ?? "", /also one that is wrong/)
    const blocked = graded("TOK-101", story)
    assert.strictEqual(told(blocked), "not_tested TRANS-020 exc_put")
    // A body that can be parsed hangs as well: the finding alone would lead to the parser.
    assert.match(blocked.reason ?? "", /although nothing is wrong with it; TRANS-020 reports the same/)
  })
})
