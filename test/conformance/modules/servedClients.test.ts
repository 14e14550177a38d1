/** What a partner that is a hub tells of the parties that are connected to it. */
import { assert, describe, it } from "@effect/vitest"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import { allChecks } from "../../../src/conformance/catalogue/suites.ts"
import { grade } from "../../../src/conformance/grading/grade.ts"
import { servedClientsProbes } from "../../../src/conformance/modules/hubclientinfo/servedClients.ts"
import { answered, evidenceFrom } from "../support/handmade.ts"
import { party } from "../support/honestPartner.ts"

const client = (party_id: string, more: object = {}) => ({
  country_code: "NL",
  party_id,
  role: "CPO",
  status: "CONNECTED",
  last_updated: "2026-01-01T00:00:00Z",
  ...more
})
const page = (
  data: unknown,
  headers: Readonly<Record<string, string>> = { "x-total-count": "2", "x-limit": "50" },
  httpStatus = 200
) =>
  answered("hubclientinfo", data, {
    response: { httpStatus, ocpiStatusCode: 1000, headers, body: "{}", truncated: false }
  })
const both = [client("ONE"), client("TWO", { status: "OFFLINE" })]
const right = {
  "hubclientinfo.list": [page(both)],
  "hubclientinfo.future": [page([])],
  "hubclientinfo.past": [page([])]
}
const ids = ["HUB-001", "HUB-002", "HUB-106", "HUB-107"]

/** The outcomes of the checks that did not pass. */
const off = (change: Parameters<typeof evidenceFrom>[0] = {}) =>
  ids.flatMap((id) => {
    const evidence = evidenceFrom({ ...right, ...change }, "2.2.1", party)
    const { blockedBy, outcome } = grade(allChecks.find((check) => check.id === id)!, evidence, {
      scope: { profile: profileOf("2.2.1"), role: "CPO" },
      profile: "strict",
      checks: allChecks.filter((check) => ids.includes(check.id))
    })
    return outcome === "passed"
      ? []
      : [`${id} ${outcome}${blockedBy === undefined ? "" : ` ${blockedBy.check}`}`]
  })

describe("the list of a hub", () => {
  it("is right with each party once, and without any", () => {
    assert.deepStrictEqual(off(), [])
    assert.deepStrictEqual(off({ "hubclientinfo.list": [page([])] }), [])
    const twoRoles = [client("ONE"), client("ONE", { role: "EMSP" })]
    assert.deepStrictEqual(off({ "hubclientinfo.list": [page(twoRoles)] }), [])
  })

  it.each([
    ["a status that is none", [client("ONE", { status: "connected" })]],
    ["no last_updated", [client("ONE", { last_updated: undefined })]],
    ["no role", [client("ONE", { role: undefined })]],
    ["a party id that is too long", [client("LONG")]]
  ])("is one finding with %s", (_, data) => {
    assert.deepStrictEqual(off({ "hubclientinfo.list": [page(data)] }), ["HUB-001 failed"])
  })

  it("is told by one check where it is refused", () => {
    assert.deepStrictEqual(off({ "hubclientinfo.list": [page(undefined, {}, 500)] }), [
      "HUB-001 failed",
      "HUB-002 not_tested HUB-001",
      "HUB-106 not_tested HUB-001",
      "HUB-107 not_tested HUB-001"
    ])
  })

  it("has no objects to judge where it is no array", () => {
    assert.deepStrictEqual(off({ "hubclientinfo.list": [page({ clients: both })] }), [
      "HUB-001 failed",
      "HUB-002 not_tested HUB-001",
      "HUB-107 not_tested HUB-001"
    ])
  })

  it("has a party once in a role, whatever the case of its letters", () => {
    const list = [client("ONE"), client("one", { status: "OFFLINE" })]
    assert.deepStrictEqual(off({ "hubclientinfo.list": [page(list)] }), ["HUB-002 warned"])
  })

  it("has the headers of a page", () => {
    assert.deepStrictEqual(off({ "hubclientinfo.list": [page(both, { "x-limit": "50" })] }), [
      "HUB-106 failed"
    ])
    const none = { "x-total-count": "2", "x-limit": "0" }
    assert.deepStrictEqual(off({ "hubclientinfo.list": [page(both, none)] }), ["HUB-106 failed"])
  })

  it("has nothing that the dates exclude", () => {
    assert.deepStrictEqual(off({ "hubclientinfo.future": [page(both)] }), ["HUB-107 failed"])
    assert.deepStrictEqual(off({ "hubclientinfo.past": [page(both)] }), ["HUB-107 failed"])
    assert.deepStrictEqual(off({ "hubclientinfo.past": [page(undefined, {}, 404)] }), ["HUB-107 failed"])
  })

  it("is asked for where the partner has that interface alone", () => {
    const evidence = evidenceFrom({}, "2.2.1", party)
    for (const probe of servedClientsProbes)
      assert.propertyVal("asks" in probe ? probe.asks(evidence) : {}, "withheld", "not_applicable")
  })
})
