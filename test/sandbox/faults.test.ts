import { assert, describe, it } from "@effect/vitest"
import { allChecks } from "../../src/conformance/catalogue/suites.ts"
import type { Behaviour, Push } from "../../src/party/wire/PartnerQuirks.ts"
import { honest } from "../../src/party/wire/PartnerQuirks.ts"
import type { OcpiReply, OcpiRequest } from "../../src/party/wire/Request.ts"
import { faultLibrary, faultsById } from "../../src/sandbox/faults/faultLibrary.ts"
import { composed } from "../../src/sandbox/SandboxQuirks.ts"

const asked = (
  path: ReadonlyArray<string>,
  query = "",
  headers: Record<string, string> = {},
  method = "GET"
): OcpiRequest => ({
  method,
  path,
  query: new URLSearchParams(query),
  headers: { authorization: `Token ${btoa("plugfest-0123")}`, ...headers },
  body: "",
  url: `https://us.example/sandbox/sbx_1/ocpi/${path.join("/")}?${query}`,
  receivedAt: "2026-06-01T12:00:00.000Z"
})
const answered = (data: unknown, headers: Record<string, string> = {}, statusCode = 1000): OcpiReply => ({
  httpStatus: 200,
  headers: { "content-type": "application/json", "x-total-count": "2", "x-limit": "50", ...headers },
  body: JSON.stringify({ data, status_code: statusCode, timestamp: "2026-06-01T12:00:00Z" })
})
const locked: OcpiReply = { httpStatus: 401, headers: {}, body: null }
const location = (id: string) => ({
  id,
  address: "Stationsplein 1",
  country: "NLD",
  coordinates: { latitude: "52.090142", longitude: "5.109665" },
  time_zone: "Europe/Amsterdam",
  evses: [
    { uid: `${id}-1`, status: "AVAILABLE", connectors: [{ id: "1" }], last_updated: "2026-05-30T00:00:00Z" },
    { uid: `${id}-2`, status: "AVAILABLE", connectors: [{ id: "1" }], last_updated: "2026-05-29T00:00:00Z" }
  ],
  last_updated: "2026-05-30T00:00:00Z"
})
const list = ["2.2.1", "locations"]
const locations = answered([location("A"), location("B")])

const faulty = (id: string): Behaviour => composed([faultsById.get(id)!.behaviour])
const reply = (id: string, request: OcpiRequest, honestly: OcpiReply) => faulty(id).reply(request, honestly)
const data = ({ body }: OcpiReply) => (JSON.parse(body!) as { readonly data: any }).data // any: test data of many shapes
const push = (module: string, operation: string, body: unknown, method: Push["method"] = "PUT"): Push => ({
  module,
  operation,
  method,
  body,
  delayMillis: 100
})

describe("faultLibrary", () => {
  it("names each fault once, by its module or what it is about", () => {
    assert.lengthOf(faultsById, faultLibrary.length)
    for (const { id } of faultLibrary) assert.match(id, /^[a-z]+\.[a-z0-9-]+$/)
  })

  it("says of each fault who can have it and what catches it", () => {
    for (const { caughtBy, description, id, roles, versions } of faultLibrary) {
      assert.isNotEmpty(caughtBy, id)
      assert.isNotEmpty(roles, id)
      assert.isNotEmpty(versions, id)
      assert.isNotEmpty(description, id)
    }
  })

  it("has a fault for each check", () => {
    const caught = new Set(faultLibrary.flatMap(({ caughtBy }) => caughtBy))
    assert.deepStrictEqual(
      allChecks.map(({ id }) => id).filter((id) => !caught.has(id)),
      [],
      "these want a fault in src/sandbox/faults/, in the folder or file of their module"
    )
  })

  it.each(faultLibrary.filter(({ behaviour }) => behaviour.reply !== undefined))(
    "leaves an answer to something else alone: $id",
    ({ id, roles }) => {
      // What nobody has a fault about: a CPO takes a charging profile, an EMSP hears that an EVSE is gone.
      const other = roles.includes("CPO")
        ? asked(["2.2.1", "chargingprofiles", "S1"], "", {}, "PUT")
        : asked(["2.2.1", "locations", "NL", "SBX", "L1", "E1"], "", {}, "DELETE")
      const about = answered({ result: "ACCEPTED" })
      const everywhere = [
        "transport.html-content-type",
        "transport.slow-clock",
        "credentials.encoded-token-refused"
      ]
      if (everywhere.includes(id)) assert.notDeepEqual(reply(id, other, about), about)
      else assert.deepStrictEqual(reply(id, other, about).body, about.body)
    }
  )
})

