/** `/testing`: suites, single commands, graded runs, validation and the catalogue of journeys. */
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Assertion, Outcome, Verdict } from "../../schema/Assertion.ts"
import {
  CommandAnswer,
  CommandDraft,
  CommandDraftRequest,
  CommandRequest,
  CommandView
} from "../../schema/Command.ts"
import { IdText, NameText } from "../../schema/fields/bounds.ts"
import { CommandId, ConnectionId } from "../../schema/Ids.ts"
import { JourneyCatalogue } from "../../schema/Journey.ts"
import { OcpiVersion } from "../../schema/ocpi/OcpiVersion.ts"
import { Role } from "../../schema/ocpi/Role.ts"
import { RunKind, RunReport, RunStatus } from "../../schema/RunReport.ts"
import { ExportFormat, PersonalData } from "../../schema/reports/ExportFormat.ts"
import { RunComparison } from "../../schema/reports/RunComparison.ts"
import { StartConformanceRun, SuiteDetail, SuiteView } from "../../schema/Suite.ts"
import { ValidateRequest, ValidationReport } from "../../schema/Validation.ts"
import { Authentication, RequiredScope } from "./Authentication.ts"
import { ok } from "./envelope.ts"
import { conflict, invalid, notFound, planRequired, tooMany, unsupported } from "./failures.ts"
import { Count, Cursor, IdempotencyHeaders, Limit, optional, waiting } from "./queries.ts"

const runPath = Schema.Struct({ id: IdText })
const report = ok("RunReportResponse", RunReport)

/** A report as a file in the content type of its format, without the envelope, so that clients can store it unchanged. */
const ReportFile = Schema.String.annotations({ identifier: "ReportFile" }).pipe(
  HttpApiSchema.withEncoding({ kind: "Text", contentType: "text/html" })
)
const text = { schema: { type: "string" } }
/** What the formats answer, by content type. */
const fileContents = {
  "application/xml": text,
  "application/json": {
    schema: {
      type: "object",
      description:
        "json: the report, its checks and exchanges; har: a HAR 1.2 file; ledger: the lines of the run; signed: a DSSE envelope of the ledger"
    }
  },
  "text/html": text,
  "text/markdown": text
}

