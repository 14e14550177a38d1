import { randomUUID } from "node:crypto"
import { Effect } from "effect"

/** A random UUID (36 characters), for X-Request-ID, X-Correlation-ID and authorization references. */
export const freshUuid: Effect.Effect<string> = Effect.sync(() => randomUUID())

/** The message ids of a request, by its headers (names in lower case); those that it lacks are made up. */
export const messageIdsOf = (headers: Readonly<Record<string, string>>) => ({
  requestId: headers["x-request-id"] ?? randomUUID(),
  correlationId: headers["x-correlation-id"] ?? randomUUID()
})
