import { randomUUID } from "node:crypto"
import { Effect } from "effect"

/** A random UUID (36 characters), for X-Request-ID, X-Correlation-ID and authorization references. */
export const freshUuid: Effect.Effect<string> = Effect.sync(() => randomUUID())