describe("faults of discovery", () => {
  const versions = answered([{ version: "2.2.1", url: "https://p.example/ocpi/2.2.1" }])
  const details = answered({
    version: "2.2.1",
    endpoints: ["credentials", "sessions", "commands"].map((identifier) => ({
      identifier,
      role: "SENDER",
      url: `https://p.example/${identifier}`
    }))
  })

  it("open the versions list to nobody's token only where they say so", () => {
    const { authorization: _, ...headers } = asked(["versions"]).headers
    const anonymous = { ...asked(["versions"]), headers }
    assert.strictEqual(reply("versions.open-without-token", anonymous, locked).httpStatus, 200)
    assert.strictEqual(reply("versions.open-without-token", asked(["versions"]), locked).httpStatus, 401)
    assert.strictEqual(reply("versions.any-token", asked(["versions"]), locked).httpStatus, 200)
    assert.strictEqual(reply("versions.open-details", asked(["2.2.1"]), locked).httpStatus, 200)
  })

  it("change the list of versions", () => {
    assert.deepStrictEqual(data(reply("versions.empty-list", asked(["versions"]), versions)), [])
    assert.strictEqual(
      data(reply("versions.relative-url", asked(["versions"]), versions))[0].url,
      "/ocpi/2.2.1"
    )
    assert.lengthOf(data(reply("versions.entry-twice", asked(["versions"]), versions)), 2)
  })

  it("change the details", () => {
    const endpoints = (id: string) =>
      data(reply(id, asked(["2.2.1"]), details)).endpoints as ReadonlyArray<any> // any: test data
    assert.isArray(data(reply("versions.details-as-list", asked(["2.2.1"]), details)))
    assert.notStrictEqual(
      data(reply("versions.details-of-other-version", asked(["2.2.1"]), details)).version,
      "2.2.1"
    )
    assert.lengthOf(endpoints("versions.no-credentials-endpoint"), 2)
    assert.notProperty(endpoints("versions.endpoints-without-role")[0], "role")
    assert.lengthOf(endpoints("versions.endpoint-twice"), 4)
    assert.strictEqual(endpoints("versions.relative-endpoint")[2].url, "/commands")
    assert.isFalse(
      endpoints("versions.commands-without-sessions").some(({ identifier }) => identifier === "sessions")
    )
  })
})

describe("faults of tokens", () => {
  it("tell the encoded form from the raw one", () => {
    const raw = asked(list, "", { authorization: "Token plugfest-0123" })
    assert.strictEqual(reply("credentials.encoded-token-refused", asked(list), locations).httpStatus, 401)
    assert.strictEqual(reply("credentials.encoded-token-refused", raw, locations).httpStatus, 200)
    assert.strictEqual(reply("credentials.raw-token-refused", raw, locations).httpStatus, 401)
    assert.strictEqual(reply("credentials.raw-token-refused", asked(list), locations).httpStatus, 200)
  })

  it("crash on malformed headers only", () => {
    const bearer = asked(list, "", { authorization: "Bearer x" })
    assert.strictEqual(reply("credentials.malformed-header-crashes", bearer, locked).httpStatus, 500)
    assert.strictEqual(reply("credentials.malformed-header-crashes", asked(list), locked).httpStatus, 401)
  })
})

describe("faults of lists", () => {
  it("remove headers", () => {
    assert.notProperty(reply("paging.no-total", asked(list), locations).headers, "x-total-count")
    assert.notProperty(reply("paging.no-limit", asked(list), locations).headers, "x-limit")
  })

  it("overrun a limit of one with an object of another id", () => {
    const items = data(reply("paging.limit-overrun", asked(list, "limit=1"), answered([location("A")])))
    assert.deepStrictEqual(
      items.map(({ id }: { readonly id: string }) => id),
      ["A", "A-B"]
    )
    assert.lengthOf(data(reply("paging.limit-overrun", asked(list), locations)), 2)
  })

  it("bend the Link", () => {
    const next = "https://us.example/locations?date_from=2026-01-01T00:00:00Z&offset=2"
    const linked = answered([], { link: `<${next}>; rel="next"` })
    assert.notProperty(reply("paging.no-link", asked(list), linked).headers, "link")
    assert.notInclude(reply("paging.bare-link", asked(list), linked).headers["link"]!, "<")
    assert.notInclude(reply("paging.link-without-filters", asked(list), linked).headers["link"]!, "date_from")
    assert.include(reply("paging.link-on-last-page", asked(list), locations).headers["link"]!, "offset=2")
    assert.include(reply("paging.endless", asked(list), locations).headers["link"]!, asked(list).url)
  })

  it("miscount and repeat", () => {
    assert.strictEqual(reply("paging.total-too-high", asked(list), locations).headers["x-total-count"], "3")
    const items = data(reply("paging.object-twice", asked(list), locations))
    assert.deepStrictEqual(
      items.map(({ id }: { readonly id: string }) => id),
      ["A", "A"]
    )
  })

  it("answer an empty list with null and a full one as it is", () => {
    assert.isNull(data(reply("transport.null-for-empty", asked(list), answered([]))))
    assert.lengthOf(data(reply("transport.null-for-empty", asked(list), locations)), 2)
  })
})

