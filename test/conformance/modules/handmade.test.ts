/** Rules on evidence that is written down by hand: each case has the shape of a false alarm, or of a miss, that was seen. */
import { assert, describe, it } from "@effect/vitest"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import { allChecks } from "../../../src/conformance/catalogue/suites.ts"
import { makeEvidence, type Observation } from "../../../src/conformance/model/Evidence.ts"
import { chargingProfileProbes } from "../../../src/conformance/modules/chargingprofiles/chargingProfilesProbes.ts"
import {
  allotment,
  commandToken,
  noFreeEvse,
  targetsIn
} from "../../../src/conformance/modules/commands/commandTargets.ts"
import { reservingProbes } from "../../../src/conformance/modules/commands/reservations/reservingProbes.ts"
import { wrongRequests } from "../../../src/conformance/modules/commands/wrong/wrongRequests.ts"
import { unknownEvse } from "../../../src/conformance/modules/shared/unknownEvse.ts"
import { objectIn } from "../../../src/findings/json.ts"
import { answered, called, evidenceFrom } from "../support/handmade.ts"
import { location, party } from "../support/honestPartner.ts"

const judge = (
  id: string,
  gathered: Readonly<Record<string, ReadonlyArray<Observation>>>,
  version: OcpiVersion = "2.2.1",
  of = party
) => allChecks.find((check) => check.id === id)!.judge(evidenceFrom(gathered, version, of))

const places = {
  "locations.list": [
    answered("locations", [
      {
        ...location("A", 1),
        evses: location("A", 1).evses.map((evse) => ({
          ...evse,
          capabilities: ["REMOTE_START_STOP_CAPABLE", "UNLOCK_CAPABLE"]
        }))
      }
    ])
  ],
  "locations.crawl": []
}

describe("a listed object that breaks its schema", () => {
  const hints = (broken: object) => {
    const list = [answered("locations", [{ ...location("A", 1), ...broken }])]
    const judgement = judge("LOC-002", { "locations.list": list, "locations.crawl": [] })
    return judgement.is === "fail" ? judgement.findings.map(({ hint }) => hint) : [judgement.is]
  }

  it("is told how the field has to be sent, whether it is wrong or missing", () => {
    assert.match(
      hints({ last_updated: "2026-01-31T23:59:59+02:00" })[0] ?? "",
      /^Send last_updated as a date and time in UTC like /
    )
    assert.match(hints({ city: undefined })[0] ?? "", /^Always send city as text of at most 45 /)
  })
})

describe("a CDR whose id comes twice", () => {
  const told = (second: object) => {
    const cdr = { country_code: "NL", party_id: "TST", id: "C1", total_energy: 1 }
    const judgement = judge("CDR-003", {
      "cdrs.list": [answered("cdrs", [cdr, { ...cdr, ...second }])],
      "cdrs.crawl": []
    })
    return judgement.is === "fail" ? judgement.findings.map(({ hint, message }) => [message, hint]) : []
  }

  it("is listed twice where both are the same, and is another CDR where they are not", () => {
    const [[same, hint] = []] = told({})
    assert.match(same ?? "", /the same object is in the list twice/)
    assert.match(hint ?? "", /^Bring each object once/)
    const [[other, none] = []] = told({ total_energy: 2 })
    assert.match(other ?? "", /the id is used twice/)
    assert.isUndefined(none)
  })
})

describe("a session that a script needs", () => {
  const [script] = chargingProfileProbes
  const holds = (result: string) => {
    const steps = script !== undefined && "steps" in script ? script.steps : []
    return steps
      .find(({ id }) => id === "hold")
      ?.act(
        evidenceFrom({
          ...places,
          "chargingprofiles.set#start": [answered("commands", { result: "ACCEPTED", timeout: 30 })],
          "chargingprofiles.set#start result": [called("POST", "commands", "/START_SESSION/1", { result })],
          "chargingprofiles.set#session": [],
          "chargingprofiles.set#sessions": [answered("sessions", [])]
        })
      )
  }

  it("is missing because of the answers to its command", () => {
    const held = holds("EVSE_OCCUPIED")
    assert.include(JSON.stringify(held), "with ACCEPTED, then EVSE_OCCUPIED")
    assert.include(JSON.stringify(held), "exchangeId")
  })
})

