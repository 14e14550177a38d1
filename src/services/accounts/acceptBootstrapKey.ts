/** BOOTSTRAP_API_KEY, stored when the service starts. */
import { Clock, Effect, type Redacted } from "effect"
import { KeyStore } from "../../store/accounts/KeyStore.ts"
import { traced } from "../../telemetry/traced.ts"

/** Accepts the key from now on. A key that was revoked or has expired stays refused, and the log says so. */
export const acceptBootstrapKey = traced("acceptBootstrapKey")(function* (key: Redacted.Redacted<string>) {
  const { _id, expiresAt, revokedAt } = yield* (yield* KeyStore).ensureBootstrap(key)
  const now = yield* Clock.currentTimeMillis
  const end = revokedAt ?? expiresAt
  if (end === null) return
  const what =
    revokedAt !== null
      ? `was revoked ${end} and stays refused`
      : Date.parse(end) <= now
        ? `expired ${end} and stays refused`
        : `expires ${end}`
  yield* Effect.logWarning(
    `The key of BOOTSTRAP_API_KEY (${_id}) ${what}. Set another one, or leave the setting out.`
  )
})
