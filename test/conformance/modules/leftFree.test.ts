/** What the OCPI text leaves to a partner, or says in two ways: none of it is a broken rule. */
import { assert, describe, it } from "@effect/vitest"
import type { Exchange } from "../../../schema/Exchange.ts"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import { allChecks } from "../../../src/conformance/catalogue/suites.ts"
import type { Observation } from "../../../src/conformance/model/Evidence.ts"
import { unknownSessionSteps } from "../../../src/conformance/modules/chargingprofiles/chargingProfilesProbes.ts"
import {
  incapable,
  profileWithoutTariff
} from "../../../src/conformance/modules/sessions/preferencesProbes.ts"
import { accepted } from "../../../src/findings/expectations.ts"
import { hintOfRefusal } from "../../../src/findings/refusalReadings.ts"
import { answered, called, evidenceFrom } from "../support/handmade.ts"
import { location, party } from "../support/honestPartner.ts"

type Gathering = Readonly<Record<string, ReadonlyArray<Observation>>>
const judge = (id: string, gathered: Gathering, version: OcpiVersion = "2.2.1", of = party) =>
  allChecks.find((check) => check.id === id)!.judge(evidenceFrom(gathered, version, of))
const findingsOf = (...asked: Parameters<typeof judge>) => {
  const judgement = judge(...asked)
  return judgement.is === "fail" ? judgement.findings : []
}

const answeredAs = (
  method: string,
  httpStatus: number,
  json: object,
  headers: Record<string, string> = {}
) => {
  const seen = answered("chargingprofiles", undefined)
  const request = { ...seen.exchange.request, method }
  const response: NonNullable<Exchange["response"]> = {
    httpStatus,
    ocpiStatusCode: null,
    headers,
    body: JSON.stringify(json),
    truncated: false
  }
  return { ...seen, json, exchange: { ...seen.exchange, request, response } }
}

const atUrl = (seen: ReturnType<typeof answeredAs>, url: string) => ({
  ...seen,
  exchange: { ...seen.exchange, request: { ...seen.exchange.request, url } }
})

describe("CP-003: the charging profile of an unknown session", () => {
  const timestamp = "2026-06-01T12:00:00Z"
  const word = (result: string) => ({ status_code: 1000, data: { result, timeout: 5 }, timestamp })
  const [set, read, clear] = unknownSessionSteps
  const known = (method: string) => answeredAs(method, 200, word("UNKNOWN_SESSION"))
  const found = (steps: Gathering) =>
    findingsOf("CP-003", {
      [set!]: [known("PUT")],
      [read!]: [known("GET")],
      [clear!]: [known("DELETE")],
      ...steps
    })

  it("may be answered with HTTP 404 where it is read", () => {
    const absent = { status_code: 2001, timestamp }
    assert.isEmpty(found({ [read!]: [answeredAs("GET", 404, absent)] }))
    assert.lengthOf(found({ [set!]: [answeredAs("PUT", 404, absent)] }), 1)
  })

  it("is REJECTED by one of two readings, and wrong when it is ACCEPTED", () => {
    const [refused] = found({ [clear!]: [answeredAs("DELETE", 200, word("REJECTED"))] })
    assert.strictEqual(refused?.strength, "should")
    assert.isDefined(refused?.ambiguous)
    const [taken] = found({ [set!]: [answeredAs("PUT", 200, word("ACCEPTED"))] })
    assert.isUndefined(taken?.strength)
  })
})

describe("CDR-020: a CDR without session_id", () => {
  const without = { "cdrs.list": [answered("cdrs", [{ id: "C1" }])], "cdrs.crawl": [] }
  const endpoints = party.counterpart.endpoints.filter(({ identifier }) => identifier !== "sessions")

  it("is right at a CPO that has no Sessions module, and wrong at another", () => {
    const of = { ...party, counterpart: { ...party.counterpart, endpoints } }
    const judgement = judge("CDR-020", without, "2.2.1", of)
    assert.strictEqual(judgement.is === "inconclusive" && judgement.outcome, "not_applicable")
    assert.strictEqual(judge("CDR-020", without).is, "fail")
  })
})

