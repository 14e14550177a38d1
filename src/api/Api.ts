/** The whole HTTP contract: served by src/http, read by the derived client, and written out as OpenAPI 3.1. */
import { HttpApi, OpenApi } from "@effect/platform"
import { Context, Schema } from "effect"
import type { Scope } from "../../schema/Account.ts"
import { RequiredScope } from "./Authentication.ts"
import { ConnectionsApi } from "./ConnectionsApi.ts"
import { DecodeErrorWire } from "./decodeError.ts"
import { unavailable } from "./failures.ts"
import { JourneyRunsApi } from "./JourneyRunsApi.ts"
import { MachinesApi } from "./MachinesApi.ts"
import { finishDocument } from "./openApi.ts"
import { SandboxApi } from "./SandboxApi.ts"
import { ScenariosApi } from "./ScenariosApi.ts"
import { SettingsApi } from "./SettingsApi.ts"
import { TestingApi } from "./TestingApi.ts"

class ApiBase extends HttpApi.make("plugfest")
  .add(ConnectionsApi)
  .add(TestingApi)
  .add(JourneyRunsApi)
  .add(ScenariosApi)
  .add(SandboxApi)
  .add(MachinesApi)
  .add(SettingsApi)
  .addError(unavailable)
  .prefix("/api/v1")
  .annotate(OpenApi.Title, "plugfest")
  .annotate(OpenApi.Version, "1.0.0")
  .annotate(
    OpenApi.Description,
    "Tests OCPI partner integrations: connections, commands, graded conformance suites and charging journeys. " +
      "Success is `{success: true, data}`; every 4xx and 5xx is `{success: false, message}`."
  )
  .annotate(OpenApi.Transform, (document) => finishDocument(document, operationScopes())) {}

/**
 * The platform wires its own decode error into every api; this puts ours in its place, in the body, the document and
 * the client at once. After the last `.add`.
 */
export const Api: typeof ApiBase = Object.assign(Object.create(ApiBase), ApiBase, {
  errorSchema: Schema.Union(DecodeErrorWire, unavailable)
})

/** Name of each operation in the document → the scope that it asks for. */
function operationScopes(): ReadonlyMap<string, Scope> {
  const scopes = new Map<string, Scope>()
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) => {
      const scope = Context.get(endpoint.annotations, RequiredScope)
      scopes.set(`${group.identifier}.${endpoint.name}`, scope)
    }
  })
  return scopes
}