/** Operations that test: suites, commands, runs, journeys and validation. */
export class TestingApi extends HttpApiGroup.make("testing")
  .add(
    HttpApiEndpoint.get("suites", "/testing/suites")
      .addSuccess(ok("SuitesResponse", Schema.Array(SuiteView)))
      .annotate(OpenApi.Summary, "List the conformance suites")
  )
  .add(
    HttpApiEndpoint.get("suite", "/testing/suites/:id")
      .setPath(Schema.Struct({ id: IdText }))
      .addSuccess(ok("SuiteResponse", SuiteDetail))
      .addError(notFound)
      .annotate(OpenApi.Summary, "Read one suite with its checks")
  )
  .add(
    HttpApiEndpoint.post("command", "/testing/command")
      .setHeaders(IdempotencyHeaders)
      .setPayload(CommandRequest)
      .addSuccess(ok("CommandResultResponse", CommandAnswer))
      .addError(invalid)
      .addError(planRequired)
      .addError(notFound)
      .addError(conflict)
      .addError(unsupported)
      .addError(tooMany)
      .annotate(RequiredScope, "run")
      .annotate(OpenApi.Summary, "Send exactly one OCPI command and read the raw answer")
  )
  .add(
    HttpApiEndpoint.post("draftCommand", "/testing/command/draft")
      .setPayload(CommandDraftRequest)
      .addSuccess(ok("CommandDraftResponse", CommandDraft))
      .addError(planRequired)
      .addError(notFound)
      .addError(unsupported)
      .annotate(RequiredScope, "run")
      .annotate(
        OpenApi.Summary,
        "A command as it would be filled in, with the schema of its fields; the partner may be asked for its objects"
      )
  )
  .add(
    HttpApiEndpoint.get("readCommand", "/testing/commands/:id")
      .setPath(Schema.Struct({ id: CommandId }))
      .addSuccess(ok("CommandResponse", CommandView))
      .addError(notFound)
      .annotate(OpenApi.Summary, "Read a command: its exchange and its asynchronous results")
  )
  .add(
    HttpApiEndpoint.post("startRun", "/testing/runs")
      .setUrlParams(Schema.Struct(waiting))
      .setHeaders(IdempotencyHeaders)
      .setPayload(StartConformanceRun)
      .addSuccess(report, { status: 202 })
      .addError(invalid)
      .addError(planRequired)
      .addError(notFound)
      .addError(conflict)
      .addError(unsupported)
      .addError(tooMany)
      .annotate(RequiredScope, "run")
      .annotate(
        OpenApi.Summary,
        "Run a conformance suite against a connection; with `wait` and `until=end` the answer comes when the run is over, or the time"
      )
  )
  .add(
    HttpApiEndpoint.get("runs", "/testing/runs")
      .setUrlParams(
        Schema.Struct({
          limit: optional(Limit(25, 100)),
          cursor: optional(Cursor),
          /** Default: `newest`. */
          order: optional(Schema.Literal("oldest", "newest")),
          kind: optional(RunKind),
          status: optional(RunStatus),
          verdict: optional(Verdict),
          ocpiVersion: optional(OcpiVersion),
          connectionId: optional(ConnectionId)
        })
      )
      .addSuccess(ok("RunReportsResponse", Schema.Array(RunReport)))
      .annotate(OpenApi.Summary, "List the graded reports of all runs, newest or oldest first")
  )
  .add(
    HttpApiEndpoint.get("run", "/testing/runs/:id")
      .setPath(runPath)
      .setUrlParams(
        Schema.Struct({
          ...waiting,
          since: optional(Count)
        })
      )
      .addSuccess(report)
      .addError(notFound)
      .annotate(
        OpenApi.Summary,
        "Read one report; with `wait`, the answer comes when it changes or the time is over, with `until=end` as well when the run is over"
      )
  )
  .add(
    HttpApiEndpoint.get("checks", "/testing/runs/:id/checks")
      .setPath(runPath)
      .setUrlParams(Schema.Struct({ outcome: optional(Outcome), module: optional(NameText) }))
      .addSuccess(ok("CheckResultsResponse", Schema.Array(Assertion)))
      .addError(notFound)
      .annotate(OpenApi.Summary, "List the results of a run, check by check")
  )
  .add(
    HttpApiEndpoint.get("compareRuns", "/testing/runs/:id/compare")
      .setPath(runPath)
      .setUrlParams(
        Schema.Struct({
          with: IdText.annotations({ description: "the earlier run: report id or run id" })
        })
      )
      .addSuccess(ok("RunComparisonResponse", RunComparison))
      .addError(notFound)
      .addError(unsupported)
      .annotate(OpenApi.Summary, "Compare a run with an earlier one, check by check")
  )
  .add(
    HttpApiEndpoint.get("exportRun", "/testing/runs/:id/export")
      .setPath(runPath)
      .setUrlParams(
        Schema.Struct({
          format: ExportFormat,
          personalData: Schema.optionalWith(PersonalData, { exact: true })
        })
      )
      .addSuccess(ReportFile)
      .addError(planRequired)
      .addError(notFound)
      .annotate(
        OpenApi.Summary,
        "Export the report as a file (JUnit, JSON, HTML, Markdown or HAR), or the ledger of the run, plain or signed"
      )
      .annotate(OpenApi.Transform, (operation) => {
        const success = {
          ...operation["responses"]["200"],
          description: "The file",
          content: fileContents
        }
        return { ...operation, responses: { ...operation["responses"], "200": success } }
      })
  )
  .add(
    HttpApiEndpoint.post("cancelRun", "/testing/runs/:id/cancel")
      .setPath(runPath)
      .setHeaders(IdempotencyHeaders)
      .addSuccess(report)
      .addError(notFound)
      .addError(conflict)
      .annotate(RequiredScope, "run")
      .annotate(OpenApi.Summary, "Stop a run at its next safe point and keep what was graded")
  )
  .add(
    HttpApiEndpoint.get("journeys", "/testing/journeys")
      .setUrlParams(
        Schema.Struct({
          connectionId: optional(ConnectionId),
          /** `sandbox`, or the same as `connectionId`. */
          target: optional(IdText),
          ocpiVersion: optional(OcpiVersion),
          theirRole: optional(Role)
        })
      )
      .addSuccess(ok("JourneyCatalogueResponse", JourneyCatalogue))
      .addError(notFound)
      .annotate(OpenApi.Summary, "List journey templates, packs and saved scenarios for a target")
  )
  .add(
    HttpApiEndpoint.post("validate", "/testing/validate")
      .setPayload(ValidateRequest)
      .addSuccess(ok("ValidationResponse", ValidationReport))
      .addError(unsupported)
      .annotate(OpenApi.Summary, "Validate one object against an OCPI version and list every violation")
  )
  .middleware(Authentication)
  .annotate(OpenApi.Description, "Commands, conformance suites, graded runs and the journey catalogue") {}
