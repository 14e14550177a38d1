/** The text of a session's cookie and of a one-time code: 32 random bytes as base64url, 43 characters. */
import { randomBytes } from "node:crypto"
import { Effect, Redacted } from "effect"

/** A new secret. */
export const makeSessionSecret: Effect.Effect<Redacted.Redacted<string>> = Effect.sync(() =>
  Redacted.make(randomBytes(32).toString("base64url"))
)

/** Whether the text has the form of such a secret. Needs no database. */
export const isSessionSecret = (text: string): boolean => /^[\w-]{43}$/.test(text)
