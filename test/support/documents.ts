/** A report with one result of every kind, and a partner that tries to get out of it. */
import type { Assertion } from "../../schema/Assertion.ts"
import type { Exchange } from "../../schema/Exchange.ts"
import { ConnectionId, ReportId, RunId } from "../../schema/Ids.ts"
import type { RunDocument } from "../../src/reports/RunDocument.ts"

/** What breaks out of markup, attributes, styles, code spans and tables where it is not escaped. */
export const hostile =
  "</style></script><script>alert(1)</script><img src=x onerror=alert(1)> ]]> \"'`` | @octocat \u0000\u001b[31m\u202e"

export const exchange = (id: string, over: Partial<Exchange> = {}): Exchange => ({
  id,
  direction: "outbound",
  module: "locations",
  operation: "list",
  request: {
    method: "GET",
    url: "https://cpo.example/ocpi/2.2.1/locations?offset=0&limit=10",
    headers: { authorization: "Token base64(«tokenC:3f2a»)" },
    body: null,
    truncated: false
  },
  response: {
    httpStatus: 200,
    ocpiStatusCode: 1000,
    headers: { "content-type": "application/json", "x-odd": hostile },
    body: JSON.stringify({ data: [{ id: "LOC1", name: hostile, last_updated: "yesterday" }] }),
    truncated: false
  },
  outcome: "completed",
  startedAt: "2026-11-21T10:00:01.000Z",
  durationMs: 1500,
  requestId: "r",
  correlationId: "c",
  ...over
})

export const check = (
  id: string,
  outcome: Assertion["outcome"],
  over: Partial<Assertion> = {}
): Assertion => ({
  id,
  checkId: id,
  title: `Title of ${id}`,
  outcome,
  strength: "must",
  reference: "mod_locations, Location Object",
  module: id.startsWith("LOC") ? "locations" : "versions",
  ...over
})

export const failed = check("LOC-017", "failed", {
  pointer: "/data/0/last_updated",
  expected: "RFC 3339, UTC",
  actual: hostile,
  message: `last_updated is ${hostile}`,
  hint: "Send it in UTC.",
  exchangeIds: ["exc_1"],
  curl: "curl -sS 'https://cpo.example'"
})

export const document: RunDocument = {
  report: {
    _id: ReportId.make("rep_1"),
    runId: RunId.make("run_1"),
    kind: "conformance",
    ocpiVersion: "2.2.1",
    connectionId: ConnectionId.make("conn_1"),
    connectionLabel: `label ${hostile}`,
    suiteId: "ocpi-2.2.1-cpo-core",
    profile: "strict",
    status: "completed",
    verdict: "fail",
    summary: {
      total: 4,
      passed: 2,
      failed: 1,
      warned: 1,
      unobservable: 1,
      notTested: 1,
      notApplicable: 1,
      errored: 1
    },
    progress: { done: 8, of: 8 },
    revision: 9,
    startedAt: "2026-11-21T10:00:00.000Z",
    finishedAt: "2026-11-21T10:00:03.250Z",
    createdAt: "2026-11-21T10:00:00.000Z"
  },
  name: "OCPI 2.2.1 CPO core",
  theirRole: "CPO",
  reason: null,
  leftBehind: ["PUT tokens TST-1"],
  groups: [
    {
      id: "versions",
      startedAt: "2026-11-21T10:00:00.100Z",
      checks: [
        check("VER-001", "passed", { exchangeIds: ["exc_0"] }),
        check("VER-002", "error", { message: "our rule broke" }),
        check("VER-003", "not_applicable", { reason: "no such version" })
      ]
    },
    {
      id: "locations",
      startedAt: "2026-11-21T10:00:01.000Z",
      checks: [
        failed,
        check("LOC-018", "warned", { strength: "should", message: "late", exchangeIds: ["exc_1"] }),
        check("LOC-019", "unobservable", { reason: "no PUT came" }),
        check("LOC-020", "not_tested", { reason: "withheld" }),
        check("LOC-021", "passed")
      ]
    }
  ],
  exchanges: [
    { stageId: "versions", exchange: exchange("exc_0", { durationMs: 250 }) },
    { stageId: "locations", exchange: exchange("exc_1") },
    {
      stageId: "locations",
      exchange: exchange("exc_2", {
        response: null,
        outcome: "timed_out",
        fault: { kind: "timeout", message: "30 s" }
      })
    },
    { stageId: null, exchange: exchange("exc_3", { direction: "inbound" }) }
  ],
  ledger: { lines: 9, headHash: "abc" }
}
