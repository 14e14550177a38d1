/** What the document of the API promises of each body, field by field, written down apart from the schemas in schema/. */
import { assert } from "vitest"
import type { Answer } from "./Service.ts"

type Kind = "string" | "integer" | "boolean" | "array" | "object"
type Shape = Readonly<Record<string, Kind>>

/** Every field is there and of its kind; more fields may be there. */
export function has(value: any, shape: Shape, what: string): void {
  assert.strictEqual(kindOf(value), "object", what)
  for (const [field, kind] of Object.entries(shape)) {
    assert.strictEqual(kindOf(value[field]), kind, `${what}.${field} is ${JSON.stringify(value[field])}`)
  }
}

function kindOf(value: unknown): string {
  if (value === null) return "null"
  if (Array.isArray(value)) return "array"
  return Number.isInteger(value) ? "integer" : typeof value
}

/** The envelope of success, and nothing beside it. */
export function succeeded(answer: Answer<any>, status = 200): any {
  assert.strictEqual(answer.status, status, answer.text)
  assert.match(String(answer.headers.get("content-type")), /^application\/json/)
  assert.deepStrictEqual(Object.keys(answer.body), ["success", "data"], answer.text)
  assert.isTrue(answer.body.success)
  return answer.body.data
}

/** The one error body: `success` and `message`, nothing else. Gives the message. */
export function refused(answer: Answer, status: number, message?: RegExp): string {
  assert.strictEqual(answer.status, status, answer.text)
  assert.match(String(answer.headers.get("content-type")), /^application\/json/)
  assert.deepStrictEqual(Object.keys(answer.body), ["success", "message"], answer.text)
  assert.isFalse(answer.body.success)
  const said = answer.body.message ?? ""
  assert.isNotEmpty(said)
  assert.notMatch(said, /\n\s+at |node_modules/, "no stack trace")
  if (message !== undefined) assert.match(said, message)
  return said
}

/** 429 and 503: seconds to wait, a whole number from 1. */
export function retryAfter(answer: Answer): number {
  const seconds = Number(answer.headers.get("retry-after"))
  assert.isTrue(Number.isInteger(seconds) && seconds >= 1, String(answer.headers.get("retry-after")))
  return seconds
}

export function connection(view: any): void {
  has(
    view,
    {
      _id: "string",
      partnerBaseUrl: "string",
      ourRole: "string",
      theirRole: "string",
      ocpiVersion: "string",
      status: "string"
    },
    "connection"
  )
  assert.include(["pending", "registered", "failed"], view.status)
  assert.notProperty(view, "tokenA")
}

export function report(view: any): void {
  has(
    view,
    { _id: "string", ocpiVersion: "string", connectionLabel: "string", summary: "object", status: "string" },
    "report"
  )
  has(
    view.summary,
    { total: "integer", passed: "integer", failed: "integer", warned: "integer" },
    "report.summary"
  )
  assert.include([null, "pass", "warn", "fail", "inconclusive"], view.verdict)
  assert.strictEqual(view.summary.total, view.summary.passed + view.summary.failed + view.summary.warned)
}

export function journeyStatus(view: any): void {
  has(
    view,
    {
      runId: "string",
      reportId: "string",
      status: "string",
      recoveryVersion: "integer",
      recoveryOptions: "array",
      workerHealthy: "boolean"
    },
    "journey run"
  )
  for (const option of view.recoveryOptions) {
    has(option, { decision: "string", label: "string", description: "string" }, "recovery option")
  }
}

export function event(line: any): void {
  has(line, { sequence: "integer", type: "string", occurredAt: "string", assertions: "array" }, "event")
  assert.match(line.occurredAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  if ("stageId" in line) assert.isString(line.stageId)
  if ("exchange" in line) assert.strictEqual(kindOf(line.exchange), "object")
}
