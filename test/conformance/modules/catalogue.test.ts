import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import { allChecks } from "../../../src/conformance/catalogue/suites.ts"
import { grade } from "../../../src/conformance/grading/grade.ts"
import type { SuiteScope } from "../../../src/conformance/model/Check.ts"
import {
  evidenceOf,
  gradable,
  honest,
  type Partner,
  party,
  type Req,
  type Res
} from "../support/honestPartner.ts"

const scope: SuiteScope = { profile: profileOf("2.2.1"), role: "CPO" }
const checkOf = (id: string) => allChecks.find((check) => check.id === id)!
const core = { checks: gradable }

const graded = (
  id: string,
  partner: Partner,
  options: Parameters<typeof evidenceOf>[2] & { readonly profile?: "lenient" | "strict" } = {}
) =>
  Effect.map(evidenceOf(partner, checkOf(id).needs(scope), options), (evidence) =>
    grade(checkOf(id), evidence, { scope, profile: options.profile ?? "strict" })
  )

/** Honest but for what `change` does to some answers. */
const but =
  (where: (req: Req) => boolean, change: (res: Res, req: Req) => Res | "timed_out"): Partner =>
  (req) => {
    const res = honest(req)
    return typeof res === "string" || !where(req) ? res : change(structuredClone(res), req)
  }
const onPath = (end: string) => (req: Req) => req.url.pathname.endsWith(end) && req.token === "good"
const everywhere = () => true
const body = (change: (body: any) => unknown) => (res: Res) => {
  // any: the tests' bodies have many shapes
  const changed = change(res.body)
  return changed === undefined ? res : { ...res, body: changed }
}
const headers = (change: Record<string, string | undefined>) => (res: Res) => ({
  ...res,
  headers: Object.fromEntries(
    Object.entries({ ...res.headers, ...change }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined
    )
  )
})
const status = (code: number) => (res: Res) => ({ ...res, status: code })
const letIn =
  (which: Req["token"], where: (req: Req) => boolean = everywhere): Partner =>
  (req) =>
    honest(req.token === which && where(req) ? { ...req, token: "good" } : req)

const versions = onPath("/versions")
const details = onPath("/2.2.1")
const locations = onPath("/locations")
const firstOf = (field: string, value: unknown) =>
  body((b) => {
    if (b.data.length > 0) b.data[0][field] = value
  })
const evse = (field: string, value: unknown) =>
  body((b) => {
    if (b.data.length > 0) b.data[0].evses[0][field] = value
  })
const connector = (field: string, value: unknown) =>
  body((b) => {
    if (b.data.length > 0) b.data[0].evses[0].connectors[0][field] = value
  })
const endpoint = (index: number, field: string, value: unknown) =>
  body((b) => {
    b.data.endpoints[index][field] = value
  })
const limit1 = (req: Req) => locations(req) && req.url.searchParams.get("limit") === "1"
const future = (req: Req) => (req.url.searchParams.get("date_from") ?? "") > "2027"
const second = (req: Req) => locations(req) && req.url.searchParams.get("offset") === "2"
const unfiltered = (req: Req) => {
  const url = new URL(req.url)
  if (url.searchParams.has("offset")) url.searchParams.delete("date_from")
  return honest({ ...req, url })
}

