/** Lists that are refused with an empty list as data: the check of each list reports it, and no other check does. */
import { assert, describe, it } from "vitest"
import { profileOf } from "../../schema/ocpi/versions.ts"
import { suiteById } from "../../src/conformance/catalogue/suites.ts"
import { grade } from "../../src/conformance/grading/grade.ts"
import type { Observation } from "../../src/conformance/model/Evidence.ts"
import { withheld } from "../../src/conformance/model/Probe.ts"
import { keptProbe } from "../../src/conformance/modules/credentials/credentials.ts"
import { answered, evidenceFrom } from "./support/handmade.ts"

const { checks } = suiteById("ocpi-2.2.1-cpo-full")!
const scope = { profile: profileOf("2.2.1"), role: "CPO" } as const
const refused = ["locations", "sessions"]
const others = ["cdrs", "tariffs"]

const page = (module: string, code: number): Observation => {
  const headers: Record<string, string> = code === 1000 ? { "x-total-count": "0", "x-limit": "50" } : {}
  const body = JSON.stringify({ data: [], status_code: code, timestamp: "2026-01-31T12:00:00Z" })
  return {
    ...answered(module, [], {
      operation: "list",
      response: { httpStatus: 200, ocpiStatusCode: code, headers, body, truncated: false }
    }),
    json: JSON.parse(body)
  }
}

const graded = (ids: ReadonlyArray<string>, code: number, lowerCase = code) => {
  const evidence = evidenceFrom({
    versions: [answered("versions", [], { operation: "list" })],
    [keptProbe.id]: [],
    "routing.lower-case": [page("locations", lowerCase)],
    ...Object.fromEntries(refused.map((module) => [`${module}.list`, [page(module, code)]])),
    ...Object.fromEntries(others.map((module) => [`${module}.list`, [page(module, 1000)]]))
  })
  return ids.map((id) => {
    const check = checks.find((one) => one.id === id)!
    const { blockedBy, outcome } = grade(check, evidence, { scope, profile: "strict", checks })
    return blockedBy?.check ?? outcome
  })
}

describe("a list that is refused with an empty list as data", () => {
  it("is a finding of its own check, and of no other", () => {
    assert.deepStrictEqual(graded(["LOC-001", "PAGE-001", "PAGE-002", "TRANS-034", "CRED-012"], 3000), [
      "failed",
      "passed",
      "passed",
      "LOC-001",
      "LOC-001"
    ])
  })

  it("blocks what it leaves without an object to judge, an EVSE to start at, or one that cannot be started at", () => {
    const ids = ["LOC-002", "LOC-037", "SESS-005", "TRANS-047", "PAGE-030", "CMD-001", "CMD-019", "CP-001"]
    assert.deepStrictEqual(graded(ids, 3000), [
      "LOC-001",
      "LOC-001",
      "SESS-001",
      "LOC-001",
      "LOC-001",
      "LOC-001",
      "LOC-001",
      "LOC-001"
    ])
  })

  it("refuses nobody in particular: that an unknown party is refused as well says nothing", () => {
    const judged = (code: number) => {
      const evidence = evidenceFrom({
        "locations.list": [page("locations", code)],
        "routing.unknown-recipient": [page("locations", 3000)]
      })
      const check = checks.find(({ id }) => id === "TRANS-033")!
      const { blockedBy, outcome } = grade(check, evidence, { scope, profile: "strict", checks })
      return blockedBy?.check ?? outcome
    }
    assert.deepStrictEqual([judged(3000), judged(1000)], ["LOC-001", "passed"])
  })

  it("is redirected as a whole, which says nothing of an id that does not exist", () => {
    const moved = (httpStatus: number) => {
      const [seen] = [page("locations", 1000)]
      const response = { httpStatus, ocpiStatusCode: null, headers: {}, body: "", truncated: false }
      return { ...seen, json: undefined, exchange: { ...seen.exchange, response } }
    }
    const judged = (list: number, unknown: number) => {
      const evidence = evidenceFrom({ "locations.list": [moved(list)], "unknown-ids": [moved(unknown)] })
      const check = checks.find(({ id }) => id === "TRANS-023")!
      const { blockedBy, outcome } = grade(check, evidence, { scope, profile: "strict", checks })
      return blockedBy?.check ?? outcome
    }
    assert.deepStrictEqual(
      [judged(302, 302), judged(302, 500), judged(302, 404)],
      ["LOC-001", "warned", "passed"]
    )
  })

  it("leaves what requires such a check to be judged", () => {
    const evidence = evidenceFrom({
      "locations.list": [page("locations", 3000)],
      "sessions.list": [page("sessions", 1000)],
      "commands.start": withheld("unobservable", "no EVSE of the list is free"),
      "commands.wrong": [],
      "commands.wrong#stop an unknown session": [
        answered("commands", { result: "ACCEPTED", timeout: 30 }, { operation: "STOP_SESSION" })
      ]
    })
    const outcomes = ["CMD-001", "CMD-013"].map(
      (id) =>
        grade(checks.find((one) => one.id === id)!, evidence, { scope, profile: "strict", checks }).outcome
    )
    assert.deepStrictEqual(outcomes, ["not_tested", "failed"])
  })

  it("is a finding of the check of header names where only such a request is refused", () => {
    assert.deepStrictEqual(graded(["LOC-001", "TRANS-034", "CRED-012"], 1000, 3000), [
      "passed",
      "warned",
      "passed"
    ])
  })

  it("says that the token does not open the list where the partner blames us", () => {
    assert.deepStrictEqual(graded(["CRED-012"], 2001), ["failed"])
  })
})
