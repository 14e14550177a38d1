/** The client of plugfest: every operation of its HTTP API, typed; live runs; an assertion for test runners. No dependencies. */
import { followRun } from "./followRun.ts"
import { operationTable } from "./operations.ts"
import { type ClientOptions, send } from "./send.ts"
import type { OperationId, Operations, PlugfestClient, RequestOptions, RunReport } from "./types.ts"

export type { components, operations } from "./contract.ts"
export { type Expectation, expectConformant, NotConformant } from "./expectConformant.ts"
export { endingTypes } from "./followRun.ts"
export { PlugfestError } from "./PlugfestError.ts"
export type { ClientOptions } from "./send.ts"
export type {
  Assertion,
  Data,
  FollowOptions,
  Input,
  LedgerEvent,
  OperationId,
  Operations,
  PlugfestClient,
  RequestOptions,
  RunReport
} from "./types.ts"

/** Parts of an order as a caller gives them; the types of `Operations` say which an operation has. */
interface Parts {
  readonly path?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

const terminal: ReadonlyArray<RunReport["status"]> = ["completed", "failed", "cancelled"]

/** Makes a client. It holds no connection and needs no closing. */
export function plugfest(options: ClientOptions): PlugfestClient {
  const call = async (id: OperationId, parts: Parts = {}, asked: RequestOptions = {}) => {
    const [method, template] = operationTable[id]
    const path = template.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(parts.path?.[name])))
    const order = { operation: id, method, path: path + queryOf(parts.query), body: parts.body, ...asked }
    return await send(
      options,
      method === "POST" ? { ...order, idempotencyKey: asked.idempotencyKey ?? crypto.randomUUID() } : order,
      async ({ response }) => {
        const text = await response.text()
        return isEnvelope(text) ? JSON.parse(text).data : text
      }
    )
  }
  const groups: Record<string, Record<string, unknown>> = {}
  for (const id of Object.keys(operationTable) as ReadonlyArray<OperationId>) {
    const [group, name] = id.split(".") as [string, string]
    groups[group] = {
      ...groups[group],
      [name]: (parts?: Parts, asked?: RequestOptions) => call(id, parts, asked)
    }
  }
  const operations = groups as unknown as Operations // made from the table that its type is made from
  const endOfRun: PlugfestClient["endOfRun"] = async (id, asked = {}) => {
    let report = await operations.testing.run({ path: { id } }, asked)
    while (report.verdict === null && !terminal.includes(report.status)) {
      const query = { wait: "25", since: report.revision }
      report = await operations.testing.run({ path: { id: report._id }, query }, asked)
    }
    return report
  }
  return { ...operations, endOfRun, followRun: (runId, asked) => followRun(options, runId, asked) }
}

/** An export is a document of its own, without the envelope of the other answers. */
const isEnvelope = (text: string) => /^\{"success":true,/.test(text)

function queryOf(query: Parts["query"] = {}): string {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value))
  return given.size === 0 ? "" : `?${given}`
}
