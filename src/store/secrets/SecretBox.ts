/**
 * Encryption of partners' secrets at rest: AES-256-GCM with a data key for each secret, wrapped by a key-encryption key.
 * Record, field and key id are authenticated, so a ciphertext moved to another row does not open.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto"
import { Context, Data, Effect, Layer, Redacted } from "effect"
import { type EncryptionKey, type EncryptionKeysInvalid, encryptionKeys } from "./encryptionKeys.ts"

/** The ciphertext was changed or moved, or its key is not configured. Reveals nothing of the content. */
class SecretUnreadable extends Data.TaggedError("SecretUnreadable")<{ readonly message: string }> {}

/** Where a secret is kept. */
export interface SecretPlace {
  /** E.g. `party:conn_…`. */
  readonly record: string
  /** E.g. `token:outbound`. */
  readonly field: string
}

/** Seals and opens secrets, each for one place. */
export class SecretBox extends Context.Tag("store/SecretBox")<
  SecretBox,
  {
    /** Returns ASCII text for a column; a different one each time. */
    readonly seal: (place: SecretPlace, secret: Redacted.Redacted<string>) => Effect.Effect<string>
    readonly open: (
      place: SecretPlace,
      sealed: string
    ) => Effect.Effect<Redacted.Redacted<string>, SecretUnreadable>
    /** Was it sealed with the first key? If not, rotation opens and seals it again. */
    readonly isCurrent: (sealed: string) => boolean
    /** A digest that nobody without the first key can foresee, in base64url. Another one when the keys are changed. */
    readonly digest: (text: string) => string
  }
>() {
  /**
   * `keys`: `k2:base64,k1:base64`, where the first seals and all open; unset: generated into `<dataDir>/encryption-keys`.
   */
  static readonly layer = (options: {
    readonly keys: Redacted.Redacted<string> | undefined
    readonly dataDir: string
  }): Layer.Layer<SecretBox, EncryptionKeysInvalid> =>
    Layer.effect(SecretBox, Effect.map(encryptionKeys(options), make))
}

function make(
  keys: readonly [EncryptionKey, ...ReadonlyArray<EncryptionKey>]
): Context.Tag.Service<SecretBox> {
  const [writing] = keys
  return {
    seal: (place, secret) =>
      Effect.sync(() => {
        const bound = associated(place, writing.id)
        const dataKey = randomBytes(32)
        const wrapped = encrypt(writing.secret, bound, dataKey)
        const content = encrypt(dataKey, bound, Buffer.from(Redacted.value(secret), "utf8"))
        return [version, writing.id, wrapped.toString("base64url"), content.toString("base64url")].join(".")
      }),
    open: (place, sealed) => {
      const [form, id, wrapped, content, ...rest] = sealed.split(".")
      if (form !== version || !id || !wrapped || !content || rest.length > 0)
        return unreadable(place, "not a sealed secret")
      const key = keys.find((candidate) => candidate.id === id)
      if (key === undefined)
        return unreadable(place, `encryption key ${JSON.stringify(id)} is not configured`)
      return Effect.try({
        try: () => {
          const bound = associated(place, id)
          const dataKey = decrypt(key.secret, bound, Buffer.from(wrapped, "base64url"))
          return Redacted.make(decrypt(dataKey, bound, Buffer.from(content, "base64url")).toString("utf8"))
        },
        catch: () => failure(place, "it was changed or moved, or its key is another one")
      })
    },
    isCurrent: (sealed) => sealed.startsWith(`${version}.${writing.id}.`),
    digest: (text) => createHmac("sha256", writing.secret).update(text).digest("base64url")
  }
}

const version = "v1"
const ivBytes = 12
const tagBytes = 16

// JSON, so that two different pairs of record and field never give the same bytes.
const associated = (place: SecretPlace, keyId: string) =>
  Buffer.from(JSON.stringify([version, place.record, place.field, keyId]))

function encrypt(key: Buffer, bound: Buffer, content: Buffer): Buffer {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv("aes-256-gcm", key, iv, { authTagLength: tagBytes }).setAAD(bound)
  const encrypted = Buffer.concat([cipher.update(content), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), encrypted])
}

function decrypt(key: Buffer, bound: Buffer, sealed: Buffer): Buffer {
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, ivBytes), {
    authTagLength: tagBytes
  })
  decipher.setAAD(bound).setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes))
  return Buffer.concat([decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()])
}

const failure = (place: SecretPlace, why: string) =>
  new SecretUnreadable({ message: `The secret ${place.field} of ${place.record} cannot be read: ${why}` })

const unreadable = (place: SecretPlace, why: string) => Effect.fail(failure(place, why))
