import { assert, describe, it } from "vitest"
import type { Assertion } from "../../schema/Assertion.ts"
import { causeInWords, causesOf, effectInWords } from "../../src/reports/causes.ts"
import { harOf } from "../../src/reports/har.ts"
import { htmlOf } from "../../src/reports/html/page.ts"
import { jsonOf } from "../../src/reports/json.ts"
import { junitOf } from "../../src/reports/junit.ts"
import { markdownOf } from "../../src/reports/markdown.ts"
import { causeLines, unjudgedLines } from "../../src/reports/text.ts"
import { littleJudged, unjudgedIn, unjudgedInWords } from "../../src/reports/unjudged.ts"
import told from "../strangers/personas/told.json" with { type: "json" }
import { check, document } from "../support/documents.ts"

const said = "body.state: Field required"
const refused = check("TOK-101", "failed", {
  message: "PUT token was answered HTTP 422",
  actual: "HTTP 422",
  attribution: "partner",
  partnerSaid: said,
  exchangeIds: ["exc_1"]
})
const blocked = (id: string, over: Partial<Assertion> = {}) =>
  check(id, "not_tested", {
    reason: "a plain PUT of a token has to be accepted first, and PUT token (first) was answered HTTP 422",
    attribution: "partner",
    partnerSaid: said,
    blockedBy: {
      check: "TOK-101",
      exchangeId: "exc_1",
      what: "a plain PUT of a token has to be accepted first, and PUT token (first) was answered HTTP 422"
    },
    ...over
  })

/** A request, a module or what is named by an article, but no field. */
const subject =
  /^((GET|POST|PUT|PATCH|DELETE) |[a-z]+( \([^)]*\))?: |(a|an|the|every|each|no|our|its|none) |[A-Z])/

