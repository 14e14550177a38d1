/** Exports a run with all its lines as a document, and verifies a document by recomputing it. Pure. */
import { Either, Schema } from "effect"
import { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import type { LedgerDocument, LedgerVerification } from "../../../schema/ledger/LedgerDocument.ts"
import { ledgerFormat } from "../../../schema/ledger/LedgerDocument.ts"
import type { RunRow, RunSnapshot, StoredLine } from "../Ledger.ts"
import { changesBetween } from "../postgres/snapshotChanges.ts"
import { foldEvent, foldStart, snapshotOf } from "./foldRun.ts"
import type { RunKindOf } from "./RunKind.ts"
import { reportOf } from "./runReport.ts"
import { type HashedLine, verify } from "./verify.ts"

/** The document of a row and its lines, which must be read in this order: lines written after the row are left out. */
export const ledgerDocumentOf = (
  row: RunRow,
  lines: ReadonlyArray<StoredLine>,
  exportedAt: string
): LedgerDocument => {
  const head = lines.findIndex(({ hash }) => hash === row.headHash)
  return {
    format: ledgerFormat,
    exportedAt,
    facts: row.facts,
    report: exportedReport(row),
    snapshot: exportedSnapshot(row.snapshot),
    headHash: row.headHash,
    // If no line has the head's hash the chain is broken, and all lines are evidence.
    lines: (head < 0 ? lines : lines.slice(0, head + 1)).map(({ hash = "", line }) => ({ hash, line }))
  }
}

/**
 * A report as documents hold it: `order` and `stateSince` came later than their format, and releases before them compare with
 * what they know. The plan among the facts has the same as `order`.
 */
function exportedReport(row: RunRow): LedgerDocument["report"] {
  const { order: _, stateSince: __, ...report } = reportOf(row)
  return report
}

/** A snapshot as documents hold it: `stateSince` came later than their format, too. */
const exportedSnapshot = ({ machine, view: { stateSince: _, ...view } }: RunSnapshot): RunSnapshot => ({
  machine,
  view
})

type Difference = NonNullable<LedgerVerification["difference"]>

/** The result of recomputing a document. */
type Recomputed = Pick<LedgerVerification, "report" | "difference">

/**
 * Recomputes the hash chain, then every state and the report from the lines alone, and returns the first difference from
 * what the document says.
 */
export const recompute = (kind: RunKindOf, document: LedgerDocument): Recomputed => {
  const broken = verify(document.facts.runId, linesOf(document), document.headHash)
  if (broken !== undefined) return { report: null, difference: { part: "chain", ...broken } }
  try {
    return refold(kind, document)
  } catch {
    // This release never wrote such a plan or line, yet the hashes are right: the file was made by other means.
    return {
      report: null,
      difference: differs("fold", null, "the lines are none that a run can have written")
    }
  }
}

function refold(kind: RunKindOf, { facts, lines, report, snapshot }: LedgerDocument): Recomputed {
  let { folded } = foldStart(kind, facts)
  for (const [index, { line }] of lines.entries()) {
    const sequence = index + 1
    const read = readEvent(line)
    if (Either.isLeft(read)) {
      return {
        report: null,
        difference: differs("fold", sequence, `line ${sequence} is no event of a ledger`)
      }
    }
    const event = read.right
    folded = foldEvent(kind, folded, event).folded
    if (pathOf(event.machine, folded.machine.value) !== undefined) {
      const states = `${JSON.stringify(event.machine)}, recomputed ${JSON.stringify(folded.machine.value)}`
      const message = `line ${sequence} says that the run's machine was then in ${states}`
      return { report: null, difference: differs("fold", sequence, message) }
    }
    const { facts: told, plan } = event.type === "run.created" ? event.data : nothingTold
    const other = told === undefined ? undefined : pathOf(told, besidePlan(facts))
    if (other !== undefined) {
      const message = `what the run is of is not what its first line says${at(other)}`
      return { report: null, difference: differs("facts", sequence, message) }
    }
    const changed = plan === undefined ? undefined : pathOf(plan, facts.plan)
    if (changed !== undefined) {
      const message = `the plan beside the lines is not the one of the first line${at(changed)}`
      return { report: null, difference: differs("facts", sequence, message) }
    }
  }
  const again = snapshotOf(folded)
  // A report contains nothing of a lease.
  const recomputed = exportedReport({
    facts,
    snapshot: again,
    headHash: "",
    leaseEpoch: 0,
    leaseAlive: false,
    released: true,
    archived: false
  })
  const wrongReport = pathOf(report, recomputed)
  const wrongSnapshot = pathOf(snapshot, exportedSnapshot(again))
  const difference =
    wrongReport !== undefined
      ? differs("report", null, `the report is not what the lines add up to${at(wrongReport)}`)
      : wrongSnapshot !== undefined
        ? differs(
            "snapshot",
            null,
            `what is kept beside the lines is not what they add up to${at(wrongSnapshot)}`
          )
        : null
  return { report: recomputed, difference }
}

const nothingTold = { facts: undefined, plan: undefined }

const besidePlan = ({ plan: _, ...facts }: LedgerDocument["facts"]) => facts

function differs(part: Difference["part"], sequence: number | null, message: string): Difference {
  return { part, sequence, message }
}

const readEvent = Schema.decodeUnknownEither(Schema.parseJson(LedgerEvent))

/** The path at which two JSON values differ; undefined when they are equal. */
function pathOf(stored: unknown, recomputed: unknown): string | undefined {
  const plain: unknown = recomputed === undefined ? undefined : JSON.parse(JSON.stringify(recomputed))
  const [first] = changesBetween(stored, plain)
  return first === undefined ? undefined : first[0].join(".")
}

function at(path: string): string {
  return path === "" ? "" : `: ${path}`
}

function linesOf({ lines }: LedgerDocument): ReadonlyArray<HashedLine> {
  return lines.map(({ hash, line }, index) => ({ sequence: index + 1, line, hash }))
}