/** What breaks each check, and what comes of it in the strict profile. */
const deviations: ReadonlyArray<readonly [string, string, Partner, ("failed" | "warned")?]> = [
  [
    "VERS-001",
    "an empty list",
    but(
      versions,
      body((b) => ({ ...b, data: [] }))
    )
  ],
  ["VERS-001", "HTTP 500", but(versions, status(500))],
  [
    "VERS-001",
    "status_code 2000",
    but(
      versions,
      body((b) => ({ ...b, status_code: 2000 }))
    )
  ],
  ["VERS-002", "a relative url", but(versions, firstOf("url", "/ocpi/2.2.1"))],
  ["VERS-002", "a number as version", but(versions, firstOf("version", 2.2))],
  [
    "VERS-002",
    "a url of 300 characters",
    but(versions, firstOf("url", `https://cpo.example/${"x".repeat(280)}`))
  ],
  [
    "VERS-003",
    "a version twice",
    but(
      versions,
      body((b) => ({ ...b, data: [b.data[0], b.data[0]] }))
    ),
    "warned"
  ],
  [
    "VERS-003",
    "an unknown version",
    but(
      versions,
      body((b) => ({ ...b, data: [b.data[0], { ...b.data[0], version: "9.1" }] }))
    ),
    "warned"
  ],
  ["VERS-003", "only a deprecated version", but(versions, firstOf("version", "2.2")), "warned"],
  ["VERS-004", "the list is open", letIn("none")],
  ["VERS-005", "any token opens the list", letIn("bad")],
  ["VERS-005", "403 instead of 401", but((req) => req.token === "bad", status(403))],
  [
    "VERS-006",
    "details without endpoints",
    but(
      details,
      body((b) => ({ ...b, data: { version: "2.2.1", endpoints: [] } }))
    )
  ],
  [
    "VERS-006",
    "details in an array",
    but(
      details,
      body((b) => ({ ...b, data: [b.data] }))
    )
  ],
  [
    "VERS-007",
    "details of another version",
    but(
      details,
      body((b) => ({ ...b, data: { ...b.data, version: "2.2" } }))
    )
  ],
  ["VERS-008", "no credentials endpoint", but(details, endpoint(0, "identifier", "locations"))],
  ["VERS-009", "an endpoint without role", but(details, endpoint(1, "role", undefined))],
  ["VERS-009", "a role in lower case", but(details, endpoint(2, "role", "sender"))],
  ["VERS-010", "an interface twice", but(details, endpoint(2, "identifier", "locations")), "warned"],
  ["VERS-011", "a relative endpoint", but(details, endpoint(1, "url", "/locations"))],
  ["VERS-012", "a module of another version", but(details, endpoint(3, "identifier", "payments")), "warned"],
  ["VERS-013", "commands without sessions", but(details, endpoint(2, "identifier", "tariffs")), "warned"],
  ["VERS-014", "details open to anyone", letIn("none", (req) => req.url.pathname.endsWith("/2.2.1"))],
  [
    "VERS-015",
    "any version exists",
    but(
      onPath("/9.9.9"),
      (_, req) => honest({ ...req, url: new URL("https://cpo.example/ocpi/2.2.1") }) as Res
    ),
    "warned"
  ],
  ["VERS-016", "the side of an EMSP", but(details, endpoint(5, "role", "SENDER")), "warned"],
  [
    "VERS-017",
    "other content the third time",
    but(
      (req) => versions(req) && req.about === "third",
      body((b) => ({ ...b, data: [] }))
    ),
    "warned"
  ],
  [
    "CRED-039",
    "no roles",
    but(
      onPath("/credentials"),
      body((b) => ({ ...b, data: { ...b.data, roles: [] } }))
    )
  ],
  [
    "CRED-039",
    "another party",
    but(
      onPath("/credentials"),
      body((b) => ({ ...b, data: { ...b.data, roles: [{ ...b.data.roles[0], party_id: "OTH" }] } }))
    )
  ],
  ["CRED-039", "405", but(onPath("/credentials"), status(405))],
  ["TRANS-001", "one list is open", letIn("none", (req) => req.url.pathname.endsWith("/tariffs"))],
  ["TRANS-002", "one list takes any token", letIn("bad", (req) => req.url.pathname.endsWith("/cdrs"))],
  [
    "TRANS-003",
    "a malformed header is a server error",
    but((req) => req.about === "scheme alone", status(500))
  ],
  [
    "TRANS-004",
    "only the raw token works",
    (req) =>
      req.token === "none" ? honest(req) : honest({ ...req, token: req.token === "bad" ? "good" : "bad" })
  ],
  ["TRANS-009", "header names by case", but((req) => req.about === "AUTHORIZATION", status(401))],
  [
    "TRANS-010",
    "an endpoint over plain HTTP",
    but(details, endpoint(1, "url", "http://cpo.example/locations"))
  ],
  ["TRANS-011", "text/html", but(locations, headers({ "content-type": "text/html" }))],
  ["TRANS-011", "a body that is no JSON", but(versions, (res) => ({ ...res, body: "<html>" }))],
  [
    "TRANS-012",
    "status_code as text",
    but(
      locations,
      body((b) => ({ ...b, status_code: "1000" }))
    )
  ],
  [
    "TRANS-012",
    "status_message as a number",
    but(
      locations,
      body((b) => ({ ...b, status_message: 0 }))
    )
  ],
  [
    "TRANS-013",
    "no timestamp",
    but(
      locations,
      body((b) => ({ ...b, timestamp: undefined }))
    )
  ],
  [
    "TRANS-013",
    "a numeric offset",
    but(
      details,
      body((b) => ({ ...b, timestamp: "2026-06-01T12:00:01+00:00" }))
    )
  ],
  [
    "TRANS-014",
    "a clock an hour off",
    but(
      versions,
      body((b) => ({ ...b, timestamp: "2026-06-01T13:00:01Z" }))
    ),
    "warned"
  ],
  [
    "TRANS-015",
    "null for an empty list",
    but(
      future,
      body((b) => ({ ...b, data: null }))
    )
  ],
  [
    "TRANS-016",
    "an error without timestamp",
    but(
      onPath("/TST-does-not-exist"),
      body((b) => ({ ...b, timestamp: undefined }))
    )
  ],
  [
    "TRANS-017",
    "a custom code",
    but(
      onPath("/TST-does-not-exist"),
      body((b) => ({ ...b, status_code: 2901 }))
    )
  ],
  [
    "TRANS-017",
    "an undocumented code",
    but(
      onPath("/TST-does-not-exist"),
      body((b) => ({ ...b, status_code: 2099 }))
    ),
    "warned"
  ],
  ["TRANS-023", "200 for an unknown object", but(onPath("/TST-does-not-exist"), status(200)), "warned"],
  ["TRANS-025", "request id not repeated", but(locations, headers({ "x-request-id": undefined }))],
  ["TRANS-026", "correlation id made up", but(locations, headers({ "x-correlation-id": "other" }))],
  ["PAGE-001", "no X-Total-Count", but(locations, headers({ "x-total-count": undefined }))],
  ["PAGE-002", "X-Limit 0", but(locations, headers({ "x-limit": "0" }))],
  [
    "PAGE-003",
    "the limit ignored",
    (req) => {
      const url = new URL(req.url)
      url.searchParams.delete("limit")
      return honest({ ...req, url })
    }
  ],
  ["PAGE-004", "no link", but(limit1, headers({ link: undefined }))],
  [
    "PAGE-005",
    "a link on the last page",
    but(second, headers({ link: '<https://cpo.example/ocpi/2.2.1/locations?offset=4>; rel="next"' })),
    "warned"
  ],
  [
    "PAGE-006",
    "a relative link",
    but(limit1, headers({ link: '</ocpi/2.2.1/locations?offset=1>; rel="next"' }))
  ],
  [
    "PAGE-006",
    "a link without brackets",
    but(limit1, headers({ link: 'https://cpo.example/x; rel="next"' }))
  ],
  [
    "PAGE-006",
    "a link that leads nowhere",
    but((req) => locations(req) && req.url.searchParams.get("offset") === "1", status(500))
  ],
  ["PAGE-007", "the filter lost on the next page", unfiltered, "warned"],
  [
    "PAGE-008",
    "links in a circle",
    but(second, headers({ link: '<https://cpo.example/ocpi/2.2.1/locations?offset=2&limit=2>; rel="next"' }))
  ],
  ["PAGE-008", "a total that is wrong", but(locations, headers({ "x-total-count": "7" }))],
  ["PAGE-009", "an object on two pages", but(second, firstOf("id", "A"))],
  [
    "PAGE-023",
    "date_from ignored",
    (req) => {
      const url = new URL(req.url)
      url.searchParams.delete("date_from")
      return honest({ ...req, url })
    }
  ],
  [
    "LOC-001",
    "null for the list",
    but(
      locations,
      body((b) => ({ ...b, data: null }))
    )
  ],
  ["LOC-002", "a missing required field", but(locations, firstOf("address", undefined))],
  ["LOC-002", "a number as text", but(locations, connector("max_voltage", "230"))],
  ["LOC-003", "a status in lower case", but(locations, evse("status", "available"))],
  ["LOC-003", "an unknown power type", but(locations, connector("power_type", "AC"))],
  ["LOC-004", "a connector of a later version", but(locations, connector("standard", "MCS"))],
  ["LOC-004", "an unknown facility", but(locations, firstOf("facilities", ["GYM"]))],
  ["LOC-006", "a country of two letters", but(locations, firstOf("country", "NL"))],
  [
    "LOC-007",
    "four decimals",
    but(locations, firstOf("coordinates", { latitude: "52.0901", longitude: "5.1096" }))
  ],
  [
    "LOC-007",
    "numbers",
    but(locations, firstOf("coordinates", { latitude: 52.090142, longitude: 5.109665 }))
  ],
  [
    "LOC-007",
    "a latitude of 95",
    but(locations, firstOf("coordinates", { latitude: "95.000000", longitude: "5.109665" }))
  ],
  [
    "LOC-008",
    "0/0",
    but(locations, firstOf("coordinates", { latitude: "0.000000", longitude: "0.000000" })),
    "warned"
  ],
  [
    "LOC-008",
    "swapped",
    but(locations, firstOf("coordinates", { latitude: "5.109665", longitude: "52.090142" })),
    "warned"
  ],
  ["LOC-009", "an offset for a zone", but(locations, firstOf("time_zone", "+01:00"))],
  ["LOC-010", "an id in other letters", but(second, firstOf("id", "a"))],
  ["LOC-011", "an EVSE uid twice", but(locations, evse("uid", "A-2"))],
  [
    "LOC-012",
    "a connector id twice",
    but(
      locations,
      body((b) => {
        for (const l of b.data) l.evses[0].connectors.push(l.evses[0].connectors[0])
      })
    )
  ],
  ["LOC-013", "no connectors", but(locations, evse("connectors", []))],
  [
    "LOC-014",
    "an EVSE younger than its location",
    but(locations, evse("last_updated", "2026-05-20T00:00:00Z"))
  ],
  [
    "LOC-014",
    "a connector younger than its EVSE",
    but(locations, connector("last_updated", "2026-05-20T00:00:00Z"))
  ]
]