describe("CMD-020: a session after START_SESSION", () => {
  const { profile, ...evidence } = evidenceFrom({})
  const token = commandToken({ profile, ...evidence }, "app", 1, profile.appToken)
  const evse = allotment(evidenceFrom(places)).get("a remote start")?.evse["uid"]
  const session = (status: string) =>
    called("PUT", "sessions", "/NL/TST/S1", {
      id: "S1",
      location_id: "A",
      evse_uid: evse,
      connector_id: "1",
      cdr_token: token,
      status
    })
  const story = (result: string, status: string) =>
    judge("CMD-020", {
      ...places,
      "commands.start#start": [answered("commands", { result: "ACCEPTED", timeout: 30 })],
      "commands.start#start result": [called("POST", "commands", "/START_SESSION/1", { result })],
      "commands.start#session": [session(status)]
    }).is

  it("is a fault when the result said that none begins", () => {
    assert.strictEqual(story("REJECTED", "ACTIVE"), "fail")
    assert.strictEqual(story("EVSE_OCCUPIED", "COMPLETED"), "fail")
  })

  it("is none when it was accepted, or was only prepared before it was refused", () => {
    assert.strictEqual(story("ACCEPTED", "ACTIVE"), "pass")
    assert.strictEqual(story("REJECTED", "PENDING"), "pass")
    assert.strictEqual(story("TIMEOUT", "ACTIVE"), "pass")
  })
})

describe("a rule about parts of a location, where the list has none of them", () => {
  it("says so, and counts no parts", () => {
    const bare = { ...location("A", 1), evses: [] }
    const judgement = judge("LOC-031", {
      "locations.list": [answered("locations", [bare])],
      "locations.crawl": [],
      "tariffs.list": [answered("tariffs", [])]
    })
    assert.include(JSON.stringify(judgement), '"nothing in the list of locations has ')
  })
})

describe("targets of commands", () => {
  const uidsOf = (...listed: ReadonlyArray<object>) =>
    targetsIn(evidenceFrom({ "locations.list": [answered("locations", listed)], "locations.crawl": [] })).map(
      ({ evse }) => evse["uid"]
    )
  const [a, b] = [location("A", 1), location("B", 1)]
  const twin = { ...b, evses: b.evses.map((evse) => ({ ...evse, uid: a.evses[0]?.uid })) }

  it("are EVSEs with a uid of their own, in a location and among all", () => {
    assert.isNotEmpty(uidsOf(a, b))
    assert.notInclude(uidsOf(a, twin, b), a.evses[0]?.uid)
    assert.notInclude(uidsOf({ ...a, evses: [...a.evses, a.evses[0]] }, b), a.evses[0]?.uid)
  })

  it("need a connector, and what is said where there are none does not deny that an EVSE is AVAILABLE", () => {
    const bare = { ...a, evses: a.evses.map((evse) => ({ ...evse, connectors: [] })) }
    assert.isEmpty(uidsOf(bare))
    assert.strictEqual(
      noFreeEvse("RESERVABLE"),
      "no EVSE of the list that has a connector, and a uid that no other has, is AVAILABLE and RESERVABLE: free one, or add what it lacks, then run again"
    )
  })

  it("are those that a command can name by ids of the version's form", () => {
    const [uid] = a.evses.map((evse) => evse.uid)
    assert.notInclude(uidsOf({ ...a, id: "L".repeat(37) }, b), uid)
    assert.notInclude(uidsOf({ ...a, id: undefined }, b), uid)
    assert.isNotEmpty(uidsOf({ ...a, id: "L".repeat(37) }, b))
  })

  it("of commands that must not be carried out are rather EVSEs that no script has for itself", () => {
    const capable = (id: string) => ({
      ...location(id, 1),
      evses: ["1", "2", "3"].map((number) => ({
        ...location(id, 1).evses[0],
        uid: `${id}${number}`,
        capabilities: ["REMOTE_START_STOP_CAPABLE", "UNLOCK_CAPABLE", "RESERVABLE"]
      }))
    })
    const evidence = evidenceFrom({
      "locations.list": [answered("locations", ["A", "B", "C"].map(capable))],
      "locations.crawl": []
    })
    const sent = wrongRequests["a connector without an EVSE"]?.(evidence)?.send.body
    assert.strictEqual(objectIn(sent)["location_id"], "C")
  })

  it("are those of a location that is listed twice, too", () => {
    assert.include(uidsOf(a, b, a), a.evses[0]?.uid)
  })
})

