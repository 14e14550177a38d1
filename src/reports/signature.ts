/** Signs and verifies DSSE envelopes with Ed25519. Pure; the caller provides the keys. */
import { createHash, createPublicKey, type KeyObject, sign, verify } from "node:crypto"
import type { SignedEnvelope } from "../../schema/ledger/LedgerDocument.ts"

/** An Ed25519 private key with the id of its public key. */
export interface SigningKey {
  readonly id: string
  readonly privateKey: KeyObject
}

/** An Ed25519 public key as a JWK (RFC 8037); `kid` is its thumbprint (RFC 7638). */
interface PublicJwk {
  readonly kty: "OKP"
  readonly crv: "Ed25519"
  readonly x: string
  readonly kid: string
  readonly alg: "EdDSA"
  readonly use: "sig"
}

/** Signs a text: an envelope with one signature. */
export const signedEnvelope = (payloadType: string, text: string, key: SigningKey): SignedEnvelope => {
  const payload = Buffer.from(text, "utf8")
  const signature = sign(null, signedBytes(payloadType, payload), key.privateKey)
  return {
    payloadType,
    payload: payload.toString("base64"),
    signatures: [{ keyid: key.id, sig: signature.toString("base64") }]
  }
}

/** Whether one of the signatures was made by this key over this payload. Ignores key ids, which are only hints. */
export const isSignedBy = ({ payload, payloadType, signatures }: SignedEnvelope, key: KeyObject): boolean => {
  const bytes = signedBytes(payloadType, Buffer.from(payload, "base64"))
  return signatures.some(({ sig }) => verify(null, bytes, key, Buffer.from(sig, "base64")))
}

/** The JWK of a public key, or of the public key that belongs to a private one. */
export const publicJwk = (key: KeyObject): PublicJwk => {
  const { x = "" } = (key.type === "private" ? createPublicKey(key) : key).export({ format: "jwk" })
  const kid = createHash("sha256").update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest("base64url")
  return { kty: "OKP", crv: "Ed25519", x, kid, alg: "EdDSA", use: "sig" }
}

/** The signed bytes (DSSE pre-authentication encoding): type and payload with their lengths, so that they are unambiguous. */
function signedBytes(payloadType: string, payload: Buffer): Buffer {
  const head = `DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${payload.length} `
  return Buffer.concat([Buffer.from(head, "utf8"), payload])
}