describe("the read-only core", () => {
  // The two readings that LOC-050 and PAGE-030 compare are one moment apart here.
  const judged = core.checks.map(({ id }) => id).filter((id) => id !== "LOC-050" && id !== "PAGE-030")
  it.effect.each(judged)("%s holds for an honest partner", (id) =>
    Effect.map(graded(id, honest), ({ message, outcome, reason }) =>
      assert.strictEqual(outcome, "passed", reason ?? message)
    )
  )

  it.effect.each(
    deviations.map(([id, what, partner, outcome = "failed"]) => ({ id, what, partner, outcome }))
  )("$id catches: $what", ({ id, outcome, partner }) =>
    Effect.map(graded(id, partner), (assertion) =>
      assert.strictEqual(assertion.outcome, outcome, JSON.stringify(assertion))
    )
  )

  it("has a deviation for every check that can fail", () => {
    const covered = new Set(deviations.map(([id]) => id))
    // TRANS-006 and VERS-018 only record; TRANS-007 has tests of its own below; for TRANS-059 the engine has to follow a
    // redirect; CRED-050 is held by plainEmsp.test.ts, LOC-050 and PAGE-030 by
    // laterReads.test.ts.
    const open = core.checks.map(({ id }) => id).filter((id) => !covered.has(id))
    assert.deepStrictEqual(open, [
      "VERS-018",
      "CRED-050",
      "TRANS-006",
      "TRANS-007",
      "TRANS-059",
      "PAGE-030",
      "LOC-050"
    ])
  })

  it.effect.each([
    "Token «tokenB:abcd»",
    "Token base64(«tokenB:abcd»\\n)",
    "Token  base64(«tokenB:abcd»)",
    "token base64(base64(«tokenB:abcd»))"
  ])("TRANS-007 catches: %s", (value) =>
    Effect.map(graded("TRANS-007", honest, { inbound: [value] }), ({ outcome }) =>
      assert.strictEqual(outcome, "failed")
    )
  )

  it.effect("TRANS-007 is unobservable while the partner has not called", () =>
    Effect.map(graded("TRANS-007", honest, { inbound: [] }), ({ outcome }) =>
      assert.strictEqual(outcome, "unobservable")
    )
  )

  it.effect("TRANS-010 is not applicable to a partner on a loopback address", () => {
    const local = {
      ...party,
      counterpart: { ...party.counterpart, versionsUrl: "http://127.0.0.1:9000/ocpi/versions" }
    }
    return Effect.map(graded("TRANS-010", honest, { party: local }), ({ outcome }) =>
      assert.strictEqual(outcome, "not_applicable")
    )
  })

  it.effect("CRED-039 never shows what stands in the place of the token", () =>
    Effect.map(
      graded(
        "CRED-039",
        but(
          onPath("/credentials"),
          body((b) => ({ ...b, data: { ...b.data, token: "my secret token" } }))
        )
      ),
      (assertion) => {
        assert.strictEqual(assertion.outcome, "failed")
        assert.notInclude(JSON.stringify(assertion), "my secret token")
      }
    )
  )

  it.effect("CRED-039 is not tested before the registration", () =>
    Effect.map(graded("CRED-039", honest, { party: { ...party, registration: "none" } }), ({ outcome }) =>
      assert.strictEqual(outcome, "not_tested")
    )
  )

  const onNextFilteredPage = (req: Req) =>
    limit1(req) && req.url.searchParams.has("date_from") && req.url.searchParams.has("offset")
  const filtered = (req: Req) => limit1(req) && req.url.searchParams.has("date_from")
  const outcomes: ReadonlyArray<readonly [string, Partner, string]> = [
    [
      "has another total on one page, though nothing of it moved",
      but((req) => filtered(req) && !onNextFilteredPage(req), headers({ "x-total-count": "3" })),
      "warned"
    ],
    ["has moved since the crawl", but(filtered, headers({ "x-total-count": "3" })), "passed"],
    ["has shrunk", but(onNextFilteredPage, headers({ "x-total-count": "1" })), "warned"]
  ]
  for (const [what, partner, outcome] of outcomes) {
    it.effect(`PAGE-007 is ${outcome} for a list that ${what}`, () =>
      Effect.map(graded("PAGE-007", partner), (assertion) =>
        assert.strictEqual(assertion.outcome, outcome, assertion.message)
      )
    )
  }

  it.effect("locations cannot be observed when none are listed", () =>
    Effect.map(
      graded(
        "LOC-002",
        but(locations, (res) => ({ ...res, body: { ...res.body, data: [] } }))
      ),
      ({ outcome }) => assert.strictEqual(outcome, "unobservable")
    )
  )
})
