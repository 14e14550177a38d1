/** An exported ledger, as the console reads and verifies it. */
import { createHash, generateKeyPairSync, webcrypto } from "node:crypto"
import { assert, describe, it } from "vitest"
import { readExport, verifyChain, verifySignature } from "../../../src/console/journeys/readExport.ts"
import { publicJwk, signedEnvelope } from "../../../src/reports/signature.ts"

const { subtle } = webcrypto
const runId = "run_1"
const lines: Array<{ readonly hash: string; readonly line: string }> = []
for (const type of ["run.created", "run.started", "run.completed"]) {
  const line = JSON.stringify({ sequence: lines.length + 1, type, note: "ä€" })
  const hash = createHash("sha256")
    .update(lines.at(-1)?.hash ?? runId)
    .update(line)
    .digest("hex")
  lines.push({ hash, line })
}
const document = {
  format: "plugfest-ledger/1",
  exportedAt: "2026-01-01T00:00:00.000Z",
  facts: { runId, kind: "journey", subjectId: "remote-start", connectionLabel: "a", ocpiVersion: "2.2.1" },
  report: { verdict: "pass" },
  headHash: lines.at(-1)!.hash,
  lines
}
const { privateKey } = generateKeyPairSync("ed25519")
const { kid, x } = publicJwk(privateKey)
const signed = signedEnvelope("application/vnd.plugfest.ledger+json", JSON.stringify(document), {
  id: kid,
  privateKey
})
const stateOf = async (changed: object) =>
  (await verifyChain(readExport(JSON.stringify({ ...document, ...changed })), subtle)).sentence

describe("an exported ledger", () => {
  it("is read from both formats, and its chain and signature hold", async () => {
    for (const text of [JSON.stringify(document), JSON.stringify(signed)]) {
      const run = readExport(text)
      assert.strictEqual(run.runId, runId)
      assert.deepStrictEqual(
        run.events.map(({ type }) => type),
        ["run.created", "run.started", "run.completed"]
      )
      assert.strictEqual((await verifyChain(run, subtle)).state, "holds")
    }
    const run = readExport(JSON.stringify(signed))
    assert.strictEqual((await verifySignature(run, [{ kid, x }], subtle)).state, "holds")
    const other = publicJwk(generateKeyPairSync("ed25519").privateKey)
    assert.strictEqual((await verifySignature(run, [other], subtle)).state, "broken")
    assert.strictEqual((await verifySignature(run, [other, { kid, x }], subtle)).state, "holds")
  })

  it("is refused where a line was changed, taken out, or cut off", async () => {
    const [first, second, third] = lines as [(typeof lines)[0], (typeof lines)[0], (typeof lines)[0]]
    const changed = { ...second, line: second.line.replace("started", "resumed") }
    assert.strictEqual(
      await stateOf({ lines: [first, changed, third] }),
      "Line 2 is not the one that was written. Only the lines before it are shown."
    )
    assert.strictEqual(
      await stateOf({ lines: [first, third] }),
      "Line 2 is not the one that was written. Only the lines before it are shown."
    )
    assert.strictEqual(await stateOf({ lines: [first, second] }), "Lines after 2 are missing.")
    assert.include(await stateOf({}), "All 3 lines")
  })

  it("says what a file is not, and what this browser cannot tell", async () => {
    for (const [text, problem] of [
      ["<html>", "This file is not JSON."],
      ["{}", "This is no export of a ledger"],
      [JSON.stringify({ payload: btoa("x"), signatures: [] }), "What this file has signed is not JSON."],
      [
        JSON.stringify({ ...document, lines: [{ line: "{", hash: "" }] }),
        "Line 1 of this ledger is not JSON."
      ]
    ] as const)
      assert.throws(() => readExport(text), problem)
    const run = readExport(JSON.stringify(document))
    assert.strictEqual((await verifyChain(run, undefined)).state, "unknown")
    assert.strictEqual((await verifySignature(run, [], subtle)).state, "unknown")
  })
})
