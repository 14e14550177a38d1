/** An exported ledger, read and verified in the browser: nothing of it leaves this page. */
import type { LedgerEvent } from "../../client/plugfest.ts"

/** What an export of format `ledger`, or the payload of one of format `signed`, says of its run. */
export interface ExportedRun {
  readonly runId: string
  readonly kind: "journey" | "conformance"
  readonly subjectId: string
  readonly connectionLabel: string
  readonly ocpiVersion: string
  readonly exportedAt: string
  readonly verdict: string | null
  readonly headHash: string
  readonly lines: ReadonlyArray<{ readonly hash: string; readonly line: string }>
  readonly events: ReadonlyArray<LedgerEvent>
  readonly signed: Signed | undefined
}

interface Signed {
  /** The bytes that were signed: DSSE's pre-authentication encoding. */
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly signatures: ReadonlyArray<Uint8Array<ArrayBuffer>>
}

/** What a browser offers of cryptography to a page of HTTPS or localhost. */
type Subtle = typeof globalThis.crypto.subtle

const encoder = new TextEncoder()
const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))

/** Reads a file. Fails with a sentence for people where it is no export of a ledger. */
export function readExport(text: string): ExportedRun {
  const outer = parse(text, "This file is not JSON.")
  const isEnvelope = typeof outer?.payload === "string" && Array.isArray(outer.signatures)
  const payload = isEnvelope ? bytesOf(outer.payload) : undefined
  const inner =
    payload === undefined
      ? outer
      : parse(new TextDecoder().decode(payload), "What this file has signed is not JSON.")
  if (inner?.format !== "plugfest-ledger/1" || !Array.isArray(inner.lines))
    throw new Error("This is no export of a ledger: export a run in the format signed or ledger.")
  const { exportedAt, facts, headHash, lines, report } = inner
  return {
    runId: String(facts?.runId),
    kind: facts?.kind === "journey" ? "journey" : "conformance",
    subjectId: String(facts?.subjectId),
    connectionLabel: String(facts?.connectionLabel),
    ocpiVersion: String(facts?.ocpiVersion),
    exportedAt: String(exportedAt),
    verdict: typeof report?.verdict === "string" ? report.verdict : null,
    headHash: String(headHash),
    lines,
    events: lines.map(({ line }: { line: string }, index: number) =>
      parse(line, `Line ${index + 1} of this ledger is not JSON.`)
    ),
    signed:
      payload === undefined
        ? undefined
        : {
            bytes: signedBytes(String(outer.payloadType), payload),
            signatures: outer.signatures.map(({ sig }: { sig: unknown }) => bytesOf(String(sig)))
          }
  }
}

// biome-ignore lint/suspicious/noExplicitAny: what a file has is not known
function parse(text: string, problem: string): any {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(problem)
  }
}

function signedBytes(payloadType: string, payload: Uint8Array): Uint8Array<ArrayBuffer> {
  const type = encoder.encode(payloadType)
  const head = encoder.encode(`DSSEv1 ${type.length} ${payloadType} ${payload.length} `)
  const bytes = new Uint8Array(head.length + payload.length)
  bytes.set(head)
  bytes.set(payload, head.length)
  return bytes
}

/** Whether something holds, and the sentence that says so; `unknown`: this browser, or what there is, cannot tell. */
export interface FileFinding {
  readonly state: "holds" | "broken" | "unknown"
  readonly sentence: string
}

/** What is known of the chain of hashes, and how many lines from the first one it covers. */
export interface ChainFinding extends FileFinding {
  readonly lines: number
}

/** Each line's hash is SHA-256 over the hash before it and the line; the first one follows the run's id. */
export async function verifyChain(run: ExportedRun, subtle: Subtle | undefined): Promise<ChainFinding> {
  const all = run.lines.length
  if (subtle === undefined)
    return {
      state: "unknown",
      sentence: "The hashes were not verified: a browser does that only for a page of HTTPS or localhost.",
      lines: all
    }
  let hash = run.runId
  for (const [index, { hash: stored, line }] of run.lines.entries()) {
    const digest = await subtle.digest("SHA-256", encoder.encode(hash + line))
    hash = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("")
    if (hash !== stored || run.events[index]?.sequence !== index + 1)
      return {
        state: "broken",
        sentence: `Line ${index + 1} is not the one that was written. Only the lines before it are shown.`,
        lines: index
      }
  }
  return hash === run.headHash
    ? {
        state: "holds",
        sentence: `All ${all} lines are as they were written, up to head ${hash}.`,
        lines: all
      }
    : { state: "broken", sentence: `Lines after ${all} are missing.`, lines: all }
}

/** An Ed25519 key as the service publishes it. */
interface PublicKey {
  readonly kid: string
  readonly x: string
}

/** Whether one of these keys signed it. `keys`: undefined where they could not be read. */
export async function verifySignature(
  { signed }: ExportedRun,
  keys: ReadonlyArray<PublicKey> | undefined,
  subtle: Subtle | undefined
): Promise<FileFinding> {
  if (signed === undefined) return { state: "unknown", sentence: "The file is not signed." }
  if (keys === undefined || subtle === undefined)
    return {
      state: "unknown",
      sentence: "The signature was not verified: this page has no key of the service, or no HTTPS."
    }
  for (const { kid, x } of keys) {
    try {
      const key = await subtle.importKey(
        "jwk",
        { kty: "OKP", crv: "Ed25519", x },
        { name: "Ed25519" },
        false,
        ["verify"]
      )
      for (const signature of signed.signatures)
        if (await subtle.verify({ name: "Ed25519" }, key, signature, signed.bytes))
          return { state: "holds", sentence: `This service has signed it, with its key ${kid}.` }
    } catch {
      return { state: "unknown", sentence: "The signature was not verified: this browser knows no Ed25519." }
    }
  }
  return {
    state: "broken",
    sentence: "No key of this service has signed it: another service made the file, or it was changed."
  }
}