describe("CMD-037: a reservation that the CPO cancelled", () => {
  const responseUrl = "https://us.example/ocpi/2.2.1/commands/RESERVE_NOW/1"
  const story = (ended: string) => {
    const order = answered("commands", { result: "ACCEPTED", timeout: 30 })
    const { exchange } = order
    const request = { ...exchange.request, body: JSON.stringify({ response_url: responseUrl }) }
    const session = called("PUT", "sessions", "/NL/TST/S1", { id: "S1", status: "RESERVATION" })
    const cancelled = called("POST", "commands", "/RESERVE_NOW/1", { result: "CANCELED_RESERVATION" })
    const end = called("PUT", "sessions", `/NL/TST/${ended}`, { id: ended, status: "COMPLETED" })
    return judge("CMD-037", {
      "commands.reserve#reserve": [{ ...order, exchange: { ...exchange, request } }],
      "commands.reserve#session": [session],
      "commands.reserve#cancel": [answered("commands", { result: "ACCEPTED", timeout: 30 })],
      "commands.reserve-calls": [session, cancelled, end]
    }).is
  }

  it("is over when its own session is COMPLETED, not when another one is", () => {
    assert.strictEqual(story("S1"), "pass")
    assert.strictEqual(story("S9"), "fail")
  })
})

describe("CMD-033: a reservation of which the cancellation was refused", () => {
  const steps = ["ended", "freed"].map((id) => {
    const probe = reservingProbes.find((one) => one.id === "commands.reserve")!
    return "steps" in probe ? probe.steps.find((step) => step.id === id)! : assert.fail("no script")
  })
  const stepsAfter = (result: string) => {
    const session = called("PUT", "sessions", "/NL/TST/S1", { id: "S1", status: "RESERVATION" })
    const evidence = evidenceFrom({
      ...places,
      "commands.reserve#reserve": [answered("commands", { result: "ACCEPTED", timeout: 30 })],
      "commands.reserve#session": [session],
      "commands.reserve#cancel": [answered("commands", { result, timeout: 30 })]
    })
    return steps.map(({ act }) => Object.keys(act(evidence) ?? {})[0])
  }

  it("is not awaited to end, so that no silence stands in for the refusal", () => {
    assert.deepStrictEqual(stepsAfter("REJECTED"), ["withheld", "withheld"])
    assert.deepStrictEqual(stepsAfter("ACCEPTED"), ["wait", "wait"])
  })
})

describe("CMD-038: a session after UNLOCK_CONNECTOR", () => {
  const begun = (start_date_time: string) =>
    judge("CMD-038", {
      ...places,
      "commands.unlock#first": [
        answered(
          "commands",
          { result: "NOT_SUPPORTED", timeout: 30 },
          { startedAt: "2026-06-01T12:00:10.700Z" }
        )
      ],
      "commands.unlock#sessions": [
        answered("sessions", [{ id: "S1", location_id: "A", evse_uid: "A-1", start_date_time }])
      ]
    }).is

  it("is noticed in the second of the command, when its start has no fraction", () => {
    assert.strictEqual(begun("2026-06-01T12:00:10Z"), "fail")
    assert.strictEqual(begun("2026-06-01T12:00:10.800Z"), "fail")
    assert.strictEqual(begun("2026-06-01T12:00:10.600Z"), "inconclusive")
    assert.strictEqual(begun("2026-06-01T12:00:09Z"), "inconclusive")
  })
})

describe("TOK-124: a session after a token was denied, in a version whose sessions name the contract", () => {
  const denied = called("POST", "tokens", "/NL/PLG/CARD1/authorize", {}, { answer: { allowed: "BLOCKED" } })
  const session = (auth_id: string) =>
    called("PUT", "sessions", "/NL/TST/S1", { id: "S1", auth_id, status: "ACTIVE" })
  const list = (...tokens: ReadonlyArray<object>) =>
    called("GET", "tokens", "", undefined, { operation: "list", answer: tokens })
  const known = list({ uid: "CARD1", auth_id: "NL-PLG-C1" }, { uid: "CARD2", auth_id: "NL-PLG-C2" })
  const story = (...inbound: ReadonlyArray<Observation>) => judge("TOK-124", { inbound }, "2.1.1").is

  it("is found by the contract of the token, as the partner has read it", () => {
    assert.strictEqual(story(known, denied, session("NL-PLG-C1")), "fail")
    assert.strictEqual(story(known, denied, session("NL-PLG-C2")), "pass")
    assert.strictEqual(story(known, denied), "pass")
  })

  it("is not judged where nobody can tell whose the session is", () => {
    const shared = list({ uid: "CARD1", auth_id: "NL-PLG-C1" }, { uid: "CARD2", auth_id: "NL-PLG-C1" })
    assert.strictEqual(story(denied, session("NL-PLG-C9")), "inconclusive")
    assert.strictEqual(story(shared, denied, session("NL-PLG-C1")), "inconclusive")
  })
})

