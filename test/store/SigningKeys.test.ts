import { generateKeyPairSync } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { publicJwk } from "../../src/reports/signature.ts"
import { SigningKeys } from "../../src/store/secrets/SigningKeys.ts"

const keysOf = (keys: string | undefined, dataDir = "/nowhere") =>
  Effect.provide(
    Effect.map(SigningKeys, (signing) => signing.keys),
    SigningKeys.layer({ keys: keys === undefined ? undefined : Redacted.make(keys), dataDir })
  )
const fresh = () => generateKeyPairSync("ed25519").privateKey
const textOf = (key: ReturnType<typeof fresh>) =>
  key.export({ format: "der", type: "pkcs8" }).toString("base64")

describe("SigningKeys", () => {
  it.effect("signs with the first key of the setting and publishes all", () =>
    Effect.gen(function* () {
      const given = [fresh(), fresh()]
      const keys = yield* keysOf(given.map(textOf).join(","))
      assert.deepStrictEqual(keys.map(publicJwk), given.map(publicJwk))
    })
  )

  it.effect("refuses what is no Ed25519 key, naming the entry and never the key", () =>
    Effect.gen(function* () {
      const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey
      const wrong = rsa.export({ format: "der", type: "pkcs8" }).toString("base64")
      const { message } = yield* Effect.flip(keysOf(`${textOf(fresh())},${wrong}`))
      assert.include(message, "SIGNING_KEYS: entry 2")
      assert.notInclude(message, wrong.slice(0, 20))
    })
  )

  it.live("makes a key for itself once, which others cannot read, also of several starts at once", () =>
    Effect.gen(function* () {
      const dataDir = mkdtempSync(join(tmpdir(), "plugfest-keys-"))
      const made = yield* Effect.all(
        Array.from({ length: 5 }, () => keysOf(undefined, dataDir)),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(new Set(made.map(([key]) => publicJwk(key).kid)), 1)
      const file = join(dataDir, "signing-keys")
      assert.strictEqual(statSync(file).mode & 0o777, 0o600)
      assert.isNotEmpty(readFileSync(file, "utf8"))
      rmSync(dataDir, { recursive: true })
    })
  )
})
