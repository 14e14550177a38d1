/** The keys that sign exports: from the setting, or from a file that is created at the first start. */
import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto"
import { join } from "node:path"
import { Context, Data, Effect, Layer, Redacted } from "effect"
import { secretOfDataDir } from "../../database/embedded/fileMadeOnce.ts"

/** The setting or the file is not a list of Ed25519 keys. The message says what is wrong and never contains a key. */
class SigningKeysInvalid extends Data.TaggedError("SigningKeysInvalid")<{
  readonly message: string
}> {}

/** The Ed25519 keys of this service. */
export class SigningKeys extends Context.Tag("store/SigningKeys")<
  SigningKeys,
  {
    /** Private keys: the first one signs; the public halves of all are published. */
    readonly keys: readonly [KeyObject, ...ReadonlyArray<KeyObject>]
  }
>() {
  /** `keys`: PKCS#8 (DER) in base64, separated by commas; unset: generated into `<dataDir>/signing-keys` (mode 0600). */
  static readonly layer = (options: {
    readonly keys: Redacted.Redacted<string> | undefined
    readonly dataDir: string
  }): Layer.Layer<SigningKeys, SigningKeysInvalid> =>
    Layer.effect(
      SigningKeys,
      Effect.gen(function* () {
        if (options.keys !== undefined)
          return { keys: yield* decode("SIGNING_KEYS", Redacted.value(options.keys)) }
        const file = join(options.dataDir, "signing-keys")
        const text = yield* Effect.tryPromise({
          try: () => secretOfDataDir(options.dataDir, "signing-keys", () => `${freshKey()}\n`),
          catch: (error) => new SigningKeysInvalid({ message: `${file}: ${(error as Error).message}` })
        })
        return { keys: yield* decode(file, text) }
      })
    )
}

function freshKey(): string {
  return generateKeyPairSync("ed25519").privateKey.export({ format: "der", type: "pkcs8" }).toString("base64")
}

function decode(
  source: string,
  text: string
): Effect.Effect<SigningKeys["Type"]["keys"], SigningKeysInvalid> {
  const keys: Array<KeyObject> = []
  for (const [index, entry] of text.trim().split(",").entries()) {
    const key = keyOf(entry.trim())
    if (key === undefined) {
      const message = `${source}: entry ${index + 1} is no Ed25519 private key (PKCS#8 DER in base64)`
      return new SigningKeysInvalid({ message })
    }
    keys.push(key)
  }
  const [first, ...others] = keys
  return first === undefined
    ? new SigningKeysInvalid({ message: `${source}: the list contains no key` })
    : Effect.succeed([first, ...others])
}

function keyOf(base64: string): KeyObject | undefined {
  try {
    const key = createPrivateKey({ key: Buffer.from(base64, "base64"), format: "der", type: "pkcs8" })
    return key.asymmetricKeyType === "ed25519" ? key : undefined
  } catch {
    return undefined
  }
}
