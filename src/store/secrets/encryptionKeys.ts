/** The key-encryption keys: from the setting, or from a file that is made at the first start. */
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { Data, Effect, Redacted } from "effect"
import { fileMadeOnce } from "../../database/embedded/fileMadeOnce.ts"

/** The setting or the file is not a list of keys; names what is wrong and never a key. */
export class EncryptionKeysInvalid extends Data.TaggedError("EncryptionKeysInvalid")<{
  readonly message: string
}> {}

export interface EncryptionKey {
  readonly id: string
  /** 32 bytes. */
  readonly secret: Buffer
}

export type EncryptionKeys = readonly [EncryptionKey, ...ReadonlyArray<EncryptionKey>]

/** `keys` decoded, or those of `<dataDir>/encryption-keys` (mode 0600), which is made when it is not there. */
export const encryptionKeys = Effect.fn("SecretBox.keys")(function* (options: {
  readonly keys: Redacted.Redacted<string> | undefined
  readonly dataDir: string
}) {
  if (options.keys !== undefined) return yield* decode("ENCRYPTION_KEYS", Redacted.value(options.keys))
  const file = join(options.dataDir, "encryption-keys")
  const text = yield* Effect.tryPromise({
    try: () => fileMadeOnce(options.dataDir, file, () => `k1:${randomBytes(32).toString("base64")}\n`),
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
