/** Evidence that a test writes down by hand: calls of a partner, answers to our requests, and what was gathered of them. */
import type { Exchange } from "../../../schema/Exchange.ts"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import { type Gathered, makeEvidence, type Observation } from "../../../src/conformance/model/Evidence.ts"
import { now, party } from "./honestPartner.ts"

let made = 0
const exchange = (module: string, method: string, url: string, change: Partial<Exchange>): Exchange => {
  made += 1
  return {
    id: `exc_made_${made}`,
    direction: "inbound",
    module,
    operation: `${method} object`,
    request: { method, url, headers: {}, body: null, truncated: false },
    response: { httpStatus: 200, ocpiStatusCode: 1000, headers: {}, body: "{}", truncated: false },
    outcome: "completed",
    startedAt: new Date(Date.parse(now) + made).toISOString(),
    durationMs: 1,
    requestId: `r${made}`,
    correlationId: "c",
    ...change
  }
}

/** A call of the partner to `…/ocpi/2.2.1/{module}/{path}`; `answer` is `data` of our answer. */
export const called = (
  method: string,
  module: string,
  path: string,
  body: unknown,
  { answer, ...change }: Partial<Exchange> & { readonly answer?: unknown } = {}
): Observation => ({
  exchange: exchange(module, method, `https://us.example/ocpi/2.2.1/${module}${path}`, {
    response: {
      httpStatus: 200,
      ocpiStatusCode: 1000,
      headers: {},
      body: JSON.stringify({ data: answer, status_code: 1000 }),
      truncated: false
    },
    ...change
  }),
  json: body,
  about: ""
})

/** An answer of the partner with HTTP 200, status_code 1000 and this data. */
export const answered = (module: string, data: unknown, change: Partial<Exchange> = {}): Observation => ({
  exchange: exchange(module, "GET", `https://cpo.example/ocpi/2.2.1/${module}`, {
    direction: "outbound",
    ...change
  }),
  json: { data, status_code: 1000, timestamp: now },
  about: ""
})

/** Evidence of a run in that version, by the ids of probes and steps: what each saw, or all that was gathered of it. */
export const evidenceFrom = (
  gathered: Readonly<Record<string, ReadonlyArray<Observation> | Gathered>>,
  version: OcpiVersion = "2.2.1",
  of = party
) =>
  makeEvidence(
    {
      party: of,
      profile: profileOf(version),
      startedAt: now,
      trustedPrefixes: [],
      mark: "TST-000001",
      graceSeconds: 0,
      tokens: []
    },
    new Map(
      Object.entries(gathered).map(([id, one]): [string, Gathered] => [
        id,
        "seen" in one || "withheld" in one ? one : { seen: one }
      ])
    )
  )
