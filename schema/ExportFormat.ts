/** The forms in which a run leaves the service. */
import { Schema } from "effect"

/** The report, for somebody who reads it. */
export const ReportFormat = Schema.Literal("junit", "json", "html", "markdown", "har")
export type ReportFormat = typeof ReportFormat.Type

/** The lines themselves, for somebody who doubts it. */
export const LedgerFormat = Schema.Literal("ledger", "signed")
export type LedgerFormat = typeof LedgerFormat.Type

export const ExportFormat = Schema.Literal(...ReportFormat.literals, ...LedgerFormat.literals).annotations({
  identifier: "ExportFormat",
  description:
    "junit: XML for build servers. json: report, checks and exchanges. html: one page that is read offline. " +
    "markdown: for a pull request. har: HTTP Archive 1.2 of every exchange. " +
    "ledger: the lines as they are stored, with their hashes. signed: the same under our signature (DSSE, Ed25519)"
})
export type ExportFormat = typeof ExportFormat.Type
