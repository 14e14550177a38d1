/** Pushes of the partner, whatever the URL under which it reaches us: each belongs to its own object. */
import { assert, describe, it } from "@effect/vitest"
import type { Exchange } from "../../../../schema/Exchange.ts"
import type { Check } from "../../../../src/conformance/model/Check.ts"
import type { Observation } from "../../../../src/conformance/model/Evidence.ts"
import { chargeStoryChecks } from "../../../../src/conformance/modules/charge/chargeStory.ts"
import { pushedSessions } from "../../../../src/conformance/modules/charge/chargingPushes.ts"
import { locationPushesChecks } from "../../../../src/conformance/modules/locations/locationPushes.ts"
import { newestChange } from "../../../../src/conformance/modules/paging/changesProbes.ts"
import { sessionPushesChecks } from "../../../../src/conformance/modules/sessions/sessionPushes.ts"
import { pushedObjects } from "../../../../src/conformance/modules/shared/pushedObjects.ts"
import { tariffPushesChecks } from "../../../../src/conformance/modules/tariffs/tariffPushes.ts"
import { answered, evidenceFrom } from "../../support/handmade.ts"

let number = 0
/** A call of the partner that we accepted, unless another HTTP status is given. */
const call = (
  method: string,
  module: string,
  url: string,
  body: Record<string, unknown> = {},
  httpStatus = 200
): Observation => {
  number += 1
  const exchange: Exchange = {
    id: `exc_${number}`,
    direction: "inbound",
    module,
    operation: `${method} object`,
    request: { method, url, headers: {}, body: JSON.stringify(body), truncated: false },
    response: { httpStatus, ocpiStatusCode: 1000, headers: {}, body: "{}", truncated: false },
    outcome: "completed",
    startedAt: new Date(Date.UTC(2026, 5, 1, 12) + number * 1000).toISOString(),
    durationMs: 1,
    requestId: `r${number}`,
    correlationId: "c"
  }
  return { exchange, json: body, about: "" }
}

const evidenceOf = (...seen: ReadonlyArray<Observation>) =>
  evidenceFrom({ inbound: seen, "charging.calls": seen })

const judge = (checks: ReadonlyArray<Check>, id: string, ...seen: ReadonlyArray<Observation>) =>
  checks.find((check) => check.id === id)!.judge(evidenceOf(...seen))

describe("the newest change that was pushed", () => {
  const changed = (id: string, at: number) =>
    call("PUT", "tariffs", `/ocpi/2.2.1/tariffs/DE/ABC/${id}`, {
      last_updated: new Date(Date.UTC(2026, 5, 1, 12, at)).toISOString()
    })
  const gone = call("DELETE", "tariffs", "/ocpi/2.2.1/tariffs/de/ABC/t2")

  it("is none of an object that was deleted since then", () => {
    const newest = (...seen: ReadonlyArray<Observation>) => newestChange(evidenceOf(...seen), "tariffs")?.id
    assert.strictEqual(newest(changed("T1", 1), changed("T2", 2)), "T2")
    assert.strictEqual(newest(changed("T1", 1), changed("T2", 2), gone), "T1")
    assert.strictEqual(newest(gone, changed("T1", 1), changed("T2", 2)), "T2")
    assert.isUndefined(newest(changed("T2", 2), gone))
  })
})

/** Two sessions side by side, whose energy grows, each pushed twice. */
const told = (urlOf: (id: string) => string, idInPatch = false) =>
  [
    ["PUT", "S1", 5],
    ["PUT", "S2", 1],
    ["PATCH", "S1", 6],
    ["PATCH", "S2", 2]
  ].map(([method, id, kwh]) =>
    call(String(method), "sessions", urlOf(String(id)), {
      ...(method === "PUT" || idInPatch ? { id } : {}),
      kwh,
      status: "ACTIVE",
      last_updated: new Date(Date.UTC(2026, 5, 1, 12) + Number(kwh) * 1000).toISOString()
    })
  )

const places: ReadonlyArray<readonly [string, (id: string) => string]> = [
  ["below the version", (id) => `https://us.example/ocpi/2.2.1/sessions/NL/TNM/${id}`],
  ["at a moved endpoint", (id) => `https://us.example/ocpi/2.2.1/moved/sessions/NL/TNM/${id}`],
  ["below another version", (id) => `https://us.example/ocpi/2.2/sessions/NL/TNM/${id}`],
  ["without a version", (id) => `https://us.example/ocpi/sessions/NL/TNM/${id}`],
  [
    "behind an address with the version's name",
    (id) => `https://us.example/2.2.1/ocpi/sessions/NL/TNM/${id}`
  ],
  [
    "behind an address with the module's name",
    (id) => `https://us.example/sessions/ocpi/2.2.1/sessions/NL/TNM/${id}`
  ],
  ["with a final slash", (id) => `https://us.example/ocpi/2.2.1/sessions/NL/TNM/${id}/`],
  ["without the module", (id) => `https://us.example/push/NL/TNM/${id}`],
  ["with the id alone", (id) => `https://us.example/ocpi/2.2.1/sessions/${id}`]
]

