/** The ledger of a run as a file: the stored lines unchanged, so that anybody can verify hashes, report and verdict. */
import { Schema } from "effect"
import { ConnectionId, OwnerId, ReportId, RunId } from "../Ids.ts"
import { OcpiVersion } from "../ocpi/OcpiVersion.ts"
import { RunKind, RunReport } from "../RunReport.ts"

/** Name and number of the format; an incompatible change gets a new number. */
export const ledgerFormat = "plugfest-ledger/1"

/** Export format `ledger`, and the payload of `signed`. */
export const LedgerDocument = Schema.Struct({
  format: Schema.Literal(ledgerFormat),
  exportedAt: Schema.String,
  /** The order of the run: its plan, connection, owner and time. Fixed when the run is created. */
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
  /** Stored beside the lines: the state of the run's machine, and the view from which report and status are made. */
  snapshot: Schema.Struct({ machine: Schema.Unknown, view: Schema.Unknown }),
  /** The hash of the last line, as the run's row holds it. */
  headHash: Schema.String,
  /**
   * Oldest first, from sequence 1. `hash` = SHA-256, in hex, over the previous hash and the text of the line; the first
   * line uses the run's id as the previous hash.
   */
  lines: Schema.Array(Schema.Struct({ hash: Schema.String, line: Schema.String }))
}).annotations({ identifier: "LedgerDocument" })
export type LedgerDocument = typeof LedgerDocument.Type

/** DSSE payload type of what we sign: a `LedgerDocument` as JSON text. */
export const signedLedgerType = "application/vnd.plugfest.ledger+json"

/** A DSSE envelope (Dead Simple Signing Envelope, version 1). `payload` and `sig` are base64. */
export const SignedEnvelope = Schema.Struct({
  payloadType: Schema.String,
  payload: Schema.String,
  signatures: Schema.Array(Schema.Struct({ keyid: Schema.String, sig: Schema.String }))
}).annotations({ identifier: "SignedEnvelope" })
export type SignedEnvelope = typeof SignedEnvelope.Type

/**
 * `valid`: made by the key that the verifier was given. `unproved`: there is a signature, but no key was given.
 * `invalid`: made by another key, or the text was changed. `none`: the file is not signed.
 */
type SignatureState = "valid" | "invalid" | "unproved" | "none"

/** The part of a run that differs from what recomputing it gives. */
type DifferingPart = "signature" | "chain" | "fold" | "facts" | "snapshot" | "report"

/** What recomputing a run found. */
export interface LedgerVerification {
  readonly runId: RunId
  readonly reportId: ReportId
  readonly lines: number
  readonly headHash: string
  readonly signature: SignatureState
  /** Id of the key that signed; null without a signature. */
  readonly keyId: string | null
  /** The report as recomputed from the lines; null where they cannot be folded. */
  readonly report: RunReport | null
  /** The first difference; null: there is none. `sequence` null: what differs is not a line. */
  readonly difference: {
    readonly part: DifferingPart
    readonly sequence: number | null
    readonly message: string
  } | null
}