describe("TOK-124: a session after a token was denied that a command of ours had authorized", () => {
  const { mark } = evidenceFrom({})
  const story = (uid: string) =>
    judge("TOK-124", {
      inbound: [
        called("POST", "tokens", `/${uid}/authorize`, {}, { answer: { allowed: "BLOCKED" } }),
        called("PUT", "sessions", "/NL/TST/S1", { id: "S1", cdr_token: { uid }, status: "ACTIVE" })
      ]
    }).is

  it("is no fault: the command is the authorization", () => {
    assert.strictEqual(story(`${mark}-app`), "inconclusive")
  })

  it("is one when a driver showed the card", () => {
    assert.strictEqual(story(`${mark}-CARD-INVALID`), "fail")
    assert.strictEqual(story("CARD1"), "fail")
  })
})

describe("LOC-002 and LOC-004: what is no word at all in a field of an enumeration", () => {
  const story = (id: string, version: OcpiVersion, standard: unknown) => {
    const [place] = [location("A", 1)]
    const evses = place.evses.map((evse) => ({
      ...evse,
      connectors: evse.connectors.map((connector) => ({ ...connector, standard }))
    }))
    return judge(
      id,
      { "locations.list": [answered("locations", [{ ...place, evses }])], "locations.crawl": [] },
      version
    ).is
  }

  it("is found by LOC-004 where the version closes it, and by LOC-002 where it is open", () => {
    assert.strictEqual(story("LOC-004", "2.2.1", 3), "fail")
    assert.strictEqual(story("LOC-002", "2.2.1", 3), "pass")
    assert.strictEqual(story("LOC-002", "2.3.0", 3), "fail")
    assert.strictEqual(story("LOC-002", "2.3.0", "OWN_WORD"), "pass")
  })
})

describe("PAGE-014: a page of the most objects", () => {
  const page = (headers: Readonly<Record<string, string>>) =>
    answered("tariffs", [{ id: "T1" }], {
      response: {
        httpStatus: 200,
        ocpiStatusCode: 1000,
        headers: { "x-limit": "1", "x-total-count": "3", ...headers },
        body: "{}",
        truncated: false
      }
    })
  const link = { link: '<https://cpo.example/ocpi/2.2.1/tariffs?offset=1>; rel="next"' }
  const story = (ofOne: object) =>
    judge("PAGE-014", { "tariffs.limit1": [page({ ...ofOne })], "tariffs.huge": [page({})] }).is

  it("has a Link, which is not asked for again where no page has one and PAGE-004 says so", () => {
    assert.strictEqual(story(link), "fail")
    assert.strictEqual(story({}), "pass")
  })
})

describe("TRANS-020: a body that is not JSON", () => {
  const story = (httpStatus: number) =>
    judge("TRANS-020", {
      "truncated-json": [
        answered("tokens", undefined, {
          response: { httpStatus, ocpiStatusCode: 2000, headers: {}, body: "{}", truncated: false }
        })
      ]
    }).is

  it("is not judged where the method is not offered", () => {
    assert.strictEqual(story(400), "pass")
    assert.strictEqual(story(200), "fail")
    assert.strictEqual(story(405), "inconclusive")
  })
})

describe("LOC-113: an EVSE that is taken out of use", () => {
  it("is not judged where locations are not stored at all, which LOC-102 reports", () => {
    const { requires } = allChecks.find(({ id }) => id === "LOC-113")!
    const required = requires?.({ profile: profileOf("2.2.1"), role: "EMSP" }) ?? []
    assert.include(
      required.map((one) => one.check),
      "LOC-102"
    )
  })
})

