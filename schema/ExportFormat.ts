/** The forms in which the report of a run leaves the service. */
import { Schema } from "effect"

export const ExportFormat = Schema.Literal("junit", "json", "html", "markdown", "har").annotations({
  identifier: "ExportFormat",
  description:
    "junit: XML for build servers. json: report, checks and exchanges. html: one page that is read offline. " +
    "markdown: for a pull request. har: HTTP Archive 1.2 of every exchange"
})
export type ExportFormat = typeof ExportFormat.Type
