import { randomUUID } from "node:crypto"
import { Effect } from "effect"

/** For X-Request-ID, X-Correlation-ID and authorization references: a random UUID (36 characters). */
export const freshUuid: Effect.Effect<string> = Effect.sync(() => randomUUID())
