import { createPublicKey, generateKeyPairSync } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import { ledgerFormat, signedLedgerType } from "../../../schema/ledger/LedgerDocument.ts"
import { suiteRunKind } from "../../../src/conformance/run/suiteRunKind.ts"
import { foldStart, snapshotOf } from "../../../src/ledger/run/foldRun.ts"
import { ledgerDocumentOf } from "../../../src/ledger/run/ledgerDocument.ts"
import { genesisOf } from "../../../src/ledger/run/ledgerLine.ts"
import { prepareLines } from "../../../src/ledger/run/prepareLines.ts"
import { publicJwk, signedEnvelope } from "../../../src/reports/signature.ts"
import { verifyExport } from "../../../src/services/runs/verifyExport.ts"
import { draft, newFacts } from "../../support/runs/sampleRun.ts"

const keyPair = () => generateKeyPairSync("ed25519")

/** A conformance run that was ordered and has begun. */
const ledger = () => {
  const stages = ["versions"]
  const facts = newFacts({ kind: "conformance", subjectId: "suite", plan: { stages } })
  const { folded } = foldStart(suiteRunKind, facts)
  const before = { folded, headHash: genesisOf(facts.runId), events: [], eventIds: new Set<string>() }
  const drafts = [draft("run.created", { data: { stages, of: 1, plan: { stages } } }), draft("run.started")]
  const { lines, next } = prepareLines({ kind: suiteRunKind, facts }, before, {
    drafts,
    now: facts.createdAt
  })
  const row = {
    facts,
    snapshot: snapshotOf(next.folded),
    headHash: next.headHash,
    leaseEpoch: 1,
    leaseAlive: true,
    released: false,
    archived: false
  }
  const stored = lines.map(({ event, hash, line }) => ({ sequence: event.sequence, hash, line }))
  return JSON.stringify(ledgerDocumentOf(row, stored, facts.createdAt))
}

const signedWith = (privateKey: ReturnType<typeof keyPair>["privateKey"], text = ledger()) =>
  signedEnvelope(signedLedgerType, text, { id: publicJwk(privateKey).kid, privateKey })

const found = (text: string, key?: string) => Either.getOrThrow(verifyExport(text, key))
const refused = (text: string, key?: string) =>
  Either.getOrThrow(Either.flip(verifyExport(text, key))).message

describe("an exported ledger", () => {
  it("is intact without a signature, and says that it has none", () => {
    assert.deepInclude(found(ledger()), { lines: 2, signature: "none", keyId: null, difference: null })
  })

  it("is proved by the public key in any form that one comes in", () => {
    const { privateKey, publicKey } = keyPair()
    const text = JSON.stringify(signedWith(privateKey))
    const jwk = publicJwk(publicKey)
    const other = publicJwk(keyPair().publicKey)
    for (const key of [
      publicKey.export({ format: "pem", type: "spki" }).toString(),
      JSON.stringify({ keys: [other, jwk] }),
      JSON.stringify(jwk),
      jwk.x
    ]) {
      assert.deepInclude(found(text, key), { signature: "valid", keyId: jwk.kid, difference: null })
    }
  })

  it("is not taken at its word when no key is given", () => {
    const text = JSON.stringify(signedWith(keyPair().privateKey))
    assert.deepInclude(found(text), { signature: "unproved", difference: null })
  })

  it("is refused when somebody else signed it, or nobody", () => {
    const key = publicJwk(keyPair().publicKey).x
    const foreign = found(JSON.stringify(signedWith(keyPair().privateKey)), key)
    assert.deepInclude(foreign.difference, { part: "signature", sequence: null })
    assert.strictEqual(found(ledger(), key).difference?.message, "the file is not signed")
  })

  it("is refused when payload or type were changed under the signature", () => {
    const { privateKey, publicKey } = keyPair()
    const envelope = signedWith(privateKey)
    const payload = Buffer.from(envelope.payload, "base64")
      .toString("utf8")
      .replace("cpo.example", "cpo.exampel")
    const changed = { ...envelope, payload: Buffer.from(payload, "utf8").toString("base64") }
    assert.strictEqual(found(JSON.stringify(changed), publicJwk(publicKey).x).signature, "invalid")
    assert.include(refused(JSON.stringify({ ...envelope, payloadType: "text/plain" })), "text/plain")
  })

  it("says what is wrong with a file or a key that is none", () => {
    assert.include(refused("{"), "not JSON")
    assert.include(refused("[]"), "no ledger of a run")
    assert.include(refused(JSON.stringify({ format: ledgerFormat })), "at exportedAt")
    const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey
    for (const key of ["-----BEGIN", "{}", rsa.export({ format: "pem", type: "spki" }).toString()]) {
      assert.include(refused(ledger(), key), "public key")
    }
  })

  it("carries a key id that is the key's thumbprint", () => {
    // The example of RFC 8037, appendix A.
    const key = createPublicKey({
      key: { kty: "OKP", crv: "Ed25519", x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo" },
      format: "jwk"
    })
    assert.strictEqual(publicJwk(key).kid, "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
  })
})
