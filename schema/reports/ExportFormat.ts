/** The formats in which a run can be exported. */
import { Schema } from "effect"

/** Formats of the report, for readers and build servers. */
export const ReportFormat = Schema.Literal("junit", "json", "html", "markdown", "har")
export type ReportFormat = typeof ReportFormat.Type

/** Formats of the ledger itself, for verification. */
export const LedgerFormat = Schema.Literal("ledger", "signed")
export type LedgerFormat = typeof LedgerFormat.Type

/** Whether an export shows personal data of drivers as sent or as pseudonyms. */
export const PersonalData = Schema.Literal("masked", "shown").annotations({
  identifier: "PersonalData",
  description:
    "masked (the default): ids of tokens and contracts, printed card numbers and what partners add (plates, contacts, " +
    "names) are pseudonyms, the same for the same value. shown: as they were sent; needs a key with the scope " +
    "personal:read, as ledger and signed do, whose hashes are of the lines as they were written"
})
export type PersonalData = typeof PersonalData.Type

/** Every value of `format` in `GET /testing/runs/{id}/export`. */
export const ExportFormat = Schema.Literal(...ReportFormat.literals, ...LedgerFormat.literals).annotations({
  identifier: "ExportFormat",
  description:
    "junit: XML for build servers. json: report, checks and exchanges. html: one page that is read offline. " +
    "markdown: for a pull request. har: HTTP Archive 1.2 of every exchange. " +
    "ledger: the lines as they are stored, with their hashes. signed: the same under our signature (DSSE, Ed25519)"
})
export type ExportFormat = typeof ExportFormat.Type