describe("PAGE-002: X-Limit of an empty list", () => {
  const page = (items: ReadonlyArray<object>, limit: string) => {
    const { json } = answered("locations", items)
    return { "locations.list": [answeredAs("GET", 200, json as object, { "x-limit": limit })] }
  }

  it("is 0 where it is a number of the page", () => {
    assert.strictEqual(judge("PAGE-002", page([], "0"), "2.1.1").is, "pass")
    assert.strictEqual(judge("PAGE-002", page([], "-1"), "2.1.1").is, "fail")
    assert.strictEqual(judge("PAGE-002", page([location("A", 1)], "0"), "2.1.1").is, "fail")
    assert.strictEqual(judge("PAGE-002", page([], "0"), "2.2").is, "fail")
  })
})

describe("LOC-043: fields of a PATCH", () => {
  const found = (body: object, version: OcpiVersion = "2.2.1") =>
    findingsOf("LOC-043", { inbound: [called("PATCH", "locations", "/NL/TST/L1/E1", body)] }, version).map(
      ({ message, strength }) => `${strength ?? "must"}: ${message}`
    )

  it("are recorded when they are the partner's own, and wrong when they are of the location or the connector", () => {
    assert.deepStrictEqual(found({ status: "AVAILABLE", x_load: 3 }), [
      "may: PATCH object: x_load is no field of EVSE"
    ])
    assert.deepStrictEqual(found({ city: "Utrecht", standard: "CHADEMO" }), [
      "must: PATCH object: city is no field of EVSE",
      "must: PATCH object: standard is no field of EVSE"
    ])
    assert.isEmpty(found({ x_load: 3 }, "2.3.0"))
  })
})

describe("LOC-044: changes of an EVSE", () => {
  const changed = (status: string, last_updated: string) => {
    const [first] = location("A", 1).evses
    return answered("locations", [{ ...location("A", 1), evses: [{ ...first, status, last_updated }] }])
  }
  const story = (inbound: ReadonlyArray<Observation>) =>
    judge("LOC-044", {
      inbound,
      "locations.list": [changed("AVAILABLE", "2026-06-01T10:00:00Z")],
      "locations.crawl": [],
      "locations.after": [changed("CHARGING", "2026-06-01T11:00:00Z")],
      "locations.evses-after": []
    })

  it("need no push from a partner that pushes nothing, whatever it reads", () => {
    const judgement = story([
      called("GET", "tokens", "", undefined),
      called("POST", "commands", "/START_SESSION/1", { result: "ACCEPTED" })
    ])
    assert.strictEqual(judgement.is === "inconclusive" && judgement.outcome, "unobservable")
  })

  it("need one from a partner that pushes other objects", () => {
    assert.strictEqual(story([called("PUT", "tariffs", "/NL/TST/T1", { id: "T1" })]).is, "fail")
  })
})

describe("a session that is RESERVED, by the word of the prose", () => {
  const start = "2026-06-01T12:00:00Z"
  const pushed = (status: string, change: object = {}) =>
    called("PUT", "sessions", "/NL/TST/S1", {
      country_code: "NL",
      party_id: "TST",
      id: "S1",
      start_date_time: start,
      kwh: 0,
      status,
      ...change
    })

  it("is the session of a reservation", () => {
    const accepted = [answered("commands", { result: "ACCEPTED", timeout: 30 })]
    const story = (status: string) =>
      judge("CMD-030", {
        "commands.reserve#reserve": accepted,
        "commands.reserve#reserve result": [
          called("POST", "commands", "/RESERVE_NOW/1", { result: "ACCEPTED" })
        ],
        "commands.reserve#session": [pushed(status)]
      }).is
    assert.deepStrictEqual(["RESERVATION", "RESERVED", "PENDING"].map(story), ["pass", "pass", "fail"])
  })

  it("is a reservation that was not used when it ends without a charge", () => {
    const story = (status: string, kwh: number) =>
      judge("JRN-007", { "charging.calls": [pushed(status), pushed("COMPLETED", { kwh })] }).is
    assert.strictEqual(story("RESERVED", 0), "pass")
    assert.strictEqual(story("RESERVED", 5), "fail")
    assert.strictEqual(story("ACTIVE", 5), "inconclusive")
  })

  it("has no EVSE as long as none is assigned", () => {
    const story = (status: string) =>
      judge("SESS-011", {
        "sessions.list": [
          answered("sessions", [
            { id: "S1", kwh: 1, location_id: "A", evse_uid: "#NA", connector_id: "#NA", status }
          ])
        ],
        "sessions.crawl": []
      }).is
    assert.deepStrictEqual(["RESERVED", "ACTIVE"].map(story), ["pass", "fail"])
  })
})

