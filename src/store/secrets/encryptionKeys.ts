/** The key-encryption keys: from the setting, or from a file that is created at the first start. */
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { Data, Effect, Redacted } from "effect"
import { secretOfDataDir } from "../../database/embedded/fileMadeOnce.ts"
import { traced } from "../../telemetry/traced.ts"

/** The setting or the file is not a list of keys. The message says what is wrong and never contains a key. */
export class EncryptionKeysInvalid extends Data.TaggedError("EncryptionKeysInvalid")<{
  readonly message: string
}> {}

/** A key-encryption key and the id by which sealed secrets name it. */
export interface EncryptionKey {
  readonly id: string
  /** 32 bytes. */
  readonly secret: Buffer
}

/** At least one key: the first seals, all open. */
type EncryptionKeys = readonly [EncryptionKey, ...ReadonlyArray<EncryptionKey>]

/**
 * The keys of the setting `keys`, or of `<dataDir>/encryption-keys` (mode 0600), which is created if it does not exist.
 */
export const encryptionKeys = traced("SecretBox.keys")(function* (options: {
  readonly keys: Redacted.Redacted<string> | undefined
  readonly dataDir: string
}) {
  if (options.keys !== undefined) return yield* decode("ENCRYPTION_KEYS", Redacted.value(options.keys))
  const file = join(options.dataDir, "encryption-keys")
  const text = yield* Effect.tryPromise({
    try: () =>
      secretOfDataDir(options.dataDir, "encryption-keys", () => `k1:${randomBytes(32).toString("base64")}\n`),
    catch: (error) => new EncryptionKeysInvalid({ message: `${file}: ${(error as Error).message}` })
  })
  return yield* decode(file, text)
})

function decode(source: string, text: string): Effect.Effect<EncryptionKeys, EncryptionKeysInvalid> {
  const keys: Array<EncryptionKey> = []
  for (const [index, entry] of text.trim().split(",").entries()) {
    const [, id, secret] = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/_-]+=*)$/.exec(entry.trim()) ?? []
    const bytes = Buffer.from(secret ?? "", "base64")
    if (id === undefined || bytes.length !== 32) {
      return invalid(`${source}: entry ${index + 1} is not <id>:<32 bytes in base64>`)
    }
    if (keys.some((key) => key.id === id)) return invalid(`${source}: the id ${id} is there twice`)
    keys.push({ id, secret: bytes })
  }
  const [first, ...others] = keys
  return first === undefined ? invalid(`${source}: no key`) : Effect.succeed([first, ...others])
}

const invalid = (message: string) => Effect.fail(new EncryptionKeysInvalid({ message }))
