/** Renders a report in a format. */
import type { RunReport } from "../../schema/RunReport.ts"
import type { LedgerFormat, ReportFormat } from "../../schema/reports/ExportFormat.ts"
import { harOf } from "./har.ts"
import { htmlOf } from "./html/page.ts"
import { jsonOf } from "./json.ts"
import { junitOf } from "./junit.ts"
import { markdownOf } from "./markdown.ts"
import type { RunDocument } from "./RunDocument.ts"

/** An exported file. */
export interface Rendered {
  readonly contentType: string
  /** ASCII letters, digits, dots, underscores and hyphens only. */
  readonly fileName: string
  readonly text: string
}

const forms: Readonly<
  Record<
    ReportFormat,
    readonly [contentType: string, extension: string, of: (document: RunDocument) => string]
  >
> = {
  junit: ["application/xml; charset=utf-8", "junit.xml", junitOf],
  json: ["application/json", "json", jsonOf],
  html: ["text/html; charset=utf-8", "html", htmlOf],
  markdown: ["text/markdown; charset=utf-8", "md", markdownOf],
  har: ["application/json", "har", harOf]
}

/** The report in the given format. */
export const render = (document: RunDocument, format: ReportFormat): Rendered => {
  const [contentType, extension, of] = forms[format]
  return { contentType, fileName: `${nameOf(document.report)}.${extension}`, text: of(document) }
}

/** The file of a ledger export, plain or signed, from its text. */
export const ledgerFile = (report: RunReport, format: LedgerFormat, text: string): Rendered => ({
  contentType: "application/json",
  fileName: `${nameOf(report)}.${format === "signed" ? "ledger.dsse.json" : "ledger.json"}`,
  text
})

function nameOf({ _id, suiteId, templateId }: RunReport): string {
  return `${suiteId ?? templateId ?? "run"}_${_id}`.replace(/[^A-Za-z0-9._-]+/g, "-")
}