describe("VERS-003: a version of the partner's own", () => {
  it("may be listed in 2.3.0, whose version numbers are an open enum, and not before", () => {
    const list = answered("versions", [
      { version: "2.3.0", url: "https://cpo.example/ocpi/2.3.0" },
      { version: "3.0-1", url: "https://cpo.example/ocpi/3.0-1" }
    ])
    const judged = (version: OcpiVersion) => judge("VERS-003", { versions: [list] }, version).is
    assert.deepStrictEqual(
      ["2.3.0", "2.2.1", "2.1.1"].map((one) => judged(one as OcpiVersion)),
      ["pass", "fail", "fail"]
    )
  })
})

describe("VERS-003: a version that is alone in the list", () => {
  it("is deprecated where the text of the run's version says so: 2.2 by 2.2.1, and not by its own", () => {
    const list = (version: string) => ({
      versions: [answered("versions", [{ version, url: `https://cpo.example/ocpi/${version}` }])]
    })
    const judged = (listed: string, version: OcpiVersion) => judge("VERS-003", list(listed), version).is
    assert.deepStrictEqual(
      [judged("2.2", "2.2"), judged("2.2", "2.2.1"), judged("2.1", "2.2"), judged("2.1.1", "2.1.1")],
      ["pass", "fail", "fail", "pass"]
    )
  })
})

describe("VERS-013: an EMSP that reads what it depends on from the CPO", () => {
  it("announces no module without need: the finding names both readings, and of a CPO it has one", () => {
    const details = {
      details: [
        {
          ...answered("versions", {
            version: "2.1.1",
            endpoints: ["credentials", "commands", "sessions"].map((identifier) => ({
              identifier,
              url: `https://cpo.example/ocpi/2.1.1/${identifier}`
            }))
          }),
          about: "2.1.1"
        }
      ]
    }
    const readings = (role: "CPO" | "EMSP") =>
      findingsOf("VERS-013", details, "2.1.1", {
        ...party,
        version: "2.1.1",
        counterpart: { ...party.counterpart, role }
      }).map(({ ambiguous }) => ambiguous?.readings.length)
    assert.deepStrictEqual([readings("EMSP"), readings("CPO")], [[2], [undefined]])
  })
})

describe("SESS-021: charging preferences at an EVSE that takes charging profiles", () => {
  it("are refused by one of two readings in 2.2, which names two capabilities, and by the only one of 2.2.1", () => {
    const taken = { [`${incapable}#wish`]: [answeredAs("PUT", 200, { status_code: 1000, data: "ACCEPTED" })] }
    const readings = (version: OcpiVersion) =>
      findingsOf("SESS-021", taken, version).map(({ ambiguous }) => ambiguous?.readings.length)
    assert.deepStrictEqual([readings("2.2"), readings("2.2.1")], [[2], [undefined]])
  })
})

describe("TAR-019 and TAR-022: the page and the currency of a tariff", () => {
  const strengthOf = (one: string) => allChecks.find(({ id }) => id === one)?.strength

  it("a page on a private address needs no https, as the partner's other URLs need none there", () => {
    const page = (url: string) =>
      findingsOf("TAR-019", {
        "tariffs.list": [],
        "tariffs.crawl": [],
        "tariffs.alt-url": [atUrl(answeredAs("GET", 200, {}), url)]
      })
    assert.isEmpty(page("http://127.0.0.1:9000/tariff"))
    assert.lengthOf(page("http://cpo.example/tariff"), 1)
  })

  it("a currency of another country is only recorded", () => assert.strictEqual(strengthOf("TAR-022"), "may"))
})

describe("PAGE-005: a Link on the last page", () => {
  it("is no more than a `should`, with both readings", () => {
    const check = allChecks.find(({ id }) => id === "PAGE-005")!
    assert.strictEqual(check.strength, "should")
    assert.lengthOf(check.ambiguous?.readings ?? [], 2)
  })
})

