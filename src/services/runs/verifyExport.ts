/** Verifies an exported ledger without a server: signature, hash chain, states and report. */
import { createPublicKey, type KeyObject } from "node:crypto"
import { Either, Schema } from "effect"
import { Invalid } from "../../../schema/Errors.ts"
import { firstIssueOf } from "../../../schema/fields/issues.ts"
import {
  LedgerDocument,
  type LedgerVerification,
  SignedEnvelope,
  signedLedgerType
} from "../../../schema/ledger/LedgerDocument.ts"
import { recompute } from "../../ledger/run/ledgerDocument.ts"
import { isSignedBy, publicJwk } from "../../reports/signature.ts"
import { kindOf } from "./runKinds.ts"

/**
 * Verifies a file of format `ledger` or `signed`. `publicKey`: the key that must have signed it, as PEM, as a JWKS document,
 * or as 32 bytes in base64 or base64url; undefined: the signature is not verified. Invalid: the file or the key cannot be
 * read.
 */
export const verifyExport = (text: string, publicKey?: string): Either.Either<LedgerVerification, Invalid> =>
  Either.gen(function* () {
    const keys = publicKey === undefined ? undefined : yield* keysOf(publicKey)
    const { envelope, ledger } = yield* opened(text)
    const document = yield* decoded(LedgerDocument, ledger, "no ledger of a run")
    const signature = signatureOf(envelope, keys)
    const { difference, report } = recompute(kindOf(document.facts), document)
    const { reportId, runId } = document.facts
    const unsigned = refusalOf(signature, keys)
    return {
      runId,
      reportId,
      lines: document.lines.length,
      headHash: document.headHash,
      signature,
      keyId: envelope?.signatures[0]?.keyid ?? null,
      report,
      difference:
        unsigned === undefined ? difference : { part: "signature", sequence: null, message: unsigned }
    }
  })

/** The text of the ledger, taken out of the DSSE envelope if there is one. */
function opened(
  text: string
): Either.Either<{ envelope: SignedEnvelope | undefined; ledger: string }, Invalid> {
  return Either.gen(function* () {
    const json = yield* jsonOf(text)
    if (typeof json !== "object" || json === null || !("payloadType" in json))
      return { envelope: undefined, ledger: text }
    const envelope = yield* decoded(SignedEnvelope, text, "no signed file")
    if (envelope.payloadType !== signedLedgerType) {
      return yield* invalid(`The file holds ${envelope.payloadType}; expected ${signedLedgerType}`)
    }
    return { envelope, ledger: Buffer.from(envelope.payload, "base64").toString("utf8") }
  })
}

function signatureOf(
  envelope: SignedEnvelope | undefined,
  keys: ReadonlyArray<KeyObject> | undefined
): LedgerVerification["signature"] {
  if (envelope === undefined) return "none"
  if (keys === undefined) return "unproved"
  return keys.some((key) => isSignedBy(envelope, key)) ? "valid" : "invalid"
}

function refusalOf(
  signature: LedgerVerification["signature"],
  keys: ReadonlyArray<KeyObject> | undefined
): string | undefined {
  if (signature === "invalid") return "the signature was not made by the given key, or the file was changed"
  return signature === "none" && keys !== undefined ? "the file is not signed" : undefined
}

/** The Ed25519 keys in the text. */
function keysOf(text: string): Either.Either<ReadonlyArray<KeyObject>, Invalid> {
  try {
    const trimmed = text.trim()
    const found = trimmed.startsWith("{")
      ? ((JSON.parse(trimmed) as { readonly keys?: ReadonlyArray<object> }).keys ?? [JSON.parse(trimmed)])
      : trimmed.startsWith("-----BEGIN")
        ? [trimmed]
        : [{ kty: "OKP", crv: "Ed25519", x: Buffer.from(trimmed, "base64").toString("base64url") }]
    const keys = found.map((key) =>
      typeof key === "string" ? createPublicKey(key) : createPublicKey({ key: { ...key }, format: "jwk" })
    )
    if (keys.length > 0 && keys.every((key) => publicJwk(key).x !== "")) return Either.right(keys)
  } catch {
    // Reported below; the message of the library is not helpful.
  }
  return invalid("The public key cannot be read: expected Ed25519 as PEM, as JWKS, or as 32 bytes in base64")
}

function decoded<A, I>(schema: Schema.Schema<A, I>, text: string, what: string): Either.Either<A, Invalid> {
  return Either.mapLeft(Schema.decodeUnknownEither(Schema.parseJson(schema))(text), (error) => {
    const { path } = firstIssueOf(error)
    const where = path.length === 0 ? "" : ` at ${path.join(".")}`
    return new Invalid({
      message: `The file is ${what}${where}: export it with format=ledger or format=signed`
    })
  })
}

function jsonOf(text: string): Either.Either<unknown, Invalid> {
  return Either.try({
    try: (): unknown => JSON.parse(text),
    catch: () => new Invalid({ message: "The file is not JSON" })
  })
}

const invalid = (message: string): Either.Either<never, Invalid> => Either.left(new Invalid({ message }))