describe("sessions that are pushed", () => {
  it.each(places)("are told apart %s", (_, urlOf) => {
    const sessions = pushedSessions(evidenceOf(...told(urlOf)))
    assert.deepStrictEqual(
      sessions.map(({ id, pushes }) => [id, pushes.length]),
      [
        ["S1", 2],
        ["S2", 2]
      ]
    )
    // The kwh of one is not held against the other.
    assert.strictEqual(judge(sessionPushesChecks, "SESS-029", ...told(urlOf)).is, "pass")
  })

  it.each([
    ["2026-06-01T12:00:00Z", "2026-06-01T12:00:00", "pass"],
    ["2026-06-01T12:00:00.400Z", "2026-06-01T12:00:00Z", "pass"],
    ["2026-06-01T12:00:00.400Z", "2026-06-01T12:00:00.400Z", "fail"],
    ["2026-06-01T12:00:01Z", "2026-06-01T12:00:00Z", "fail"]
  ])("may be updated twice within a second: %s, then %s", (first, second, is) => {
    const push = (last_updated: string, kwh: number) =>
      call("PUT", "sessions", "/ocpi/2.2.1/sessions/NL/TNM/S1", { id: "S1", kwh, last_updated })
    assert.strictEqual(judge(sessionPushesChecks, "SESS-029", push(first, 1), push(second, 2)).is, is)
  })

  it("are not of one second when the second one comes long after the first", () => {
    const push = (kwh: number) =>
      call("PUT", "sessions", "/ocpi/2.2.1/sessions/NL/TNM/S1", {
        id: "S1",
        kwh,
        last_updated: "2026-06-01T12:00:00Z"
      })
    const first = push(1)
    number += 5
    assert.strictEqual(judge(sessionPushesChecks, "SESS-029", first, push(2)).is, "fail")
    // A stamp that never moves, in updates each of which comes soon after the one before it.
    const often = [1, 2, 3, 4].map((kwh) => {
      number += 1
      return push(kwh)
    })
    const found = judge(sessionPushesChecks, "SESS-029", ...often)
    assert.deepStrictEqual(found.is === "fail" ? found.findings.map(({ message }) => message) : found, [
      "PUT sessions: last_updated is not later than before"
    ])
  })

  it("are told apart by their URLs where all bodies have one id", () => {
    const calls = told((id) => `https://us.example/ocpi/2.2.1/sessions/NL/TNM/${id}`).map((seen) => ({
      ...seen,
      json: { ...(seen.json as object), id: "other" }
    }))
    assert.deepStrictEqual(
      pushedSessions(evidenceOf(...calls)).map(({ id, pushes }) => [id, pushes.length]),
      [
        ["S1", 2],
        ["S2", 2]
      ]
    )
  })

  it("may be sent again as a whole, with the same stamp, where we refused a change of them", () => {
    const at = "2026-06-01T12:00:00.400Z"
    const url = "/ocpi/2.2.1/sessions/NL/TNM/S1"
    const first = () =>
      call("PUT", "sessions", url, { id: "S1", kwh: 1, last_updated: "2026-06-01T11:00:00Z" })
    const change = (httpStatus: number, ocpiStatusCode: number) => {
      const seen = call("PATCH", "sessions", url, { kwh: 2, last_updated: at }, httpStatus)
      const response = { ...seen.exchange.response!, ocpiStatusCode }
      return { ...seen, exchange: { ...seen.exchange, response } }
    }
    const whole = () => call("PUT", "sessions", url, { id: "S1", kwh: 2, status: "ACTIVE", last_updated: at })
    const judged = (patch: Observation) => judge(sessionPushesChecks, "SESS-029", first(), patch, whole()).is
    assert.strictEqual(judged(change(404, 2001)), "pass")
    assert.strictEqual(judged(change(200, 1000)), "fail")
  })

  it("are those of their bodies, wherever they are sent", () => {
    const sessions = pushedSessions(evidenceOf(...told(() => "https://us.example/ocpi/2.2.1/sessions", true)))
    assert.deepStrictEqual(
      sessions.map(({ id, pushes }) => [id, pushes.length]),
      [
        ["S1", 2],
        ["S2", 2]
      ]
    )
  })

  it("may have the id of their module or of a version", () => {
    const urlOf = (id: string) =>
      `https://us.example/ocpi/2.2.1/sessions/NL/TNM/${id === "S1" ? "sessions" : "2.2.1"}`
    const calls = told(urlOf).map((seen) => ({ ...seen, json: { ...(seen.json as object), id: undefined } }))
    assert.deepStrictEqual(
      pushedSessions(evidenceOf(...calls)).map(({ id }) => id),
      ["sessions", "2.2.1"]
    )
  })
})

