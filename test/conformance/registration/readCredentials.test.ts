/** GET credentials, against the Credentials object that the registration handed over. */
import { assert, describe, it } from "@effect/vitest"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import { allChecks } from "../../../src/conformance/catalogue/suites.ts"
import { grade } from "../../../src/conformance/grading/grade.ts"
import type { Observation } from "../../../src/conformance/model/Evidence.ts"
import { partiesIn } from "../../../src/party/wire/credentialsObject.ts"
import { answered, called, evidenceFrom } from "../support/handmade.ts"
import { party } from "../support/honestPartner.ts"

type Version = "2.2.1" | "2.3.0"
type Seen = Readonly<Record<string, ReadonlyArray<Observation>>>

const roleOf = (role: string, party_id: string) => ({
  role,
  country_code: "NL",
  party_id,
  business_details: { name: party_id }
})
const alias = "https://gateway.example/ocpi/versions"
const { versionsUrl } = party.counterpart
const object = (more: object = {}) => ({
  token: "t",
  url: versionsUrl,
  roles: [roleOf("CPO", "ONE")],
  ...more
})

const graded = (id: string, seen: Seen, version: Version = "2.2.1", registered: object = object()) => {
  const profile = profileOf(version)
  const parties = partiesIn(profile, party, { ...registered })
  const of = { ...party, version, counterpart: { ...party.counterpart, parties } }
  return grade(allChecks.find((check) => check.id === id)!, evidenceFrom(seen, version, of), {
    scope: { profile, role: of.counterpart.role },
    profile: "strict",
    checks: allChecks
  })
}

const posted = (credentials: object) =>
  answered("credentials", credentials, {
    request: { method: "POST", url: "https://cpo.example/c", headers: {}, body: "{}", truncated: false }
  })
const read = (credentials: object, ...registration: ReadonlyArray<Observation>): Seen => ({
  credentials: [answered("credentials", credentials)],
  registration
})

describe("GET credentials of a platform that names its own hub by hub_party_id", () => {
  const hub = object({ hub_party_id: "NLHUB", roles: [roleOf("CPO", "ONE"), roleOf("EMSP", "TWO")] })

  it("has the parties of the registration, the hub's own one too", () => {
    assert.strictEqual(graded("CRED-039", read(hub, posted(hub)), "2.3.0", hub).outcome, "passed")
  })

  it("has others where the hub is another one", () => {
    const other = { ...hub, hub_party_id: "NLHB2" }
    const { actual = "", outcome } = graded("CRED-039", read(other, posted(hub)), "2.3.0", hub)
    assert.strictEqual(outcome, "failed")
    assert.include(actual, "HUB NL-HB2")
  })
})

describe("a url of the credentials that is not the versions URL which we were given", () => {
  it("is the partner's choice, and the same at each reading", () => {
    const at = object({ url: alias })
    assert.strictEqual(graded("CRED-039", read(at, posted(at))).outcome, "passed")
    assert.notInclude(graded("CRED-039", read(at, posted(at))).message ?? "", "url")
  })

  it("is that of the object with which the partner registered", () => {
    const at = object({ url: alias })
    assert.strictEqual(graded("CRED-039", read(at, called("POST", "credentials", "", at))).outcome, "passed")
  })

  it("is a warning where another one was handed over", () => {
    const { findings = [], outcome } = graded("CRED-039", read(object({ url: alias }), posted(object())))
    assert.strictEqual(outcome, "warned")
    assert.include(findings[0]?.message, "handed over")
  })

  it("is noted where nothing is on record of the registration", () => {
    const { message = "", outcome } = graded("CRED-039", read(object({ url: alias })))
    assert.strictEqual(outcome, "passed")
    assert.include(message, "both lead to the same service")
  })

  it("is noted by the check of the url, which serves the versions list", () => {
    const seen = answered("versions", [{ version: "2.2.1", url: "https://gateway.example/2.2.1" }])
    const at = { ...seen, exchange: { ...seen.exchange, request: { ...seen.exchange.request, url: alias } } }
    const { message = "", outcome } = graded("CRED-006", {
      registration: [posted(object({ url: alias }))],
      "credentials.url": [at]
    })
    assert.strictEqual(outcome, "passed")
    assert.include(message, "both lead to the same service")
  })
})

describe("roles of GET credentials that are not those of the registration", () => {
  it("are told by CRED-039, and say nothing of the endpoints", () => {
    const details = answered("versions", {
      version: "2.2.1",
      endpoints: [{ identifier: "locations", role: "SENDER", url: "https://cpo.example/2.2.1/locations" }]
    })
    const seen = { details: [details], ...read(object({ roles: [roleOf("EMSP", "ONE")] }), posted(object())) }
    assert.strictEqual(graded("CRED-039", seen).outcome, "failed")
    const { blockedBy, outcome } = graded("VERS-016", seen)
    assert.deepStrictEqual([outcome, blockedBy?.check], ["not_tested", "CRED-039"])
  })
})
