// Checks an export of format "signed" with nothing but Node: node docs/verify-export.mjs export.json signing-key.pem
// Signature (DSSE, Ed25519), then the chain of hashes. Exit code 0: both hold. Uses none of plugfest's code.
import { createHash, createPublicKey, verify } from "node:crypto"
import { readFileSync } from "node:fs"

const refuse = (why) => {
  process.stderr.write(`${why}\n`)
  process.exit(1)
}

const [file, keyFile] = process.argv.slice(2)
const { payload, payloadType, signatures } = JSON.parse(readFileSync(file, "utf8"))
const bytes = Buffer.from(payload, "base64")
const signed = Buffer.concat([
  Buffer.from(`DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${bytes.length} `),
  bytes
])
const key = createPublicKey(readFileSync(keyFile))
if (!signatures.some(({ sig }) => verify(null, signed, key, Buffer.from(sig, "base64"))))
  refuse("the signature is not of this key, or the file was changed")

const { facts, headHash, lines, report } = JSON.parse(bytes.toString("utf8"))
let hash = facts.runId
for (const [index, { hash: stored, line }] of lines.entries()) {
  hash = createHash("sha256").update(hash).update(line).digest("hex")
  if (hash !== stored || JSON.parse(line).sequence !== index + 1)
    refuse(`line ${index + 1} is not the one that was written`)
}
if (hash !== headHash) refuse(`lines after ${lines.length} are missing`)
// Runs of earlier releases do not say it in their first line.
for (const [name, told] of Object.entries(JSON.parse(lines[0]?.line ?? "{}").data?.facts ?? {}))
  if (facts[name] !== told || (report[name] ?? told) !== told)
    refuse(`${name} is not what the first line says`)
process.stdout.write(`${facts.runId}: ${lines.length} lines, head ${headHash}, verdict ${report.verdict}\n`)