describe("a session that becomes ACTIVE", () => {
  const at = (second: number) => new Date(Date.UTC(2026, 5, 1, 12, 0, second)).toISOString()
  /** PENDING since the first second; the PATCH has that start and that time of change. */
  const becomesActive = (start: number | undefined, changed: number) => {
    const url = "https://us.example/ocpi/2.2.1/sessions/NL/TNM/S1"
    return judge(
      sessionPushesChecks,
      "SESS-028",
      call("PUT", "sessions", url, {
        id: "S1",
        status: "PENDING",
        start_date_time: at(0),
        last_updated: at(0)
      }),
      call("PATCH", "sessions", url, {
        status: "ACTIVE",
        ...(start === undefined ? {} : { start_date_time: at(start) }),
        last_updated: at(changed)
      })
    ).is
  }

  it("has another start than while it was PENDING", () => {
    assert.strictEqual(becomesActive(8, 8), "pass")
    assert.strictEqual(becomesActive(0, 8), "fail")
    assert.strictEqual(becomesActive(undefined, 8), "fail")
  })

  it("may have a start a little before it is told, and the same one within the accuracy of clocks", () => {
    assert.strictEqual(becomesActive(8, 50), "pass")
    assert.strictEqual(becomesActive(8, 90), "fail")
    assert.strictEqual(becomesActive(0, 3), "pass")
  })
})

describe("the status of an EVSE that was pushed", () => {
  const [seeded, pushed, later] = ["10:00", "11:00", "11:05"].map((time) => `2026-06-01T${time}:00Z`)
  const shownAs = (status: string, last_updated: string | undefined) => {
    const url = "https://us.example/ocpi/2.2.1/locations/NL/TNM/L1/E1"
    const push = call("PUT", "locations", url, { uid: "E1", status: "AVAILABLE", last_updated: pushed })
    const read = { ...answered("locations", { uid: "E1", status, last_updated }), about: "E1" }
    return locationPushesChecks
      .find(({ id }) => id === "LOC-044")!
      .judge(evidenceFrom({ inbound: [push], "locations.after": [], "locations.evses-after": [read] }))
  }

  it("may be another one with a later last_updated, whose push may be on its way", () => {
    assert.strictEqual(shownAs("CHARGING", later).is, "pass")
    assert.strictEqual(shownAs("AVAILABLE", pushed).is, "pass")
  })

  it("is told with both times where GET has another one that is no newer", () => {
    const judgement = shownAs("CHARGING", seeded)
    const [one] = judgement.is === "fail" ? judgement.findings : []
    assert.strictEqual(one?.expected, `"AVAILABLE", or last_updated after ${pushed}`)
    assert.strictEqual(one?.actual, `"CHARGING", last_updated ${seeded}`)
  })
})

describe("locations that are pushed", () => {
  it("are named by their URL below the endpoint, also where an id has the name of the module", () => {
    const evidence = evidenceOf(
      call("PUT", "locations", "https://us.example/ocpi/2.2.1/locations/NL/TNM/locations", {
        id: "locations"
      }),
      call("PATCH", "locations", "https://us.example/ocpi/2.2.1/locations/NL/TNM/L1/locations/1")
    )
    assert.deepStrictEqual(
      pushedObjects(evidence, "locations").map(({ country, ids, party: owner }) => [country, owner, ...ids]),
      [
        ["NL", "TNM", "locations"],
        ["NL", "TNM", "L1", "locations", "1"]
      ]
    )
  })

  it("are a finding when they are posted to the endpoint instead of put to their own URLs", () => {
    const posts = Array.from({ length: 15 }, (_, index) =>
      call("POST", "locations", "https://us.example/ocpi/2.2.1/locations", { id: `L${index}` }, 405)
    )
    const judgement = judge(locationPushesChecks, "LOC-042", ...posts)
    assert.strictEqual(judgement.is === "fail" && judgement.findings.length, 15)
    const tariffs = judge(
      tariffPushesChecks,
      "TAR-030",
      call("POST", "tariffs", "https://us.example/ocpi/2.2.1/tariffs", { id: "T1" }, 405)
    )
    assert.strictEqual(tariffs.is, "fail")
  })
})

