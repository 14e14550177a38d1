/**
 * Sessions of the console, and one-time codes that begin one. Of both only a hash is stored. A session ends when it was not
 * used for 12 hours, and 7 days after its beginning; whether its API key is still valid, `KeyStore` says.
 */
import { Context, Effect, Layer, Option, Redacted } from "effect"
import type { KeyId } from "../../../schema/Ids.ts"
import { Database } from "../../database/Database.ts"
import { newId } from "../../database/newId.ts"
import { traced } from "../../telemetry/traced.ts"
import { hashOf } from "../secrets/apiKey.ts"
import { isSessionSecret, makeSessionSecret } from "../secrets/sessionSecret.ts"

/** Hours without use after which a session ends. */
export const idleHours = 12
/** Days after which a session ends, however much it is used. */
export const sessionDays = 7
/** Minutes for which a code can be used. */
export const codeMinutes = 10
/** Sessions of one key; one more ends the oldest. */
export const maxSessions = 100

/** A session that has not ended. */
export interface Session {
  /** `ses_…`; not the secret. */
  readonly id: string
  readonly keyId: KeyId
  /** ISO 8601 UTC: when it ends at the latest. */
  readonly expiresAt: string
}

/** A session just begun: the only time that its secret is known. */
interface BegunSession {
  readonly session: Session
  readonly secret: Redacted.Redacted<string>
}

/** A code just made: the only time that its text is known. */
interface MadeCode {
  readonly code: Redacted.Redacted<string>
  /** ISO 8601 UTC. */
  readonly expiresAt: string
}

/** The sessions. Dies with `DatabaseDown` while Postgres is away. */
export class SessionStore extends Context.Tag("store/SessionStore")<
  SessionStore,
  {
    /** Begins a session of that key; the oldest beyond `maxSessions` end. */
    readonly begin: (keyId: KeyId) => Effect.Effect<BegunSession>
    /** The session with this secret, and notes its use; none when the secret is malformed or unknown, or the session has ended. */
    readonly use: (secret: Redacted.Redacted<string>) => Effect.Effect<Option.Option<Session>>
    /** Ends the session with this secret and returns it; none when there is none that has not ended. */
    readonly end: (secret: Redacted.Redacted<string>) => Effect.Effect<Option.Option<Session>>
    /** Those of the sessions that have ended, by the database's present state. */
    readonly ended: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>>
    /** A code that begins one session of that key, within `codeMinutes`. */
    readonly makeCode: (keyId: KeyId) => Effect.Effect<MadeCode>
    /** The key of the code; none when the code is unknown, used or too old. Of any number of uses, in all processes, one gets it. */
    readonly useCode: (code: Redacted.Redacted<string>) => Effect.Effect<Option.Option<KeyId>>
    /** Removes sessions and codes that have ended. */
    readonly prune: Effect.Effect<void>
  }
>() {
  static readonly layer: Layer.Layer<SessionStore, never, Database> = Layer.effect(
    SessionStore,
    Effect.gen(function* () {
      const { query } = yield* Database

      const begin = traced("SessionStore.begin")(function* (keyId: KeyId) {
        const secret = yield* makeSessionSecret
        const rows = yield* query<Row>({
          text: `WITH beyond AS (
                   DELETE FROM session WHERE id IN
                     (SELECT id FROM session WHERE key_id = $3 ORDER BY id DESC OFFSET ${maxSessions - 1})
                 )
                 INSERT INTO session (id, hash, key_id, expires_at)
                 VALUES ($1, $2, $3, clock_timestamp() + interval '${sessionDays} days') RETURNING *`,
          values: [yield* newId("session"), hashOf(Redacted.value(secret)), keyId]
        })
        return { session: sessionOf(rows[0]!), secret }
      })

      const use = traced("SessionStore.use")(function* (secret: Redacted.Redacted<string>) {
        const text = Redacted.value(secret)
        if (!isSessionSecret(text)) return Option.none()
        const rows = yield* query<Row>({
          name: "session_use",
          text: `WITH used AS (
                   UPDATE session SET last_used_at = clock_timestamp()
                   WHERE hash = $1 AND ${isOpen} AND last_used_at < clock_timestamp() - interval '1 minute'
                 )
                 SELECT * FROM session WHERE hash = $1 AND ${isOpen}`,
          values: [hashOf(text)]
        })
        return Option.map(Option.fromNullable(rows[0]), sessionOf)
      })

      const end = traced("SessionStore.end")(function* (secret: Redacted.Redacted<string>) {
        const text = Redacted.value(secret)
        if (!isSessionSecret(text)) return Option.none()
        const rows = yield* query<Row & { readonly open: boolean }>({
          text: `DELETE FROM session WHERE hash = $1 RETURNING *, ${isOpen} AS open`,
          values: [hashOf(text)]
        })
        return Option.fromNullable(rows[0]).pipe(
          Option.filter(({ open }) => open),
          Option.map(sessionOf)
        )
      })

      const ended = traced("SessionStore.ended")(function* (ids: ReadonlyArray<string>) {
        const rows = yield* query<{ readonly id: string }>({
          name: "session_ended",
          text: `SELECT wanted.id FROM unnest($1::text[]) wanted(id)
                 WHERE NOT EXISTS (SELECT FROM session s WHERE s.id = wanted.id AND ${isOpen})`,
          values: [ids]
        })
        return rows.map(({ id }) => id)
      })

      const makeCode = traced("SessionStore.makeCode")(function* (keyId: KeyId) {
        const code = yield* makeSessionSecret
        const rows = yield* query<{ readonly expires_at: Date }>({
          text: `INSERT INTO sign_in_code (hash, key_id, expires_at)
                 VALUES ($1, $2, date_trunc('milliseconds', clock_timestamp()) + interval '${codeMinutes} minutes')
                 RETURNING expires_at`,
          values: [hashOf(Redacted.value(code)), keyId]
        })
        return { code, expiresAt: rows[0]!.expires_at.toISOString() }
      })

      const useCode = traced("SessionStore.useCode")(function* (code: Redacted.Redacted<string>) {
        const text = Redacted.value(code)
        if (!isSessionSecret(text)) return Option.none()
        // The row's lock makes one of several uses the first: the others find no row.
        const rows = yield* query<{ readonly key_id: KeyId; readonly good: boolean }>({
          text: `DELETE FROM sign_in_code WHERE hash = $1 RETURNING key_id, expires_at > clock_timestamp() AS good`,
          values: [hashOf(text)]
        })
        return Option.fromNullable(rows[0]).pipe(
          Option.filter(({ good }) => good),
          Option.map(({ key_id }) => key_id)
        )
      })

      const prune = Effect.zipRight(
        query({ text: `DELETE FROM session WHERE NOT (${isOpen})` }),
        query({ text: "DELETE FROM sign_in_code WHERE expires_at <= clock_timestamp()" })
      ).pipe(Effect.asVoid)

      return SessionStore.of({ begin, use, end, ended, makeCode, useCode, prune })
    })
  )
}

/** SQL: whether a row of `session` has not ended. */
const isOpen = `(expires_at > clock_timestamp() AND last_used_at > clock_timestamp() - interval '${idleHours} hours')`

interface Row {
  readonly id: string
  readonly key_id: KeyId
  readonly expires_at: Date
}

const sessionOf = ({ expires_at, id, key_id }: Row): Session => ({
  id,
  keyId: key_id,
  expiresAt: expires_at.toISOString()
})