describe("LOC-047: ids of EVSEs", () => {
  const twice = [location("A", 1), location("B", 1)].map((place) => ({
    ...place,
    evses: place.evses.map((evse, index) => ({ ...evse, evse_id: `NL*TST*E${index}` }))
  }))

  it("are compared by the EVSEs' uids where two EVSEs share an evse_id in every reading", () => {
    const gathered = {
      inbound: [],
      "locations.list": [answered("locations", twice)],
      "locations.crawl": [],
      "locations.after": [answered("locations", twice)]
    }
    assert.deepStrictEqual(judge("LOC-047", gathered), { is: "pass", actual: "4 EVSEs compared" })
  })
})

describe("LOC-034: a location by its id", () => {
  it("is not compared where the list has the time of its answer as last_updated, which LOC-050 tells", () => {
    const place = location("A", 1)
    const listedAt = (last_updated: string) =>
      judge("LOC-034", {
        "locations.list": [answered("locations", [{ ...place, last_updated }])],
        "locations.crawl": [],
        "locations.location": [{ ...answered("locations", place), about: "A" }]
      }).is
    assert.strictEqual(listedAt(place.last_updated), "pass")
    assert.strictEqual(listedAt("2026-05-31T12:00:00Z"), "fail")
    const { exchange } = answered("locations", [place])
    assert.strictEqual(listedAt(exchange.startedAt), "inconclusive")
  })
})

describe("LOC-035: an EVSE by its uid", () => {
  it("is not excused by being another object that is newer", () => {
    const place = location("A", 1)
    const [evse] = place.evses
    const read = (data: object) => ({ ...answered("locations", data), about: "A / A-1" })
    const story = (data: object) =>
      judge("LOC-035", {
        "locations.list": [answered("locations", [place])],
        "locations.crawl": [],
        "locations.evse": [read(data)]
      }).is
    assert.strictEqual(story({ ...place, last_updated: "2026-06-01T12:00:00Z" }), "fail")
    assert.strictEqual(
      story({ ...evse, status: "CHARGING", last_updated: "2026-06-01T12:00:00Z" }),
      "inconclusive"
    )
    assert.strictEqual(story(evse!), "pass")
  })
})

describe("PAGE-027: the owners of listed objects", () => {
  it("may be others where the partner is a hub", () => {
    const gathered = {
      "locations.list": [answered("locations", [{ ...location("A", 1), party_id: "OTH" }])],
      "locations.crawl": []
    }
    const hub = {
      ...party,
      counterpart: {
        ...party.counterpart,
        parties: [{ role: "HUB", countryCode: "NL", partyId: "HUB", name: "Hub" }]
      }
    }
    assert.strictEqual(judge("PAGE-027", gathered).is, "fail")
    assert.strictEqual(judge("PAGE-027", gathered, "2.2.1", hub).is, "inconclusive")
  })
})

describe("CDR-111: a CDR for a token of another EMSP", () => {
  it("is refused, but by a hub", () => {
    const gathered = { "cdrs.write#foreign": [answered("cdrs", null, { module: "cdrs" })] }
    const hub = {
      ...party,
      counterpart: {
        ...party.counterpart,
        parties: [{ role: "HUB", countryCode: "NL", partyId: "HUB", name: "Hub" }]
      }
    }
    const step = allChecks
      .find(({ id }) => id === "CDR-111")!
      .needs({ profile: evidenceFrom({}).profile, role: "EMSP" })
    const taken = { [step[0]!]: gathered["cdrs.write#foreign"] }
    assert.strictEqual(judge("CDR-111", taken).is, "fail")
    assert.strictEqual(judge("CDR-111", taken, "2.2.1", hub).is, "inconclusive")
  })
})