describe("SESS-020: a profile without a tariff", () => {
  const profileFor = (tariffs: ReadonlyArray<object> | undefined) =>
    profileWithoutTariff(
      evidenceFrom(
        tariffs === undefined ? {} : { "tariffs.list": [answered("tariffs", tariffs)], "tariffs.crawl": [] }
      )
    )

  it("is one for which no tariff has the type, and no tariff is for every session", () => {
    assert.strictEqual(profileFor([{ id: "T1", type: "REGULAR" }]), "FAST")
    assert.strictEqual(
      profileFor([
        { id: "T1", type: "REGULAR" },
        { id: "T2", type: "PROFILE_FAST" }
      ]),
      "GREEN"
    )
    for (const type of [undefined, null])
      assert.isUndefined(
        profileFor([
          { id: "T1", type: "REGULAR" },
          { id: "T2", type }
        ])
      )
  })

  it("is not known of a CPO whose tariffs are not read", () => {
    assert.isUndefined(profileFor(undefined))
    assert.isUndefined(profileFor([]))
  })
})

describe("a charge with a token of another EMSP", () => {
  const answerTo = (id: string, data: unknown) => {
    const profile = evidenceFrom({}).profile
    const [step] = allChecks.find((check) => check.id === id)!.needs({ profile, role: "EMSP" })
    return findingsOf(id, { [step!]: [answered("cdrs", data, { module: "cdrs" })] })
  }

  it("is refused by one of two readings", () => {
    for (const id of ["SESS-114", "CDR-111"]) {
      const [taken] = answerTo(id, null)
      assert.isDefined(taken?.ambiguous, id)
      assert.notInclude(taken?.ambiguous?.section, "undefined")
    }
  })
})

describe("TOK-006: a token of type EMAID", () => {
  it("is pushed against the advice of the text, and listed by one of two readings", () => {
    const [listed] = findingsOf(
      "TOK-006",
      { "tokens.list": [answered("tokens", [{ uid: "DE1", type: "EMAID" }])], "tokens.crawl": [] },
      "2.3.0"
    )
    assert.isDefined(listed?.ambiguous)
  })
})

describe("a list that is redirected", () => {
  const redirected = (location: string) => answeredAs("GET", 302, {}, { location })

  it("says nothing about tokens where it is redirected with ours as well", () => {
    const to = redirected("https://cpo.example/api/locations")
    const [step] = allChecks
      .find(({ id }) => id === "TRANS-001")!
      .needs({ profile: evidenceFrom({}).profile, role: "CPO" })
    const asked = (plain: Observation) => {
      const seen = { ...to, exchange: { ...to.exchange, module: "locations" } }
      return judge("TRANS-001", { [step!]: [seen], "locations.list": [plain] })
    }
    assert.strictEqual(asked(to).is, "inconclusive")
    assert.strictEqual(asked(answered("locations", [])).is, "fail")
  })
})

describe("VERS-017: version details in another order", () => {
  const endpoint = (identifier: string, role = "SENDER") => ({
    identifier,
    role,
    url: `https://cpo.example/${identifier}`
  })
  const details = (...endpoints: ReadonlyArray<object>) =>
    answered("versions", { version: "2.2.1", endpoints })
  const found = (...again: ReadonlyArray<Observation>) =>
    findingsOf("VERS-017", {
      versions: [answered("versions", [{ version: "2.2.1" }, { version: "2.1.1" }])],
      "versions.repeat": [answered("versions", [{ version: "2.1.1" }, { version: "2.2.1" }])],
      details: [{ ...details(endpoint("locations"), endpoint("cdrs")), about: "2.2.1" }],
      "details.repeat": again
    })

  it("have the same content", () => {
    assert.isEmpty(found(details(endpoint("cdrs"), endpoint("locations"))))
  })

  it("have other content where an endpoint came or went, which is named", () => {
    const [finding] = found(details(endpoint("cdrs"), endpoint("tariffs")))
    assert.match(finding?.actual ?? "", /^with .*tariffs.*, without .*locations/)
  })
})

