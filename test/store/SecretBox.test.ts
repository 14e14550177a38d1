import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SecretBox } from "../../src/store/secrets/SecretBox.ts"

const k1 = `k1:${Buffer.alloc(32, 1).toString("base64")}`
const k2 = `k2:${Buffer.alloc(32, 2).toString("base64")}`
const place = { record: "party:conn_1", field: "token:outbound" }
const secret = Redacted.make("s3cret-token-Ä")

const box = (keys: string) =>
  Effect.provide(SecretBox, SecretBox.layer({ keys: Redacted.make(keys), dataDir: "/nowhere" }))

describe("SecretBox", () => {
  it.effect("opens what it sealed", () =>
    Effect.gen(function* () {
      const { open, seal } = yield* box(k1)
      const opened = yield* open(place, yield* seal(place, secret))
      assert.strictEqual(Redacted.value(opened), "s3cret-token-Ä")
    })
  )

  it.effect("never seals to the same text twice", () =>
    Effect.gen(function* () {
      const { seal } = yield* box(k1)
      assert.notStrictEqual(yield* seal(place, secret), yield* seal(place, secret))
    })
  )

  it.effect("refuses a text with any one character changed, and names no content", () =>
    Effect.gen(function* () {
      const { open, seal } = yield* box(k1)
      const sealed = yield* seal(place, secret)
      const parts = sealed.split(".")
      // In the wrapped key and in the content: every byte is under a tag. (A last character may carry unused bits.)
      for (const part of [2, 3]) {
        for (let at = 0; at < parts[part]!.length - 1; at++) {
          const text = parts[part]!
          const changed = parts.with(
            part,
            text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1)
          )
          const error = yield* Effect.flip(open(place, changed.join(".")))
          assert.strictEqual(error._tag, "SecretUnreadable")
          assert.notInclude(error.message, "s3cret")
        }
      }
    })
  )

  it.effect("refuses a text that was moved to another record or field", () =>
    Effect.gen(function* () {
      const { open, seal } = yield* box(k1)
      const sealed = yield* seal(place, secret)
      for (const other of [
        { ...place, record: "party:conn_2" },
        { ...place, field: "token:issued" }
      ]) {
        assert.strictEqual((yield* Effect.flip(open(other, sealed)))._tag, "SecretUnreadable")
      }
    })
  )

  it.effect("reads with every key and writes with the first", () =>
    Effect.gen(function* () {
      const old = yield* (yield* box(k1)).seal(place, secret)
      const rotated = yield* box(`${k2},${k1}`)
      assert.strictEqual(Redacted.value(yield* rotated.open(place, old)), Redacted.value(secret))
      assert.isFalse(rotated.isCurrent(old))
      assert.isTrue(rotated.isCurrent(yield* rotated.seal(place, secret)))
    })
  )

  it.effect("says which key is missing when an old one was taken away", () =>
    Effect.gen(function* () {
      const sealed = yield* (yield* box(k1)).seal(place, secret)
      const error = yield* Effect.flip((yield* box(k2)).open(place, sealed))
      assert.include(error.message, `"k1" is not configured`)
    })
  )

  it.effect("refuses a setting with a short key without repeating it", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(box("k1:c2hvcnQ="))
      assert.strictEqual(error._tag, "EncryptionKeysInvalid")
      assert.notInclude(error.message, "c2hvcnQ")
    })
  )

  it.effect("makes a key file of its own, once, that only its owner reads", () =>
    Effect.gen(function* () {
      const dataDir = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "plugfest-keys-"))),
        (path) => Effect.sync(() => rmSync(path, { recursive: true }))
      )
      const made = Effect.provide(SecretBox, SecretBox.layer({ keys: undefined, dataDir }))
      const boxes = yield* Effect.all([made, made, made], { concurrency: 3 })
      const sealed = yield* boxes[0].seal(place, secret)
      for (const { open } of boxes)
        assert.strictEqual(Redacted.value(yield* open(place, sealed)), "s3cret-token-Ä")
      const file = join(dataDir, "encryption-keys")
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      assert.match(readFileSync(file, "utf8"), /^k1:/)
    }).pipe(Effect.scoped)
  )
})