describe("CDR-024 and SESS-010: ids that are left out", () => {
  it("are a finding about the form, and not sought in the list", () => {
    const cdr = { country_code: "NL", party_id: "TST", id: "D1", cdr_location: { id: "A" } }
    const session = { country_code: "NL", party_id: "TST", id: "S1", location_id: "A" }
    const lists = {
      ...places,
      "cdrs.list": [answered("cdrs", [cdr])],
      "cdrs.crawl": [],
      "sessions.list": [answered("sessions", [session])],
      "sessions.crawl": [],
      "tariffs.list": [answered("tariffs", [])],
      "tariffs.crawl": []
    }
    assert.strictEqual(judge("CDR-024", lists).is, "inconclusive")
    assert.strictEqual(judge("SESS-010", lists).is, "inconclusive")
    const elsewhere = {
      ...lists,
      "sessions.list": [answered("sessions", [{ ...session, location_id: "B" }])]
    }
    assert.strictEqual(judge("SESS-010", elsewhere).is, "fail")
  })

  it("are not sought either where a command of ours made up the EVSE", () => {
    const at = (evse: string) => ({
      ...places,
      "sessions.list": [
        answered("sessions", [
          { country_code: "NL", party_id: "TST", id: "S1", location_id: "A", evse_uid: evse }
        ])
      ],
      "sessions.crawl": [],
      "tariffs.list": [answered("tariffs", [])],
      "tariffs.crawl": []
    })
    assert.strictEqual(judge("SESS-010", at("A-9")).is, "fail")
    assert.notStrictEqual(judge("SESS-010", at(unknownEvse)).is, "fail")
  })
})

describe("CDR-021: a CDR beside its session", () => {
  it("is not accused of another EVSE where its own is missing", () => {
    const cdr = { country_code: "NL", party_id: "TST", id: "D1", session_id: "S1", cdr_location: { id: "A" } }
    const session = { country_code: "NL", party_id: "TST", id: "S1", evse_uid: "A-1", status: "COMPLETED" }
    const story = (change: object) =>
      judge("CDR-021", {
        "cdrs.list": [answered("cdrs", [{ ...cdr, ...change }])],
        "cdrs.crawl": [],
        "sessions.list": [answered("sessions", [session])],
        "sessions.crawl": []
      }).is
    assert.strictEqual(story({}), "inconclusive")
    assert.strictEqual(story({ cdr_location: { id: "A", evse_uid: "B-1" } }), "fail")
  })

  const place = {
    evse_uid: "A-1",
    connector_id: "1",
    cdr_token: { uid: "T1", type: "RFID", contract_id: "C1", country_code: "NL", party_id: "TST" },
    country_code: "NL",
    party_id: "TST"
  }
  const outcome = (cdr: object, session: object) =>
    judge("CDR-021", {
      "cdrs.list": [
        answered("cdrs", [
          {
            ...place,
            id: "D1",
            session_id: "S1",
            cdr_location: { id: "A", evse_uid: "A-1", evse_id: "NL*TST*E1", connector_id: "1" },
            start_date_time: "2026-01-02T00:00:00Z",
            charging_periods: [
              { start_date_time: "2026-01-02T00:00:00Z", dimensions: [{ type: "ENERGY", volume: 7 }] }
            ],
            ...cdr
          }
        ])
      ],
      "cdrs.crawl": [],
      "sessions.list": [
        answered("sessions", [
          { ...place, id: "S1", location_id: "A", status: "COMPLETED", kwh: 7, ...session }
        ])
      ],
      "sessions.crawl": []
    }).is

  it("is told of energy, ends and states that are wrong in themselves by the checks of these alone", () => {
    assert.strictEqual(outcome({ total_energy: 7 }, {}), "pass")
    assert.strictEqual(outcome({ total_energy: 9 }, { kwh: 3 }), "fail")
    assert.strictEqual(outcome({ total_energy: 9 }, {}), "pass", "CDR-008")
    assert.strictEqual(outcome({ total_energy: 7 }, { kwh: -1 }), "pass", "SESS-007")
    assert.strictEqual(outcome({ total_energy: 7 }, { status: "ACTIVE" }), "fail")
    assert.strictEqual(outcome({ total_energy: 7 }, { status: "DONE" }), "pass", "SESS-004")
    const end = { end_date_time: "2026-01-02T01:00:00Z" }
    assert.strictEqual(outcome({ end_date_time: "2026-01-02T02:00:00Z" }, end), "fail")
    assert.strictEqual(outcome({ end_date_time: "2026-01-01T02:00:00Z" }, end), "pass", "CDR-005")
  })
})