describe("faults of locations", () => {
  const first = (id: string) => data(reply(id, asked(list), locations))[0]

  it("change one thing each", () => {
    assert.notProperty(first("locations.no-address"), "address")
    assert.strictEqual(first("locations.unknown-status").evses[0].status, "FREE")
    assert.strictEqual(first("locations.two-letter-country").country, "NL")
    assert.deepStrictEqual(first("locations.coarse-coordinates").coordinates, {
      latitude: "52.1",
      longitude: "5.1"
    })
    assert.strictEqual(first("locations.swapped-coordinates").coordinates.latitude, "5.109665")
    assert.strictEqual(first("locations.evse-uid-twice").evses[1].uid, "A-1")
    assert.lengthOf(first("locations.connector-id-twice").evses[0].connectors, 2)
    assert.isEmpty(first("locations.no-connectors").evses[0].connectors)
    assert.strictEqual(first("locations.stale-parent").last_updated, "2026-05-29T00:00:00Z")
  })

  it("give two locations one id", () => {
    const [a, b] = data(reply("locations.id-twice", asked(list), locations))
    assert.strictEqual(a.id, b.id)
  })
})

describe("faults while charging", () => {
  const result = push("commands", "command-result", { result: "ACCEPTED" }, "POST")
  const active = { id: "S1", status: "ACTIVE", kwh: 1.5, last_updated: "2026-06-01T11:59:00Z" }
  const old = { id: "S0", status: "COMPLETED", kwh: 9, last_updated: "2026-05-20T00:00:00Z" }

  it("lose, delay, repeat and change a command's result", () => {
    assert.isEmpty(faulty("commands.no-result").push(result))
    assert.isAbove(faulty("commands.late-result").push(result)[0]!.delayMillis, 2_000)
    assert.lengthOf(faulty("commands.result-twice").push(result), 2)
    assert.deepStrictEqual(faulty("commands.result-failed").push(result)[0]!.body, { result: "FAILED" })
  })

  it("reject a start and send nothing after it", () => {
    const start = asked(["2.2.1", "commands", "START_SESSION"], "", {}, "POST")
    const rejected = reply("commands.start-rejected", start, answered({ result: "ACCEPTED", timeout: 30 }))
    assert.strictEqual(data(rejected).result, "REJECTED")
    assert.isEmpty(faulty("commands.start-rejected").push(push("sessions", "PUT session", active)))
  })

  it("keep a session pending, in pushes and in the list, and leave older ones alone", () => {
    const pushed = faulty("sessions.never-active").push(push("sessions", "PUT session", active))
    assert.include(pushed[0]!.body as object, { status: "PENDING" })
    assert.isEmpty(
      faulty("sessions.never-active").push(push("sessions", "PATCH session", { kwh: 2 }, "PATCH"))
    )
    const [now, before] = data(
      reply("sessions.never-active", asked(["2.2.1", "sessions"]), answered([active, old]))
    )
    assert.strictEqual(now.status, "PENDING")
    assert.strictEqual(before.status, "COMPLETED")
  })

  it("never complete a session", () => {
    const fault = faulty("sessions.never-completed")
    assert.lengthOf(fault.push(push("sessions", "PUT session", active)), 1)
    assert.isEmpty(fault.push(push("sessions", "PATCH session", { status: "COMPLETED" }, "PATCH")))
    assert.isEmpty(fault.push(push("cdrs", "POST cdr", {}, "POST")))
  })

  it("hide the CDR of today and count without it", () => {
    const cdrs = answered([old, { ...active, id: "C1" }])
    const hidden = reply("cdrs.never-sent", asked(["2.2.1", "cdrs"]), cdrs)
    assert.lengthOf(data(hidden), 1)
    assert.strictEqual(hidden.headers["x-total-count"], "1")
  })

  it.each([
    [5, 15],
    [
      { excl_vat: 5, incl_vat: 6 },
      { excl_vat: 15, incl_vat: 16 }
    ]
  ])("charge ten too much: %j", (total_cost, expected) => {
    const pushed = faulty("cdrs.wrong-total").push(push("cdrs", "POST cdr", { total_cost }, "POST"))
    assert.deepStrictEqual(pushed[0]!.body, { total_cost: expected })
  })

  it("name another session in the CDR", () => {
    const pushed = faulty("cdrs.other-session").push(push("cdrs", "POST cdr", { session_id: "S1" }, "POST"))
    assert.notStrictEqual((pushed[0]!.body as { readonly session_id: string }).session_id, "S1")
  })
})

describe("composed", () => {
  it("is honest without faults", () => {
    assert.deepStrictEqual(composed([]).reply(asked(list), locations), honest.reply(asked(list), locations))
  })

  it("lets each fault work on what the one before it left", () => {
    const both = composed(
      ["paging.no-total", "transport.no-timestamp"].map((id) => faultsById.get(id)!.behaviour)
    )
    const changed = both.reply(asked(list), locations)
    assert.notProperty(changed.headers, "x-total-count")
    assert.notInclude(changed.body!, "timestamp")
  })

  it("waits as long as the slowest fault has it", () => {
    const both = composed(
      ["versions.slow", "versions.entry-twice"].map((id) => faultsById.get(id)!.behaviour)
    )
    assert.strictEqual(both.reply(asked(["versions"]), answered([])).delayMillis, 3_000)
  })

  it("sends what one fault doubled through the next", () => {
    const both = composed(
      ["commands.result-twice", "commands.no-result"].map((id) => faultsById.get(id)!.behaviour)
    )
    assert.isEmpty(both.push(push("commands", "command-result", {}, "POST")))
  })
})
