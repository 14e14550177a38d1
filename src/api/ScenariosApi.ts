/** `/testing/scenarios`: save, import, export, validate and dry-run scenarios. */
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { IdText } from "../../schema/fields/bounds.ts"
import { ConnectionId } from "../../schema/Ids.ts"
import { OcpiVersion } from "../../schema/ocpi/OcpiVersion.ts"
import {
  DryRun,
  Scenario,
  ScenarioChange,
  ScenarioDraft,
  ScenarioFile,
  ScenarioValidation
} from "../../schema/Scenario.ts"
import { Authentication, RequiredScope } from "./Authentication.ts"
import { ok } from "./envelope.ts"
import { conflict, invalid, notFound, tooMany, unsupported } from "./failures.ts"
import { Cursor, IdempotencyHeaders, Limit, optional } from "./queries.ts"

const path = Schema.Struct({ id: IdText })
const one = ok("ScenarioResponse", Scenario)

/** Either a draft or a saved scenario, for either a connection or an OCPI version. */
const DryRunRequest = Schema.Struct({
  scenario: optional(ScenarioDraft),
  scenarioId: optional(IdText),
  connectionId: optional(ConnectionId),
  ocpiVersion: optional(OcpiVersion)
}).annotations({ identifier: "DryRunRequest" })

const Text = Schema.String.annotations({ identifier: "ScenarioText" }).pipe(
  HttpApiSchema.withEncoding({ kind: "Text", contentType: "application/yaml" })
)

/** Operations on saved scenarios and scenario files. */
export class ScenariosApi extends HttpApiGroup.make("scenarios")
  .add(
    HttpApiEndpoint.post("create", "/testing/scenarios")
      .setHeaders(IdempotencyHeaders)
      .setPayload(ScenarioDraft)
      .addSuccess(one, { status: 201 })
      .addError(invalid)
      .addError(conflict)
      .addError(tooMany)
      .annotate(RequiredScope, "run")
      .annotate(OpenApi.Summary, "Save a scenario")
  )
  .add(
    HttpApiEndpoint.get("list", "/testing/scenarios")
      .setUrlParams(Schema.Struct({ limit: optional(Limit(25, 100)), cursor: optional(Cursor) }))
      .addSuccess(ok("ScenariosResponse", Schema.Array(Scenario)))
      .annotate(OpenApi.Summary, "List the saved scenarios, newest first")
  )
  .add(
    HttpApiEndpoint.post("fromFile", "/testing/scenarios/import")
      .setHeaders(IdempotencyHeaders)
      .setPayload(ScenarioFile)
      .addSuccess(one, { status: 201 })
      .addError(invalid)
      .addError(conflict)
      .addError(tooMany)
      .annotate(RequiredScope, "run")
      .annotate(OpenApi.Summary, "Save a scenario from the text of a YAML or JSON file")
  )
  .add(
    HttpApiEndpoint.post("validate", "/testing/scenarios/validate")
      .setPayload(ScenarioFile)
      .addSuccess(ok("ScenarioValidationResponse", ScenarioValidation))
      .annotate(OpenApi.Summary, "List every problem of a scenario file with its line and column")
  )
  .add(
    HttpApiEndpoint.post("dryRun", "/testing/scenarios/dry-run")
      .setPayload(DryRunRequest)
      .addSuccess(ok("DryRunResponse", DryRun))
      .addError(invalid)
      .addError(notFound)
      .addError(unsupported)
      .annotate(OpenApi.Summary, "Show what a run would send, stage by stage, without sending anything")
  )
  .add(
    HttpApiEndpoint.get("read", "/testing/scenarios/:id")
      .setPath(path)
      .addSuccess(one)
      .addError(notFound)
      .annotate(OpenApi.Summary, "Read one saved scenario")
  )
  .add(
    HttpApiEndpoint.put("change", "/testing/scenarios/:id")
      .setPath(path)
      .setPayload(ScenarioChange)
      .addSuccess(one)
      .addError(invalid)
      .addError(notFound)
      .addError(conflict)
      .annotate(RequiredScope, "run")
      .annotate(OpenApi.Summary, "Replace a saved scenario; 409 when `version` is not its current one")
  )
  .add(
    HttpApiEndpoint.del("remove", "/testing/scenarios/:id")
      .setPath(path)
      .addSuccess(one)
      .addError(notFound)
      .addError(conflict)
      .annotate(RequiredScope, "run")
      .annotate(OpenApi.Summary, "Remove a saved scenario; its runs and reports stay")
  )
  .add(
    HttpApiEndpoint.get("toFile", "/testing/scenarios/:id/export")
      .setPath(path)
      .setUrlParams(Schema.Struct({ format: optional(Schema.Literal("yaml", "json")) }))
      .addSuccess(Text)
      .addError(notFound)
      .annotate(OpenApi.Summary, "Export a saved scenario as a YAML or JSON file")
      .annotate(OpenApi.Transform, (operation) => {
        const success = operation["responses"]["200"]
        const json = { schema: { $ref: "#/components/schemas/ScenarioDraft" } }
        const content = { ...success.content, "application/json": json }
        const described = { ...success, description: "The file", content }
        return { ...operation, responses: { ...operation["responses"], "200": described } }
      })
  )
  .middleware(Authentication)
  .annotate(OpenApi.Description, "Saved scenarios: a template with inputs, limits, assertions and faults") {}