describe("VERS-017 and TOK-026: how long answers take", () => {
  const slow = (change: object) => answered("versions", [], { durationMs: 8932, ...change })
  const story = (id: string, change: object = {}) =>
    judge(id, {
      versions: [slow(change)],
      "versions.repeat": [slow(change), slow(change)],
      details: [],
      "details.repeat": [],
      "tokens.authorize-many": [slow(change)]
    }).is

  it.each(["VERS-017", "TOK-026"])(
    "is a finding of %s, but for the time by which we were late ourselves",
    (id) => {
      assert.strictEqual(story(id), "fail")
      assert.strictEqual(story(id, { ourLateMs: 8500 }), "pass")
      assert.strictEqual(story(id, { ourLateMs: 300 }), "fail")
    }
  )
})

describe("CMD-104: a command for something that we do not have", () => {
  const emsp = { ...party, counterpart: { ...party.counterpart, role: "EMSP" as const } }
  const story = (body: object, status_code: number, result?: string) => {
    const call = called("POST", "commands", "/START_SESSION", body)
    const told = JSON.stringify({ status_code, data: result === undefined ? null : { result } })
    const seen = {
      ...call,
      exchange: { ...call.exchange, response: { ...call.exchange.response!, body: told } }
    }
    return judge("CMD-104", { inbound: [seen] }, "2.2.1", emsp).is
  }

  it("is no finding where a run has pushed it, which our own answer does not know", () => {
    assert.strictEqual(story({ location_id: "TST-AB12CD-L", evse_uid: "TST-AB12CD-L-E" }, 2003), "pass")
    assert.strictEqual(story({ session_id: "tst-ab12cd-s1" }, 1000, "UNKNOWN_SESSION"), "pass")
    assert.strictEqual(story({ location_id: "L9" }, 2003), "fail")
    assert.strictEqual(story({ session_id: "S9" }, 1000, "UNKNOWN_SESSION"), "fail")
  })
})

describe("CMD-013: STOP_SESSION of an unknown session", () => {
  const story = (data: object) =>
    judge("CMD-013", {
      "locations.list": [],
      [allChecks
        .find(({ id }) => id === "CMD-013")!
        .needs({ profile: evidenceFrom({}).profile, role: "CPO" })[1]!]: [answered("commands", data)]
    })

  it("may be REJECTED by the other reading, and is not ACCEPTED by any", () => {
    assert.strictEqual(story({ result: "UNKNOWN_SESSION", timeout: 1 }).is, "pass")
    const rejected = story({ result: "REJECTED", timeout: 1 })
    const accepted = story({ result: "ACCEPTED", timeout: 1 })
    assert.isTrue(rejected.is === "fail" && accepted.is === "fail")
    const [one, other] = [rejected, accepted].map((story) =>
      story.is === "fail" ? story.findings[0] : undefined
    )
    assert.deepInclude(one, { strength: "should" })
    assert.include(one?.ambiguous?.section, "CommandResponseType")
    assert.notProperty(other, "strength")
    assert.notProperty(other, "ambiguous")
  })
})

describe("the reason of a check of pages", () => {
  it("names the list once", () => {
    const reason = "tokens: fewer than two objects with different last_updated"
    const gathered = new Map([
      ["tokens.list", { seen: [answered("tokens", [])] }],
      ["tokens.crawl", { seen: [] }],
      ["tokens.recrawl", { seen: [] }],
      ["tokens.filtered", { withheld: "not_tested" as const, reason }],
      ["tokens.filtered.next", { withheld: "not_tested" as const, reason }]
    ])
    const evidence = evidenceFrom({}, "2.2.1", {
      ...party,
      counterpart: { ...party.counterpart, role: "EMSP" as const }
    })
    const found = allChecks
      .find(({ id }) => id === "PAGE-007")!
      .judge(makeEvidence({ ...evidence, tokens: [] }, gathered))
    assert.deepStrictEqual(found.is === "inconclusive" ? found.reason : found.is, reason)
  })
})

describe("CMD-026: a session that was to be stopped", () => {
  it("is not judged where the result did not say that it was, and the reason tells both legs", () => {
    const story = (...results: ReadonlyArray<Observation>) => {
      const found = judge("CMD-026", {
        "commands.start#stop": [answered("commands", { result: "ACCEPTED", timeout: 30 })],
        "commands.start#stop result": results
      })
      return found.is === "inconclusive" ? found.reason : found.is
    }
    const posted = (body: object) => called("POST", "commands", "/STOP_SESSION/1", body)
    assert.include(story(), "with ACCEPTED, then no result")
    assert.include(story(posted({})), "with ACCEPTED, then a result with an unknown value")
    assert.include(story(posted({ result: "FAILED" })), "with ACCEPTED, then FAILED")
  })
})

