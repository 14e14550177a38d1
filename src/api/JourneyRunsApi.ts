/** `/testing/journey-runs`: start a journey, follow its ledger, decide how an interrupted one goes on. */
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { fields, IdText, maxInt32, Name, NameText } from "../../schema/fields/bounds.ts"
import { ConnectionId, RunId } from "../../schema/Ids.ts"
import { JourneyRunStatus } from "../../schema/JourneyRun.ts"
import { LedgerEvent, LedgerEventType } from "../../schema/LedgerEvent.ts"
import { OcpiVersion } from "../../schema/ocpi/OcpiVersion.ts"
import { Decision } from "../../schema/Recovery.ts"
import { RunStatus } from "../../schema/RunReport.ts"
import { Authentication, RequiredScope } from "./Authentication.ts"
import { ok } from "./envelope.ts"
import { conflict, invalid, notFound, planRequired, tooMany, unsupported } from "./failures.ts"
import { Count, Cursor, IdempotencyHeaders, Limit, optional } from "./queries.ts"

const path = Schema.Struct({ id: RunId })
const status = ok("JourneyRunStatusResponse", JourneyRunStatus)

/**
 * Body of `POST /testing/journey-runs`: a connection, or `target: "sandbox"`, which makes a partner and a connection for this
 * run; and exactly one of `templateId`, `packId` and `scenarioId`.
 */
const StartJourneyRun = Schema.Struct({
  connectionId: optional(ConnectionId),
  target: optional(Schema.Literal("sandbox")),
  /** With `target`: the version of the partner; default: the newest that can be played. */
  ocpiVersion: optional(OcpiVersion),
  templateId: optional(Name),
  packId: optional(Name),
  scenarioId: optional(Name),
  inputs: optional(fields(Schema.Unknown, 500)),
  /** `planVersion` of the catalogue; the request is answered with 409 when the plan has changed since. */
  planVersion: optional(NameText)
}).annotations({ identifier: "StartJourneyRun" })

/** Body of the recovery request. Without a decision the recommended option is applied, if it repeats no write. */
const RecoveryRequest = Schema.Struct({
  decision: optional(Decision),
  recoveryVersion: optional(Schema.Int.pipe(Schema.between(0, maxInt32)))
}).annotations({ identifier: "RecoveryRequest" })

/** An operator's answer: one of `waitingFor.answers`. */
const CheckpointAnswer = Schema.Struct({
  answer: Name,
  note: optional(Schema.String.pipe(Schema.maxLength(2000)))
}).annotations({ identifier: "CheckpointAnswer" })

const RecoveryParams = Schema.Struct({ decision: optional(Decision), recoveryVersion: optional(Count) })

/** Server-sent events: frames of `id:` (the sequence) and `data:` (a LedgerEvent as one line of JSON). */
const EventStream = Schema.String.annotations({ identifier: "EventStream" }).pipe(
  HttpApiSchema.withEncoding({ kind: "Text", contentType: "text/event-stream" })
)

/** `Last-Event-ID` as text: the handler validates it, so that the error message can be specific. */
const ResumeHeaders = Schema.Struct({
  "last-event-id": optional(
    IdText.annotations({
      jsonSchema: { type: "string", maxLength: 128, description: "sequence of the last event received" }
    })
  )
})

/** Operations on journey runs: start, follow, recover, answer, cancel. */
export class JourneyRunsApi extends HttpApiGroup.make("journeyRuns")
  .add(
    HttpApiEndpoint.post("start", "/testing/journey-runs")
      .setHeaders(IdempotencyHeaders)
      .setPayload(StartJourneyRun)
      .addSuccess(status, { status: 202 })
      .addError(invalid)
      .addError(planRequired)
      .addError(notFound)
      .addError(conflict)
      .addError(unsupported)
      .addError(tooMany)
      .annotate(RequiredScope, "run")
      .annotate(OpenApi.Summary, "Start a journey")
  )
  .add(
    HttpApiEndpoint.get("list", "/testing/journey-runs")
      .setUrlParams(
        Schema.Struct({
          limit: optional(Limit(25, 100)),
          cursor: optional(Cursor),
          /** Default: `newest`. */
          order: optional(Schema.Literal("oldest", "newest")),
          status: optional(RunStatus),
          connectionId: optional(ConnectionId)
        })
      )
      .addSuccess(ok("JourneyRunsResponse", Schema.Array(JourneyRunStatus)))
      .annotate(OpenApi.Summary, "List journey runs, newest or oldest first")
  )
  .add(
    HttpApiEndpoint.get("read", "/testing/journey-runs/:id")
      .setPath(path)
      .addSuccess(status)
      .addError(notFound)
      .annotate(OpenApi.Summary, "Read the status of a journey run and the recovery options on offer")
  )
  .add(
    HttpApiEndpoint.get("events", "/testing/journey-runs/:id/events")
      .setPath(path)
      .setUrlParams(
        Schema.Struct({
          after: optional(Count),
          limit: optional(Limit(100, 1000)),
          type: optional(LedgerEventType),
          stageId: optional(NameText)
        })
      )
      .addSuccess(ok("JourneyEventsResponse", Schema.Array(LedgerEvent)))
      .addError(notFound)
      .annotate(OpenApi.Summary, "Page through the ledger of a journey run by sequence")
  )
  .add(
    HttpApiEndpoint.get("stream", "/testing/journey-runs/:id/stream")
      .setPath(path)
      .setHeaders(ResumeHeaders)
      .setUrlParams(Schema.Struct({ lastEventId: optional(IdText) }))
      .addSuccess(EventStream)
      .addError(invalid)
      .addError(notFound)
      .addError(tooMany)
      .annotate(OpenApi.Summary, "Replay the ledger and follow it live (server-sent events)")
  )
  .add(
    HttpApiEndpoint.post("recovery", "/testing/journey-runs/:id/recovery")
      .setPath(path)
      .setHeaders(IdempotencyHeaders)
      .setPayload(RecoveryRequest)
      .setUrlParams(RecoveryParams)
      .addSuccess(status)
      .addError(invalid)
      .addError(planRequired)
      .addError(notFound)
      .addError(conflict)
      .addError(unsupported)
      .annotate(RequiredScope, "run")
      .annotate(OpenApi.Summary, "Apply one of the recovery decisions on offer")
      .annotate(OpenApi.Transform, (operation) => ({
        ...operation,
        requestBody: { ...operation["requestBody"], required: false }
      }))
  )
  .add(
    HttpApiEndpoint.post("checkpoint", "/testing/journey-runs/:id/checkpoint")
      .setPath(path)
      .setHeaders(IdempotencyHeaders)
      .setPayload(CheckpointAnswer)
      .addSuccess(status)
      .addError(invalid)
      .addError(notFound)
      .addError(conflict)
      .addError(unsupported)
      .annotate(RequiredScope, "run")
      .annotate(OpenApi.Summary, "Answer a question that a journey asks an operator")
  )
  .add(
    HttpApiEndpoint.post("cancel", "/testing/journey-runs/:id/cancel")
      .setPath(path)
      .setHeaders(IdempotencyHeaders)
      .addSuccess(status)
      .addError(invalid)
      .addError(notFound)
      .addError(conflict)
      .addError(unsupported)
      .annotate(RequiredScope, "run")
      .annotate(OpenApi.Summary, "Stop a journey at its next safe point, clean up and grade what is there")
  )
  .middleware(Authentication)
  .annotate(OpenApi.Description, "Charging journeys with a durable, sequence-numbered ledger") {}