describe("the causes of a run", () => {
  it("are a refusal with the checks that it keeps from being judged", () => {
    const ids = Array.from({ length: 14 }, (_, index) => `TRANS-${100 + index}`)
    const [cause, ...others] = causesOf([
      ...ids.map((id) => blocked(id)),
      refused,
      check("LOC-001", "failed")
    ])
    assert.deepStrictEqual(others, [])
    assert.deepStrictEqual(cause?.found, ["TOK-101"])
    assert.deepStrictEqual(cause?.blocked, ids)
    assert.strictEqual(
      causeInWords(cause!),
      'PUT token was answered HTTP 422; the partner says: "body.state: Field required"'
    )
    assert.strictEqual(
      effectInWords(cause!),
      `TOK-101 reports it; 14 checks could not be judged: ${ids.slice(0, 8).join(", ")} and 6 more`
    )
  })

  it("have a subject where a finding alone begins with a field, as its check has the subject", () => {
    const headlineOf = (message: string, pointer: string, over: Partial<Assertion> = {}) => {
      const finding = { message, strength: "must", count: 1, places: [{ pointer }] } as const
      const one = check("TAR-002", "failed", {
        module: "tariffs",
        exchangeIds: ["exc_1"],
        pointer,
        findings: [finding],
        ...over
      })
      return causesOf([one, { ...one, id: "TRANS-047" }])[0]?.what
    }
    const place = "/data/0/elements/0/price_components/0/price"
    const price = 'elements[0].price_components[0].price is "0.2"; expected a number'
    assert.strictEqual(headlineOf(price, place), `tariffs: ${price}`)
    assert.strictEqual(headlineOf("kwh is missing", "/data/3/kwh"), "tariffs: kwh is missing")
    assert.strictEqual(headlineOf("data is a list of 1", "/data"), "tariffs: data is a list of 1")
    assert.strictEqual(headlineOf("last_updated is missing", ""), "tariffs: last_updated is missing")
    const ruled = { module: undefined, title: "Session: ends" } as unknown as Partial<Assertion>
    assert.strictEqual(headlineOf("kwh is missing", "/kwh", ruled), "Session: ends: kwh is missing")
    for (const whole of [
      "tariffs: elements[0] is missing",
      "GET token: valid is not what was sent (/data/valid)"
    ])
      assert.strictEqual(headlineOf(whole, "/data/valid"), whole)
    // Every sentence that a persona has been told, as the cause of two findings.
    const messages = Object.values(told).flatMap(({ messages }) => Object.entries(messages))
    assert.isAbove(messages.length, 100)
    for (const [id, message = ""] of messages) {
      const [, pointer = ""] = /\((?:at )?(\/[^\s)]*)/.exec(message) ?? []
      const what = headlineOf(message, pointer, { id })
      assert.match(what ?? "", subject, `${id}: ${message}`)
    }
    for (const { causes } of Object.values(told)) for (const cause of causes) assert.match(cause, subject)
  })

  it("are one where a field is wrong in a list and in what is pushed, in whichever object", () => {
    const whole = "a whole number (without quotes)"
    const wrong = (id: string, pointers: ReadonlyArray<string>, field: string, expected = whole) =>
      check(id, "failed", {
        module: "tariffs",
        exchangeIds: [`exc_${id}`],
        findings: [
          {
            message: `${field} is "60"; expected ${expected}`,
            strength: "must",
            expected,
            count: pointers.length,
            places: pointers.map((pointer) => ({ pointer, exchangeId: `exc_${id}` }))
          }
        ]
      })
    const inList = wrong(
      "TAR-007",
      ["/data/0/elements/0/step_size", "/data/3/elements/2/step_size"],
      "elements[0].step_size"
    )
    const pushed = wrong("TAR-030", ["/elements/1/step_size"], "elements[1].step_size")
    const typed = { ...inList, id: "TRANS-047", module: "transport" }
    for (const all of [
      [inList, pushed],
      [pushed, inList],
      [typed, inList, pushed],
      [pushed, typed, inList]
    ]) {
      const [cause, ...others] = causesOf(all)
      assert.deepStrictEqual(others, [])
      assert.strictEqual(cause?.found.length, all.length)
      assert.strictEqual(cause?.places, 3)
    }
    // Another field, another rule of it, another module, and what is more than the form of a field.
    for (const other of [
      wrong("TAR-031", ["/elements/1/price"], "elements[1].price"),
      wrong("TAR-032", ["/elements/1/step_size"], "elements[1].step_size", "0 or more"),
      { ...pushed, module: "cdrs" },
      wrong("TAR-033", ["/data/elements/1/step_size"], "GET tariff: step_size")
    ])
      assert.deepStrictEqual(causesOf([inList, other]), [], other.id)
  })

  it("are one where two rules find the same field of an object wrong, by whatever value and in whichever exchange", () => {
    const wrong = (id: string, module: string, ...at: ReadonlyArray<readonly [string, string, string]>) =>
      check(id, "failed", {
        module,
        exchangeIds: [`exc_${id}`],
        findings: at.map(([exchangeId, pointer, object]) => ({
          message: `${id} is broken`,
          strength: "must",
          count: 1,
          places: [{ exchangeId, pointer, object, actual: `as ${id} sees it` }]
        }))
      })
    const found = (...all: ReadonlyArray<Assertion>) => causesOf(all).map((cause) => cause.found)
    const sum = wrong(
      "CDR-008",
      "cdrs",
      ["exc_1", "/data/0/total_energy", "C1"],
      ["exc_1", "/data/1/total_energy", "C2"]
    )
    const cost = wrong("CDR-013", "cdrs", ["exc_1", "/data/1/total_cost", "C2"])
    const session = wrong("JRN-005", "cdrs", ["exc_2", "/total_energy", "C2"], ["exc_2", "/total_cost", "C2"])
    assert.deepStrictEqual(found(sum, session, cost), [["CDR-008", "JRN-005", "CDR-013"]])
    // Another object, another field, an object of that name of another module.
    assert.deepStrictEqual(found(sum, cost), [])
    assert.deepStrictEqual(found(sum, wrong("JRN-005", "cdrs", ["exc_2", "/total_energy", "C3"])), [])
    assert.deepStrictEqual(found(sum, wrong("SESS-003", "sessions", ["exc_2", "/total_energy", "C2"])), [])
    const none = wrong("LOC-013", "locations", ["exc_3", "/data/1/evses/0/connectors", "L1, EVSE E1"])
    const empty = wrong("TRANS-048", "transport", ["exc_3", "/data/1/evses/0/connectors", "L1, EVSE E1"])
    assert.deepStrictEqual(found(none, empty), [["LOC-013", "TRANS-048"]])
    const both = wrong(
      "LOC-002",
      "locations",
      ["exc_3", "/data/1/evses/0/connectors", ""],
      ["exc_3", "/data/2/id", ""]
    )
    const few = wrong(
      "LOC-009",
      "locations",
      ["exc_3", "/data/2/id", ""],
      ["exc_3", "/data/5/id", ""],
      ["exc_3", "/data/6/id", ""]
    )
    assert.deepStrictEqual(found(both, few), [["LOC-002", "LOC-009"]], "half of the smaller one")
  })

  it("are one where the same is said of several messages, or refused without a word by one rule", () => {
    const of = (id: string, ...messages: ReadonlyArray<string>) =>
      check(id, "failed", {
        exchangeIds: [`exc_${id}`],
        findings: messages.map((message, index) => ({
          message,
          strength: "must",
          count: 1,
          places: [{ exchangeId: `exc_${id}${index}`, actual: "absent" }]
        }))
      })
    const found = (...all: ReadonlyArray<Assertion>) => causesOf(all).map((cause) => cause.found)
    const said = "X-Request-ID is not repeated"
    const plain = of("TRANS-025", `GET versions, HTTP 200: ${said}`, `GET cdrs, HTTP 200: ${said}`)
    const inErrors = of("TRANS-027", `GET locations (date_from=2024-13-45T99:00:00Z), HTTP 200: ${said}`)
    assert.deepStrictEqual(found(plain, inErrors), [["TRANS-025", "TRANS-027"]])
    assert.deepStrictEqual(
      found(plain, of("TRANS-026", "GET versions, HTTP 200: X-Correlation-ID is not repeated")),
      []
    )
    const answered = (id: string, reference: string, actual: string) =>
      check(id, "warned", { reference, actual, exchangeIds: [`exc_${id}`] })
    const case401 = answered("CRED-050", "transport_and_format, Authorization header", "HTTP 401")
    assert.deepStrictEqual(found(case401, { ...case401, id: "TRANS-009", exchangeIds: ["exc_9"] }), [
      ["CRED-050", "TRANS-009"]
    ])
    // Another rule; and what was taken, which says nothing of what else is taken.
    assert.deepStrictEqual(found(case401, answered("LOC-034", "mod_locations", "HTTP 401")), [])
    const rule = "status_codes, 2xxx: Client errors"
    const taken = answered("LOC-111", rule, "HTTP 200, status_code 1000")
    assert.deepStrictEqual(found(taken, { ...taken, id: "CDR-104", exchangeIds: ["exc_8"] }), [])
  })

  it("are one where a failure is a consequence of another one, in whichever order; without that one it stands alone", () => {
    const window = check("PAGE-022", "failed", {
      exchangeIds: ["exc_1"],
      message: "an object outside the window"
    })
    const both = check("PAGE-024", "failed", {
      exchangeIds: ["exc_2"],
      consequenceOf: ["PAGE-021", "PAGE-022"]
    })
    for (const all of [
      [window, both],
      [both, window]
    ])
      assert.deepStrictEqual(
        causesOf(all).map(({ found, blocked }) => [found.toSorted(), blocked]),
        [[["PAGE-022", "PAGE-024"], []]]
      )
    assert.deepStrictEqual(causesOf([both, check("PAGE-022", "passed"), blocked("PAGE-021")]), [])
    // A circle ends.
    const round = { ...window, consequenceOf: ["PAGE-024"] }
    assert.strictEqual(causesOf([round, both]).length, 1)
  })

  it("are one where the partner says the same of several requests, or one answer fails several checks", () => {
    const same = { ...refused, id: "SESS-101", exchangeIds: ["exc_2"] }
    assert.deepStrictEqual(
      causesOf([refused, same]).map(({ found }) => found),
      [["TOK-101", "SESS-101"]]
    )
    const other = { ...same, partnerSaid: "country: Field required" }
    assert.deepStrictEqual(causesOf([refused, other]), [])
    const empty = {
      message: "the answer is no list",
      actual: "null",
      pointer: "/data",
      exchangeIds: ["exc_3"]
    }
    const found = causesOf([check("LOC-001", "failed", empty), check("PAGE-016", "warned", empty)])
    assert.deepStrictEqual(
      found.map((cause) => [cause.what, cause.found]),
      [["the answer is no list", ["LOC-001", "PAGE-016"]]]
    )
  })

  it("are several where the partner says of each that a server had an error, which shows no common cause", () => {
    const actual = "HTTP 200, status_code 3000"
    const fault = (id: string, request: string, exchangeId: string) =>
      check(id, "failed", {
        reference: `the rule of ${id}`,
        message: `${request} was answered ${actual}`,
        actual,
        attribution: "partner",
        partnerSaid: "Generic server error",
        exchangeIds: [exchangeId]
      })
    const waiting = (id: string, request: string, exchangeId: string) =>
      blocked(id, {
        partnerSaid: "Generic server error",
        blockedBy: { exchangeId, what: `${request} was answered ${actual}` }
      })
    const causes = causesOf([
      fault("TRANS-020", "PUT tokens (truncated JSON)", "exc_5"),
      fault("LOC-001", "GET locations", "exc_6"),
      fault("CDR-001", "GET cdrs", "exc_7"),
      waiting("LOC-002", "GET locations", "exc_8"),
      waiting("CDR-002", "GET cdrs", "exc_7"),
      waiting("CDR-003", "GET cdrs", "exc_7")
    ])
    assert.deepStrictEqual(
      causes.map(({ blocked, found }) => [found, blocked]),
      [
        [["CDR-001"], ["CDR-002", "CDR-003"]],
        [["LOC-001"], ["LOC-002"]]
      ]
    )
  })

  it("are several where each answer has the phrase of its HTTP status alone, unless one rule is broken alike", () => {
    const answered = (id: string, reference: string, httpStatus: number, partnerSaid: string) =>
      check(id, "failed", {
        message: `the request of ${id} was answered HTTP ${httpStatus}`,
        actual: `HTTP ${httpStatus}`,
        reference,
        partnerSaid,
        exchangeIds: [`exc_${id}`]
      })
    const found = causesOf([
      answered("CRED-006", "credentials", 404, "Not Found"),
      answered("LOC-034", "mod_locations", 404, "Not Found"),
      answered("LOC-112", "status_codes", 400, "Bad Request"),
      answered("SESS-101", "mod_sessions", 400, "Bad Request"),
      answered("VERS-004", "transport_and_format, Authorization header", 500, "Internal Server Error"),
      answered("TRANS-001", "transport_and_format, Authorization header", 500, "Internal Server Error"),
      answered("PAGE-017", "transport_and_format, Pagination", 500, "Internal Server Error"),
      // What the routers of frameworks have for a route that there is not.
      answered("CDR-001", "mod_cdrs", 404, "No message available"),
      answered("TOK-101", "mod_tokens", 404, "No message available"),
      answered("TOK-010", "mod_tokens, authorize", 404, "404 page not found"),
      answered("CMD-001", "mod_commands", 404, "404 page not found"),
      answered("TAR-101", "mod_tariffs", 404, "The requested resource could not be found."),
      answered("SESS-021", "mod_sessions, PUT", 404, "The requested resource could not be found.")
    ])
    assert.deepStrictEqual(
      found.map((cause) => cause.found),
      [["VERS-004", "TRANS-001"]]
    )
  })

  it("are one where a check of the types of all fields sees what a check of a module sees", () => {
    const found = (id: string, ...pointers: ReadonlyArray<string>) => {
      const places = pointers.map((pointer) => ({ pointer, exchangeId: "exc_4", actual: "absent" }))
      const kind = { message: "a field is missing", strength: "must" as const, count: places.length, places }
      return check(id, "failed", {
        findings: [kind],
        actual: "absent",
        exchangeIds: ["exc_4"],
        ...(pointers[0] === undefined ? {} : { pointer: pointers[0] })
      })
    }
    const all = [
      found("LOC-002", "/data/1/address"),
      found("SESS-002", "/data/7/kwh"),
      found("TRANS-048", "/data/0/city", "/data/1/address")
    ]
    assert.deepStrictEqual(
      causesOf(all).map((cause) => cause.found),
      [["LOC-002", "TRANS-048"]]
    )
    const [cause] = causesOf(all)
    assert.strictEqual(cause?.places, 2, "a place that two checks report is one")
    assert.strictEqual(effectInWords(cause!), "LOC-002, TRANS-048 report it, 2 places in all")
    // What is wrong with an answer as a whole has many reasons.
    const whole = { ...found("TRANS-011", ""), actual: "text/html" }
    assert.deepStrictEqual(causesOf([whole, found("TRANS-025", "", "/data/2/id")]), [])
  })

  it("count each place once: a pointer in the body of an exchange, or an exchange", () => {
    const places = Array.from({ length: 41 }, (_, index) => ({
      pointer: `/data/${index}/status`,
      exchangeId: "exc_5",
      actual: "available"
    }))
    const kind = { message: "status is in lower case", strength: "must", count: 41, places } as const
    const lower = (id: string, findings: Assertion["findings"] & {}) =>
      check(id, "failed", {
        findings,
        pointer: "/data/0/status",
        actual: "available",
        exchangeIds: ["exc_5"]
      })
    const placesIn = (...checks: ReadonlyArray<Assertion>) => causesOf(checks).map((cause) => cause.places)
    assert.deepStrictEqual(placesIn(lower("LOC-004", [kind]), lower("TRANS-047", [kind])), [41])
    const twice = [kind, { ...kind, message: "status is unknown", count: 1, places: places.slice(0, 1) }]
    assert.deepStrictEqual(placesIn(lower("LOC-004", twice), lower("TRANS-047", [kind])), [41])
    // Of places that are not all kept the number stands beside them.
    const many = [{ ...kind, count: 60_000 }]
    assert.deepStrictEqual(placesIn(lower("LOC-004", many), lower("TRANS-047", [kind])), [60_000])
    assert.deepStrictEqual(placesIn(refused, { ...refused, id: "SESS-101", exchangeIds: ["exc_2"] }), [2])
    assert.deepStrictEqual(placesIn(refused, blocked("TRANS-035")), [1])
    // A fault of ours is at no place of the partner's.
    const ours = { message: "our rule broke", attribution: "ours" } as const
    assert.deepStrictEqual(placesIn(check("A-1", "error", ours), check("A-2", "error", ours)), [0])
  })

  it("say in every form at how many places they are", () => {
    const other = { ...refused, id: "SESS-101", exchangeIds: ["exc_2"] }
    const whole = { ...document, groups: [{ id: "transport", startedAt: null, checks: [refused, other] }] }
    assert.strictEqual(JSON.parse(jsonOf(whole)).causes[0].places, 2)
    for (const text of [
      htmlOf(whole),
      markdownOf(whole),
      junitOf(whole),
      causeLines([refused, other]).join("\n")
    ])
      assert.include(text, "TOK-101, SESS-101 report it, 2 places in all")
  })

  it("are one where nobody is reached, whatever the requests are", () => {
    const unreached = (id: string, request: string) => {
      const what = `${request} was not delivered: cpo.example:443 refused the connection (ECONNREFUSED)`
      return check(id, "not_tested", {
        reason: what,
        attribution: "network",
        blockedBy: { exchangeId: id, what }
      })
    }
    const [cause] = causesOf([unreached("TOK-101", "PUT token"), unreached("LOC-001", "GET locations")])
    assert.deepStrictEqual(
      [cause?.attribution, cause?.found, cause?.blocked],
      ["network", [], ["TOK-101", "LOC-001"]]
    )
    assert.strictEqual(effectInWords(cause!), "2 checks could not be judged: TOK-101, LOC-001")
  })

  it("are not what nobody did, what passed, and what stands alone", () => {
    const reason = "no driver came"
    const none = [
      check("TOK-201", "unobservable", { reason }),
      check("TOK-202", "unobservable", { reason }),
      check("VER-001", "passed"),
      check("VER-002", "passed"),
      refused
    ]
    assert.deepStrictEqual(causesOf(none), [])
  })

  it("begin every form of the report, with the partner's words", () => {
    const checks = [refused, blocked("TRANS-035"), blocked("TRANS-038")]
    const whole = { ...document, groups: [{ id: "transport", startedAt: null, checks }] }
    const json = JSON.parse(jsonOf(whole))
    assert.deepStrictEqual(Object.keys(json).slice(0, 3), ["report", "causes", "unjudged"])
    assert.deepStrictEqual(json.causes[0].blocked, ["TRANS-035", "TRANS-038"])
    for (const text of [htmlOf(whole), markdownOf(whole), junitOf(whole), causeLines(checks).join("\n")]) {
      assert.include(text, "2 checks could not be judged")
      assert.match(text, /the partner says: (&quot;|"|&#34;)body\.state: Field required/)
    }
  })
})

describe("what was not judged", () => {
  const open = [
    check("TOK-201", "unobservable", { reason: "show a card at a charge point", attribution: "operator" }),
    check("TOK-202", "unobservable", {
      reason: "show a card at a charge point",
      attribution: "operator",
      strength: "should"
    }),
    check("LOC-001", "not_tested", {
      reason: "not reached",
      attribution: "network",
      blockedBy: { what: "not reached" }
    }),
    check("LOC-002", "error", { reason: "our check broke", attribution: "ours" })
  ]

  it("is said by reason, with what to do next, and whether it keeps the run from passing", () => {
    assert.deepStrictEqual(
      unjudgedIn([...open, check("VER-001", "passed"), check("VER-002", "not_applicable")]).map(
        ({ attribution, checks, required }) => [attribution, checks, required]
      ),
      [
        ["operator", ["TOK-201", "TOK-202"], 1],
        ["network", ["LOC-001"], 1],
        ["ours", ["LOC-002"], 1]
      ]
    )
    const told = check("CMD-001", "unobservable")
    const [free] = unjudgedIn([{ ...told, reason: "no EVSE is free: free one, then run again" }])
    assert.strictEqual(unjudgedInWords(free!), "1 check: no EVSE is free: free one, then run again (CMD-001)")
    const needing = (need: "partner_acts" | "partner_data" | "risk", reason: string) =>
      check("CDR-001", "unobservable", { reason, need })
    const words = (one: Assertion) => unjudgedInWords(unjudgedIn([one])[0]!)
    assert.match(
      words(needing("partner_data", "no CDR is a Credit CDR")),
      /; add such data at the partner, then/
    )
    assert.match(words(needing("partner_acts", "no EVSE is gone")), /; make that happen at the partner while/)
    assert.match(
      words(needing("partner_acts", "no PATCH came: change a part of an object")),
      /object \(CDR-001\)$/
    )
    const risky = "it may end the registration: graded only when the order names it"
    assert.strictEqual(words(needing("risk", risky)), `1 check: ${risky} (CDR-001)`)
    assert.match(
      littleJudged([...open, needing("partner_data", "no CDR is a Credit CDR")], "inconclusive") ?? "",
      /; ordered with "needs": \[\], a run does not count 1 of these$/
    )
    const lines = unjudgedLines(open, { ocpiVersion: "2.2.1", verdict: "inconclusive" })
    assert.match(
      lines[0] ?? "",
      /2 checks: show a card at a charge point \(TOK-201, TOK-202\); provide what is missing/
    )
    assert.match(lines.at(-1) ?? "", /INCONCLUSIVE: 4 of 4 checks were not judged; 3 of them are must rules/)
  })

  it("is said once of an interface that the version details do not list, in every form", () => {
    const reason = "The partner's version details list no commands endpoint with role RECEIVER"
    const left = ["CMD-001", "CMD-002"].map((id) => check(id, "not_applicable", { reason }))
    const checks = [
      check("VER-001", "passed"),
      ...left,
      check("VER-002", "not_applicable", { reason: "old" })
    ]
    assert.deepStrictEqual(
      unjudgedIn(checks).map(({ attribution, checks, required }) => [attribution, checks, required]),
      [["partner", ["CMD-001", "CMD-002"], 0]]
    )
    // In a journey its stage was begun, and nothing was sent; it is no fault of ours.
    const stage = check("push-tariff.taken", "not_tested", { reason, attribution: "ours" })
    assert.deepStrictEqual(
      unjudgedIn([stage]).map(({ attribution, next }) => [attribution, next.slice(0, 14)]),
      [["partner", "if the partner"]]
    )
    const whole = { ...document, groups: [{ id: "commands", startedAt: null, checks }] }
    for (const text of [htmlOf(whole), markdownOf(whole), junitOf(whole), harOf(whole)])
      assert.include(
        text.replaceAll("&#39;", "'").replaceAll("&apos;", "'"),
        `2 checks: ${reason} (CMD-001, CMD-002); if the partner has`
      )
    assert.include(
      unjudgedLines(checks, { ocpiVersion: "2.2.1", verdict: "pass" }).join("\n"),
      `2 checks: ${reason}`
    )
  })

  it("is said of a run without failures when little was judged, in every form", () => {
    const checks = [...open, check("VER-001", "passed")]
    assert.isUndefined(littleJudged(checks, "fail"))
    assert.isUndefined(littleJudged([check("VER-001", "passed")], "pass"))
    assert.match(
      littleJudged(checks, "inconclusive") ?? "",
      /^4 of 5 checks were not judged; 3 of them are must rules/
    )
    const report = { ...document.report, verdict: "inconclusive" as const }
    const whole = { ...document, report, groups: [{ id: "tokens", startedAt: null, checks }] }
    for (const text of [htmlOf(whole), markdownOf(whole), junitOf(whole)]) {
      assert.include(text, "4 of 5 checks were not judged")
      assert.include(text, "show a card at a charge point (TOK-201, TOK-202); provide what is missing")
    }
  })
})