describe("a charge whose EVSE was not pushed as CHARGING", () => {
  const session = (evse_uid: string, status: string, minutes: number) =>
    call("PUT", "sessions", "https://us.example/ocpi/2.2.1/sessions/NL/TNM/S1", {
      id: "S1",
      location_id: "L1",
      evse_uid,
      connector_id: "1",
      kwh: minutes,
      status,
      last_updated: new Date(Date.UTC(2026, 5, 1, 12, minutes)).toISOString()
    })
  const charged = (evse: string) =>
    judge(
      chargeStoryChecks,
      "JRN-004",
      session(evse, "ACTIVE", 1),
      session(evse, "COMPLETED", 9),
      call("POST", "cdrs", "https://us.example/ocpi/2.2.1/cdrs", { id: "C1", session_id: "S1" })
    ).is

  it("is a finding, unless it is at the EVSE that a command of ours has made up", () => {
    assert.strictEqual(charged("E1"), "fail")
    assert.strictEqual(charged("TST-NO-SUCH-EVSE"), "pass")
  })
})

describe("charging periods that a session is patched with", () => {
  const first = "2026-06-01T12:00:00Z"
  const push = (method: string, kwh: number, starts: ReadonlyArray<string | undefined>) =>
    call(method, "sessions", "https://us.example/ocpi/2.2.1/sessions/NL/TNM/S1", {
      id: "S1",
      kwh,
      status: "ACTIVE",
      charging_periods: starts.map((start_date_time) => ({
        ...(start_date_time === undefined ? {} : { start_date_time }),
        dimensions: [{ type: "ENERGY", volume: kwh }]
      })),
      last_updated: new Date(Date.UTC(2026, 5, 1, 12, kwh)).toISOString()
    })
  const patched = (...starts: ReadonlyArray<string | undefined>) => {
    const pushes = [push("PUT", 1, [first]), push("PATCH", 2, starts)]
    const [session] = pushedSessions(evidenceOf(...pushes))
    const known = session?.pushes.at(-1)?.state?.["charging_periods"] as ReadonlyArray<unknown>
    return { is: judge(sessionPushesChecks, "SESS-030", ...pushes).is, known: known.length }
  }

  it.each([first, "2026-06-01T12:00:00.000Z", "2026-06-01T12:00:00"])(
    "are told again when they begin at a moment that was told: %s",
    (again) => {
      assert.deepStrictEqual(patched(again), { is: "fail", known: 1 })
    }
  )

  it("are new when they begin at another moment", () => {
    assert.deepStrictEqual(patched("2026-06-01T12:15:00Z"), { is: "pass", known: 2 })
  })

  it("are not told again for want of a start", () => {
    assert.deepStrictEqual(patched(undefined, undefined), { is: "pass", known: 3 })
  })
})

describe("a session that is not valid", () => {
  const push = (method: string, minutes: number, parts: Record<string, unknown>) =>
    call(method, "sessions", "https://us.example/ocpi/2.2.1/sessions/NL/TNM/S1", {
      last_updated: new Date(Date.UTC(2026, 5, 1, 12, minutes)).toISOString(),
      ...parts
    })
  const begin = push("PUT", 1, { id: "S1", kwh: "1", status: "ACTIVE" })
  const later = (parts: Record<string, unknown>) => {
    const pushes = [begin, push("PATCH", 2, parts)]
    assert.strictEqual(judge(sessionPushesChecks, "SESS-024", ...pushes).is, "fail")
    const judgement = judge(sessionPushesChecks, "SESS-025", ...pushes)
    if (judgement.is === "fail") return judgement.findings.map(({ pointer }) => pointer).join()
    return judgement.is === "inconclusive" ? judgement.blockedBy?.check : judgement.is
  }

  it("is told once of what each push of it repeats, and of what is wrong with a later one alone", () => {
    assert.strictEqual(later({ status: "COMPLETED" }), "pass")
    assert.strictEqual(later({ kwh: "2" }), "SESS-024")
    assert.strictEqual(later({ kwh: "2", status: "DONE" }), "/status")
    // TRANS-053 tells it of any PATCH.
    const undated = call("PATCH", "sessions", "https://us.example/ocpi/2.2.1/sessions/NL/TNM/S1", {
      status: "COMPLETED"
    })
    assert.strictEqual(judge(sessionPushesChecks, "SESS-025", begin, undated).is, "pass")
  })
})