describe("NOT_SUPPORTED: the answer to a command that a CPO does not offer", () => {
  const timestamp = "2026-06-01T12:00:00Z"
  const sent = (command: string, result: string) => {
    const seen = answered("commands", { result, timeout: 30 })
    const request = {
      ...seen.exchange.request,
      method: "POST",
      url: `https://cpo.example/commands/${command}`
    }
    const body = JSON.stringify({ status_code: 1000, data: { result, timeout: 30 }, timestamp })
    const response = { httpStatus: 200, ocpiStatusCode: 1000, headers: {}, body, truncated: false }
    return [{ ...seen, exchange: { ...seen.exchange, operation: command, request, response } }]
  }
  const reserve = "commands.wrong#reserve at an unknown location"
  const cancel = "commands.wrong#an unknown reservation"
  const verdict = (id: string, step: string, command: string, result: string) => {
    const judgement = judge(id, { "locations.list": [], [step]: sent(command, result) })
    return judgement.is === "inconclusive" ? judgement.outcome : judgement.is
  }

  it("is not judged by what it says of an unknown location or reservation", () => {
    assert.strictEqual(verdict("CMD-011", reserve, "RESERVE_NOW", "NOT_SUPPORTED"), "not_applicable")
    assert.strictEqual(verdict("CMD-034", cancel, "CANCEL_RESERVATION", "NOT_SUPPORTED"), "not_applicable")
  })

  it("is judged where the command is offered", () => {
    const start = "commands.wrong#start at an unknown location"
    assert.strictEqual(verdict("CMD-011", start, "START_SESSION", "NOT_SUPPORTED"), "fail")
    assert.strictEqual(verdict("CMD-011", reserve, "RESERVE_NOW", "REJECTED"), "fail")
    assert.strictEqual(verdict("CMD-034", cancel, "CANCEL_RESERVATION", "ACCEPTED"), "fail")
  })
})

describe("what an HTTP 404 is likely to mean", () => {
  const hint = (body: string) => hintOfRefusal({ httpStatus: 404, headers: {}, body })

  it("is an object that is not found where the OCPI service says so, and a route that is missing elsewhere", () => {
    assert.match(
      hint('{"status_code":2003,"timestamp":"2026-06-01T12:00:00Z"}') ?? "",
      /found no such object/
    )
    assert.match(hint("404 page not found") ?? "", /Nothing answers at that URL/)
  })
})

describe("an answer of success without a body of OCPI", () => {
  const told = (body: string) => {
    const seen = answered("credentials", undefined)
    const response = { httpStatus: 200, ocpiStatusCode: null, headers: {}, body, truncated: false }
    const [finding] = accepted({ ...seen, response, json: undefined })
    return finding?.message
  }

  it("is said to lack it, and not only to be HTTP 200", () => {
    assert.match(told("") ?? "", /was answered HTTP 200 with an empty body$/)
    assert.match(told("OK") ?? "", /was answered HTTP 200 without a status_code$/)
  })
})

describe("TRANS-013 in 2.1.1: fractions of a second", () => {
  const stamped = (timestamp: string, version: OcpiVersion) =>
    findingsOf(
      "TRANS-013",
      { "locations.list": [answeredAs("GET", 200, { status_code: 1000, data: [], timestamp })] },
      version
    )

  it("are noted with both readings: the text of that version neither shows nor forbids them", () => {
    const [noted] = stamped("2026-06-01T12:00:00.123Z", "2.1.1")
    assert.strictEqual(noted?.strength, "should")
    assert.lengthOf(noted?.ambiguous?.readings ?? [], 2)
    assert.isEmpty(stamped("2026-06-01T12:00:00Z", "2.1.1"))
    assert.isEmpty(stamped("2026-06-01T12:00:00.123Z", "2.2"))
    assert.strictEqual(stamped("2026-06-01T12:00:00+02:00", "2.1.1")[0]?.strength, undefined)
  })

  it.each(["2.1.1", "2.2", "2.2.1", "2.3.0"] as const)(
    "may not take more than 25 characters, in %s",
    (version) => {
      const found = stamped("2026-06-01T12:00:00.123456789Z", version)
      assert.lengthOf(found, 1)
      assert.deepInclude(found[0], { expected: "a DateTime of at most 25 characters" })
      assert.isUndefined(found[0]?.ambiguous)
      assert.lengthOf(stamped("2026-06-01T12:00:00.12345Z", version), 1)
      assert.isTrue(
        stamped("2026-06-01T12:00:00.1234Z", version).every(({ ambiguous }) => ambiguous !== undefined)
      )
    }
  )
})

describe("locations that only sessions still need, and tariffs that are not shared", () => {
  const strengthOf = (one: string) => allChecks.find(({ id }) => id === one)?.strength

  it("break no MUST: locations cannot be deleted, and a server may leave objects out of a list", () => {
    const removed = { ...location, evses: [{ uid: "E1", status: "REMOVED", connectors: [] }] }
    const list = { "locations.list": [answered("locations", [removed])], "locations.crawl": [] }
    assert.lengthOf(findingsOf("LOC-018", list), 1)
    assert.strictEqual(strengthOf("LOC-018"), "may")
    assert.strictEqual(strengthOf("LOC-019"), "should")
  })
})
