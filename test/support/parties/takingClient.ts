/** A client behind which every counterpart takes what it is sent: HTTP 200 and success, no data. */
import { Effect, Layer } from "effect"
import { type OcpiCall, OcpiClient } from "../../../src/ocpi/OcpiClient.ts"

export const takingClient = (onCall: (call: OcpiCall) => void = () => {}) =>
  Layer.succeed(OcpiClient, {
    intent: () => {
      throw new Error("nothing here asks for an intent")
    },
    exchange: (call) =>
      Effect.sync(() => {
        onCall(call)
        return {
          exchange: {
            id: call.exchangeId,
            direction: "outbound",
            module: call.module,
            operation: call.operation,
            request: { method: call.method, url: call.url, headers: {}, body: null, truncated: false },
            response: { httpStatus: 200, ocpiStatusCode: 1000, headers: {}, body: null, truncated: false },
            outcome: "completed",
            startedAt: "2026-01-01T00:00:00.000Z",
            durationMs: 1,
            requestId: call.requestId,
            correlationId: call.correlationId
          },
          body: undefined,
          json: undefined
        }
      })
  })
