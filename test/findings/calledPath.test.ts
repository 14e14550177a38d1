/** Calls of a partner by their URLs: what they are about, and whether we offered the URL at all. */
import { assert, describe, it } from "@effect/vitest"
import type { Exchange } from "../../schema/Exchange.ts"
import { profileOf } from "../../schema/ocpi/versions.ts"
import {
  belowEndpoint,
  isPush,
  pathSegments,
  uninvited,
  uninvitedName
} from "../../src/findings/calledPath.ts"

const profile = profileOf("2.2.1")
const root = "https://us.example/ocpi"
const call = (
  method: string,
  url: string,
  operation: string,
  change: Partial<Exchange> = {},
  httpStatus = 404
) =>
  ({
    id: "exc_1",
    direction: "inbound",
    module: "sessions",
    operation,
    request: { method, url, headers: {}, body: null, truncated: false },
    response: { httpStatus, ocpiStatusCode: 2000, headers: {}, body: null, truncated: false },
    outcome: "completed",
    startedAt: "2026-06-01T12:00:00.000Z",
    durationMs: 1,
    requestId: "r",
    correlationId: "c",
    ...change
  }) as const satisfies Exchange

describe("a call of the partner", () => {
  it.each([
    ["PUT", `${root}/sessions/NL/TNM/S1`, "PUT TNM S1"],
    ["PUT", `${root}/emsp/2.2.1/sessions/NL/TNM/S1`, "PUT sessions NL TNM S1"],
    ["GET", `${root}/partner/locations`, "GET"],
    ["POST", `${root}/sessions`, "details"],
    ["PUT", `${root}/2.2.1/sessions/NL/TNM`, "PUT NL TNM"],
    ["GET", `${root}/2.2.1/receiver/sessions`, "GET sessions"]
  ])("was not invited when nothing is served there: %s %s", (method, url, operation) => {
    assert.include(uninvited(call(method, url, operation), profile), `${method} came to /ocpi`)
  })

  it.each([
    ["of an object that we do not have", call("PATCH", `${root}/2.2.1/sessions/NL/TNM/S1`, "PATCH session")],
    ["at a moved endpoint", call("PATCH", `${root}/2.2.1/moved/sessions/NL/TNM/S1`, "PATCH session")],
    ["to another version of ours", call("GET", `${root}/2.1.1/locations`, "GET")],
    ["that was served", call("GET", `${root}/partner/locations`, "GET", {}, 200)],
    [
      "in whose answer we put a fault",
      call("GET", `${root}/partner/x`, "GET", { ourFault: { kind: "error" } as never })
    ],
    ["of ours", call("GET", `${root}/partner/x`, "GET", { direction: "outbound" })],
    ["for the details of our version", call("GET", `${root}/2.2.1`, "details")]
  ])("is none of these: one %s", (_, one) => {
    assert.isUndefined(uninvited(one, profile))
  })

  it("has one name for all objects of one module, where we offered nothing", () => {
    for (const id of ["S1", "S2"])
      assert.strictEqual(
        uninvitedName(call("PUT", `${root}/receiver/sessions/NL/TNM/${id}`, `PUT NL TNM ${id}`), profile),
        "PUT sessions at a URL that we did not offer"
      )
  })

  it("keeps a segment that cannot be decoded, and needs no host", () => {
    assert.deepStrictEqual(pathSegments("/ocpi/2.2.1/sessions/%ZZ/a%20b/?x=1"), [
      "ocpi",
      "2.2.1",
      "sessions",
      "%ZZ",
      "a b"
    ])
    assert.deepStrictEqual(belowEndpoint(call("GET", "/ocpi/2.2.1/sessions/a%2Fb", "GET")), ["a/b"])
  })
})

describe("a push", () => {
  const isPushed = (method: string, module: string, path: string) =>
    isPush(call(method, `${root}/2.2.1/${module}/${path}`, "", { module }))

  it("tells of an object, by whatever method", () => {
    assert.isTrue(isPushed("PUT", "sessions", "NL/TNM/S1"))
    assert.isTrue(isPushed("PATCH", "tokens", "NL/TNM/T1"))
    assert.isTrue(isPushed("POST", "cdrs", ""))
    assert.isTrue(isPushed("POST", "sessions", "NL/TNM/S1"))
  })

  it("is no question about a token, no wish for a session, no read and no result", () => {
    assert.isFalse(isPushed("POST", "tokens", "T1/authorize?type=RFID"))
    assert.isFalse(isPushed("PUT", "sessions", "S1/charging_preferences"))
    assert.isFalse(isPushed("GET", "sessions", ""))
    assert.isFalse(isPushed("POST", "commands", "START_SESSION/1"))
  })
})
