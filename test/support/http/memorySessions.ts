/** Sessions in memory. Time goes on with the clock at hand, and by `later` for the contract of session stores. */
import { createHash } from "node:crypto"
import { Clock, Context, Effect, Layer, Option, Redacted } from "effect"
import type { KeyId } from "../../../schema/Ids.ts"
import { newId } from "../../../src/database/newId.ts"
import {
  codeMinutes,
  idleHours,
  maxSessions,
  type Session,
  SessionStore,
  sessionDays
} from "../../../src/store/accounts/SessionStore.ts"
import { makeSessionSecret } from "../../../src/store/secrets/sessionSecret.ts"

/** Lets so many seconds pass for all that the store has. */
export class Later extends Context.Tag("test/Later")<Later, (seconds: number) => Effect.Effect<void>>() {}

interface Row {
  readonly id: string
  readonly keyId: KeyId
  readonly expiresAt: number
  usedAt: number
}

export const sessionStore = Layer.effectContext(
  Effect.sync(() => {
    const sessions = new Map<string, Row>()
    const codes = new Map<string, { readonly keyId: KeyId; readonly expiresAt: number }>()
    let passed = 0
    const now = Effect.map(Clock.currentTimeMillis, (millis) => millis + passed)
    const hashOf = (secret: Redacted.Redacted<string>) =>
      createHash("sha256").update(Redacted.value(secret)).digest("hex")
    const isOpen = ({ expiresAt, usedAt }: Row, at: number) =>
      at < expiresAt && at < usedAt + idleHours * 3_600_000
    const shown = ({ expiresAt, id, keyId }: Row): Session => ({
      id,
      keyId,
      expiresAt: new Date(expiresAt).toISOString()
    })
    const found = (secret: Redacted.Redacted<string>, at: number) =>
      Option.filter(Option.fromNullable(sessions.get(hashOf(secret))), (row) => isOpen(row, at))

    const store = SessionStore.of({
      begin: (keyId) =>
        Effect.gen(function* () {
          const secret = yield* makeSessionSecret
          const at = yield* now
          const id = yield* newId("session")
          const row = { id, keyId, expiresAt: at + sessionDays * 86_400_000, usedAt: at }
          sessions.set(hashOf(secret), row)
          const ofKey = [...sessions].filter(([, one]) => one.keyId === keyId)
          for (const [hash] of ofKey.slice(0, Math.max(0, ofKey.length - maxSessions))) sessions.delete(hash)
          return { session: shown(row), secret }
        }),
      use: (secret) =>
        Effect.map(now, (at) =>
          Option.map(found(secret, at), (row) => {
            row.usedAt = at
            return shown(row)
          })
        ),
      end: (secret) =>
        Effect.map(now, (at) => {
          const row = found(secret, at)
          sessions.delete(hashOf(secret))
          return Option.map(row, shown)
        }),
      ended: (ids) =>
        Effect.map(now, (at) =>
          ids.filter((id) => ![...sessions.values()].some((row) => row.id === id && isOpen(row, at)))
        ),
      makeCode: (keyId) =>
        Effect.gen(function* () {
          const code = yield* makeSessionSecret
          const expiresAt = (yield* now) + codeMinutes * 60_000
          codes.set(hashOf(code), { keyId, expiresAt })
          return { code, expiresAt: new Date(expiresAt).toISOString() }
        }),
      useCode: (code) =>
        Effect.map(now, (at) => {
          const row = codes.get(hashOf(code))
          codes.delete(hashOf(code))
          return row !== undefined && at < row.expiresAt ? Option.some(row.keyId) : Option.none()
        }),
      prune: Effect.map(now, (at) => {
        for (const [hash, row] of sessions) if (!isOpen(row, at)) sessions.delete(hash)
        for (const [hash, { expiresAt }] of codes) if (expiresAt <= at) codes.delete(hash)
      })
    })
    const later = (seconds: number) =>
      Effect.sync(() => {
        passed += seconds * 1000
      })
    return Context.make(SessionStore, store).pipe(Context.add(Later, later))
  })
)
