/** Exchanges to ask about. */
import type { Exchange, ExchangeResponse } from "../../../schema/Exchange.ts"

const request: Exchange["request"] = {
  method: "GET",
  url: "https://partner.example/ocpi/locations?limit=2",
  headers: { "x-request-id": "r-1" },
  body: null,
  truncated: false
}

const base: Exchange = {
  id: "x-1",
  direction: "outbound",
  module: "locations",
  operation: "list",
  request,
  response: null,
  outcome: "completed",
  startedAt: "2026-01-01T00:00:00Z",
  durationMs: 5,
  requestId: "r-1",
  correlationId: "c-1"
}

/** Answered with this; `body` is written as JSON unless it is text. */
export const answered = (
  part: Partial<Omit<ExchangeResponse, "body">> & { readonly body?: unknown }
): Exchange => {
  const { body, ...rest } = part
  const text = body === undefined ? null : typeof body === "string" ? body : JSON.stringify(body)
  const code = (body as { status_code?: unknown } | undefined)?.status_code
  return {
    ...base,
    response: {
      httpStatus: 200,
      ocpiStatusCode: typeof code === "number" ? code : null,
      headers: {},
      truncated: false,
      ...rest,
      body: text
    }
  }
}

/** In an envelope that says success. */
export const answeredData = (data: unknown): Exchange =>
  answered({ body: { data, status_code: 1000, timestamp: "2026-01-01T00:00:00Z" } })

export const withHeaders = (headers: Readonly<Record<string, string>>): Exchange => answered({ headers })

export const unanswered: Exchange = {
  ...base,
  outcome: "timed_out",
  fault: { kind: "timeout", message: "no answer within 30 seconds" }
}

/** A call that came in, with this body. */
export const inbound = (body: unknown): Exchange => ({
  ...base,
  direction: "inbound",
  request: { ...request, method: "PUT", body: JSON.stringify(body) }
})