describe("CMD-002: the timeout of a CommandResponse", () => {
  it("is asked of answers that succeeded alone: of others CMD-001 tells", () => {
    const found = (data: unknown, httpStatus: number) => {
      const body = JSON.stringify({ data, status_code: 2001, timestamp: "2026-01-31T12:00:00Z" })
      const refused = answered("commands", data, {
        response: { httpStatus, ocpiStatusCode: 2001, headers: {}, body, truncated: false }
      })
      return judge("CMD-002", { "commands.start#start": [{ ...refused, json: JSON.parse(body) }] })
    }
    const judgement = found({}, 400)
    assert.strictEqual(judgement.is === "inconclusive" && judgement.blockedBy?.check, "CMD-001")
    assert.strictEqual(judge("CMD-002", { "commands.start#start": [answered("commands", {})] }).is, "fail")
  })
})

describe("CMD-009: a second CommandResult", () => {
  it("counts when we have taken the first", () => {
    const url = "https://us.example/ocpi/2.2.1/commands/START_SESSION/1"
    const command = answered(
      "commands",
      { result: "ACCEPTED", timeout: 30 },
      {
        request: {
          method: "POST",
          url: "https://cpo.example/commands/START_SESSION",
          headers: {},
          body: JSON.stringify({ response_url: url }),
          truncated: false
        }
      }
    )
    const result = (id: string, httpStatus: number) =>
      called(
        "POST",
        "commands",
        "/START_SESSION/1",
        { result: "ACCEPTED" },
        {
          id,
          response: { httpStatus, ocpiStatusCode: null, headers: {}, body: "{}", truncated: false }
        }
      )
    const found = (httpStatus: number) =>
      judge("CMD-009", {
        "commands.start#start": [command],
        "commands.start#start result": [result("first", httpStatus)],
        "commands.start#second result": [result("second", 200)]
      }).is
    assert.strictEqual(found(200), "fail")
    assert.strictEqual(found(500), "inconclusive")
  })
})

describe("CRED-049: a write of an object without fields", () => {
  it("that succeeds without a token: the finding says what may be left of it", () => {
    const written = (module: string) => {
      const found = judge("CRED-049", {
        "authentication.refused": [answered(module, null, { operation: "empty object" })]
      })
      return found.is === "fail" ? found.findings[0]?.message : found.is
    }
    assert.include(written("tariffs"), "TST-not-authorized in tariffs may be left at the partner")
    assert.include(written("cdrs"), "a CDR without any field may be left at the partner")
  })
})

describe("TRANS-010: URLs of plain HTTP", () => {
  const plain = "http://cpo.example/x"
  const messages = (gathered: Readonly<Record<string, ReadonlyArray<Observation>>>) => {
    const judgement = judge("TRANS-010", gathered)
    return judgement.is === "fail" ? judgement.findings.map(({ message }) => message) : judgement.is
  }

  it.each([
    [
      "url of the Credentials object is plain HTTP",
      { credentials: [answered("credentials", { url: plain })] }
    ],
    [
      'the endpoint "cdrs" of 2.1.1 is plain HTTP',
      {
        details: [
          { ...answered("versions", { endpoints: [{ identifier: "cdrs", url: plain }] }), about: "2.1.1" }
        ]
      }
    ],
    [
      "the Location header of POST cdr is plain HTTP",
      {
        "transport.answers": [
          answered("cdrs", null, {
            operation: "POST cdr",
            request: {
              method: "POST",
              url: "https://cpo.example/cdrs",
              headers: {},
              body: null,
              truncated: false
            },
            response: {
              httpStatus: 201,
              ocpiStatusCode: 1000,
              headers: { location: plain },
              body: "{}",
              truncated: false
            }
          })
        ]
      }
    ],
    [
      "response_url of POST object is plain HTTP",
      { inbound: [called("POST", "commands", "/START_SESSION", { response_url: plain })] }
    ]
  ] as const)("are found: %s", (message, gathered) => {
    assert.deepStrictEqual(messages(gathered), [message])
  })

  it("are not made of URLs of https", () => {
    const secure = { url: "https://cpo.example/credentials" }
    assert.strictEqual(messages({ credentials: [answered("credentials", secure)] }), "pass")
  })
})
