/** Answered exchanges to ask about. */
import type { ExchangeResponse } from "../../../schema/Exchange.ts"
import type { AnsweredExchange } from "../../../src/findings/answers.ts"

/** Answered HTTP 200 with this body, unless `part` says otherwise. */
export const answered = (json?: unknown, part: Partial<ExchangeResponse> = {}): AnsweredExchange => {
  const response: ExchangeResponse = {
    httpStatus: 200,
    ocpiStatusCode: null,
    headers: {},
    truncated: false,
    body: json === undefined ? null : JSON.stringify(json),
    ...part
  }
  return {
    json,
    response,
    about: "",
    exchange: {
      id: "x-1",
      direction: "outbound",
      module: "locations",
      operation: "list",
      request: {
        method: "GET",
        url: "https://partner.example/ocpi/locations?limit=2",
        headers: {},
        body: null,
        truncated: false
      },
      response,
      outcome: "completed",
      startedAt: "2026-01-01T00:00:00Z",
      durationMs: 5,
      requestId: "r-1",
      correlationId: "c-1"
    }
  }
}

/** In an envelope with this status code. */
export const coded = (status_code: unknown, httpStatus = 200, data?: unknown): AnsweredExchange =>
  answered({ status_code, data, timestamp: "2026-01-01T00:00:00Z" }, { httpStatus })
