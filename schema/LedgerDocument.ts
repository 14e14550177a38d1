/** The ledger of a run as a file: what is stored, byte by byte, so that anybody can recompute what it says. */
import { Schema } from "effect"
import { ConnectionId, OwnerId, ReportId, RunId } from "./Ids.ts"
import { OcpiVersion } from "./ocpi/OcpiVersion.ts"
import { RunKind, RunReport } from "./RunReport.ts"

/** Names the form. A form that means something else gets another number. */
export const ledgerFormat = "plugfest-ledger/1"

export const LedgerDocument = Schema.Struct({
  format: Schema.Literal(ledgerFormat),
  exportedAt: Schema.String,
  /** What was ordered, when, for whom; it never changes. */
  facts: Schema.Struct({
    runId: RunId,
    reportId: ReportId,
    ownerId: OwnerId,
    kind: RunKind,
    connectionId: ConnectionId,
    connectionLabel: Schema.String,
    ocpiVersion: OcpiVersion,
    subjectId: Schema.String,
    plan: Schema.Record({ key: Schema.String, value: Schema.Unknown }),
    predecessorRunId: Schema.NullOr(RunId),
    createdAt: Schema.String
  }),
  report: RunReport,
  /** What is kept beside the lines: the state of the run's machine, and the view that reports and status are made of. */
  snapshot: Schema.Struct({ machine: Schema.Unknown, view: Schema.Unknown }),
  /** The hash of the last line, as the run itself has it. */
  headHash: Schema.String,
  /**
   * Oldest first, from sequence 1. `hash` = SHA-256 over the hash before it and the text of the line, in hex; before the
   * first line stands the run's id.
   */
  lines: Schema.Array(Schema.Struct({ hash: Schema.String, line: Schema.String }))
}).annotations({ identifier: "LedgerDocument" })
export type LedgerDocument = typeof LedgerDocument.Type

/** What a signature of ours is about: a `LedgerDocument` as JSON text. */
export const signedLedgerType = "application/vnd.plugfest.ledger+json"

/** A DSSE envelope (Dead Simple Signing Envelope, version 1). `payload` and `sig` are base64. */
export const SignedEnvelope = Schema.Struct({
  payloadType: Schema.String,
  payload: Schema.String,
  signatures: Schema.Array(Schema.Struct({ keyid: Schema.String, sig: Schema.String }))
}).annotations({ identifier: "SignedEnvelope" })
export type SignedEnvelope = typeof SignedEnvelope.Type

/**
 * `valid`: by the key that the verifier was given. `unproved`: there is one, and no key to hold it against. `invalid`: by
 * another key, or the text was changed.
 */
export type SignatureState = "valid" | "invalid" | "unproved" | "none"

/** The part of a run that does not stand as it was written. */
export type DifferingPart = "signature" | "chain" | "fold" | "facts" | "snapshot" | "report"

/** What recomputing a run found. */
export interface LedgerVerification {
  readonly runId: RunId
  readonly reportId: ReportId
  readonly lines: number
  readonly headHash: string
  readonly signature: SignatureState
  /** Of the key that signed. */
  readonly keyId: string | null
  /** As recomputed from the lines; null where they cannot be folded. */
  readonly report: RunReport | null
  /** The first one; null: everything stands as it was written. `sequence` null: it is no line that differs. */
  readonly difference: {
    readonly part: DifferingPart
    readonly sequence: number | null
    readonly message: string
  } | null
}
