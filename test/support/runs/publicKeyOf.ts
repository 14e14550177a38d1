/** The public half of a signing key. */
import { createPrivateKey, createPublicKey } from "node:crypto"
import { Redacted } from "effect"

/** As PEM, from the text of SIGNING_KEYS. */
export const publicKeyOf = (keys: Redacted.Redacted<string>): string =>
  createPublicKey(
    createPrivateKey({ key: Buffer.from(Redacted.value(keys), "base64"), format: "der", type: "pkcs8" })
  )
    .export({ type: "spki", format: "pem" })
    .toString()
