/** What every SessionStore promises. */
import { assert, layer } from "@effect/vitest"
import { Effect, type Layer, Option, Redacted } from "effect"
import { KeyId } from "../../schema/Ids.ts"
import {
  codeMinutes,
  idleHours,
  maxSessions,
  SessionStore,
  sessionDays
} from "../../src/store/accounts/SessionStore.ts"
import { Later } from "../support/http/memorySessions.ts"

const hour = 3600
const day = 24 * hour
const of = (name: string) => KeyId.make(`key_${name}`)

/** The tests, for an implementation that comes with `Later`. */
export const sessionStoreContract = (name: string, implementation: Layer.Layer<SessionStore | Later>) =>
  layer(implementation, { excludeTestServices: true })(name, (it) => {
    it.effect("knows a session by its secret, and nothing by another one", () =>
      Effect.gen(function* () {
        const { begin, use } = yield* SessionStore
        const { secret, session } = yield* begin(of("known"))
        assert.match(session.id, /^ses_a[0-9a-f]{32}$/)
        assert.deepStrictEqual(yield* use(secret), Option.some(session))
        const text = Redacted.value(secret)
        for (const other of [
          "",
          "x",
          text.slice(1),
          `${text}x`,
          text.toUpperCase(),
          `${text.slice(0, -1)}\0`,
          session.id
        ])
          assert.deepStrictEqual(yield* use(Redacted.make(other)), Option.none(), other)
      })
    )

    it.effect("makes a new secret and a new id for each session", () =>
      Effect.gen(function* () {
        const { begin } = yield* SessionStore
        const begun = yield* Effect.replicateEffect(begin(of("many")), 20)
        assert.strictEqual(new Set(begun.map(({ secret }) => Redacted.value(secret))).size, 20)
        assert.strictEqual(new Set(begun.map(({ session }) => session.id)).size, 20)
      })
    )

    it.effect("ends a session once, and it alone", () =>
      Effect.gen(function* () {
        const { begin, end, ended, use } = yield* SessionStore
        const [one, other] = [yield* begin(of("ends")), yield* begin(of("ends"))]
        assert.deepStrictEqual(yield* end(one.secret), Option.some(one.session))
        assert.deepStrictEqual(yield* end(one.secret), Option.none())
        assert.deepStrictEqual(yield* use(one.secret), Option.none())
        assert.isTrue(Option.isSome(yield* use(other.secret)))
        assert.deepStrictEqual(yield* ended([one.session.id, other.session.id, "ses_unknown"]), [
          one.session.id,
          "ses_unknown"
        ])
        assert.deepStrictEqual(yield* end(Redacted.make("malformed")), Option.none())
      })
    )

    it.effect(`ends a session that was not used for ${idleHours} hours, and none that was`, () =>
      Effect.gen(function* () {
        const later = yield* Later
        const { begin, end, ended, use } = yield* SessionStore
        const [idle, used] = [yield* begin(of("idle")), yield* begin(of("idle"))]
        yield* later((idleHours - 1) * hour)
        assert.isTrue(Option.isSome(yield* use(used.secret)))
        yield* later(hour + 1)
        assert.deepStrictEqual(yield* use(idle.secret), Option.none())
        assert.deepStrictEqual(yield* ended([idle.session.id, used.session.id]), [idle.session.id])
        assert.deepStrictEqual(yield* end(idle.secret), Option.none(), "it has ended by itself")
        assert.isTrue(Option.isSome(yield* use(used.secret)))
      })
    )

    it.effect(`ends a session after ${sessionDays} days, however much it was used`, () =>
      Effect.gen(function* () {
        const later = yield* Later
        const { begin, use } = yield* SessionStore
        const { secret } = yield* begin(of("old"))
        for (let passed = 0; passed < sessionDays * 24 - 8; passed += 8) {
          yield* later(8 * hour)
          assert.isTrue(Option.isSome(yield* use(secret)), `after ${passed + 8} hours`)
        }
        yield* later(8 * hour)
        assert.deepStrictEqual(yield* use(secret), Option.none())
      })
    )

    it.effect(`keeps the newest ${maxSessions} of a key`, () =>
      Effect.gen(function* () {
        const { begin, use } = yield* SessionStore
        const other = yield* begin(of("few"))
        const first = yield* begin(of("full"))
        const second = yield* begin(of("full"))
        yield* Effect.replicateEffect(begin(of("full")), maxSessions - 1)
        assert.deepStrictEqual(yield* use(first.secret), Option.none())
        assert.isTrue(Option.isSome(yield* use(second.secret)))
        assert.isTrue(Option.isSome(yield* use(other.secret)))
      })
    )

    it.effect("gives the key of a code once, to one of many who use it at once", () =>
      Effect.gen(function* () {
        const { makeCode, useCode } = yield* SessionStore
        const { code } = yield* makeCode(of("code"))
        const got = yield* Effect.all(
          Array.from({ length: 20 }, () => useCode(code)),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(got.filter(Option.isSome), [Option.some(of("code"))])
        assert.deepStrictEqual(yield* useCode(code), Option.none())
        assert.deepStrictEqual(yield* useCode(Redacted.make("malformed")), Option.none())
      })
    )

    it.effect(
      `takes no code that is older than ${codeMinutes} minutes, and no secret of a session for one`,
      () =>
        Effect.gen(function* () {
          const later = yield* Later
          const { begin, makeCode, use, useCode } = yield* SessionStore
          const { code } = yield* makeCode(of("late"))
          const { secret } = yield* begin(of("late"))
          assert.deepStrictEqual(yield* useCode(secret), Option.none())
          assert.deepStrictEqual(yield* use(code), Option.none())
          yield* later(codeMinutes * 60)
          assert.deepStrictEqual(yield* useCode(code), Option.none())
        })
    )

    it.effect("prunes what has ended, and nothing else", () =>
      Effect.gen(function* () {
        const later = yield* Later
        const { begin, makeCode, prune, use, useCode } = yield* SessionStore
        yield* begin(of("pruned"))
        yield* later(sessionDays * day)
        const { secret } = yield* begin(of("stays"))
        const { code } = yield* makeCode(of("stays"))
        yield* prune
        assert.isTrue(Option.isSome(yield* use(secret)))
        assert.deepStrictEqual(yield* useCode(code), Option.some(of("stays")))
      })
    )
  })
