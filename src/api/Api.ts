/** The whole HTTP contract: `src/http` implements it, the command line's client and the OpenAPI document derive from it. */
import { HttpApi, OpenApi } from "@effect/platform"
import { Context, Schema } from "effect"
import type { Scope } from "../../schema/Account.ts"
import { AdmittedBy, RequiredScope } from "./Authentication.ts"
import { ConnectionsApi } from "./ConnectionsApi.ts"
import { DecodeErrorWire } from "./decodeError.ts"
import { unavailable } from "./failures.ts"
import { JourneyRunsApi } from "./JourneyRunsApi.ts"
import { MachinesApi } from "./MachinesApi.ts"
import { finishDocument } from "./openApi.ts"
import { SandboxApi } from "./SandboxApi.ts"
import { ScenariosApi } from "./ScenariosApi.ts"
import { SessionApi } from "./SessionApi.ts"
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
  .add(SessionApi)
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
 * The API with `DecodeErrorWire` in place of the decode error that the platform adds to every API, so that bodies,
 * document and client agree. Must come after the last `.add`.
 */
export const Api: typeof ApiBase = Object.assign(Object.create(ApiBase), ApiBase, {
  errorSchema: Schema.Union(DecodeErrorWire, unavailable)
})

/** Operation id in the document → the scope of the key that the operation needs, or what admits to it instead of a key. */
function operationScopes(): ReadonlyMap<string, Scope | "session" | "anything"> {
  const scopes = new Map<string, Scope | "session" | "anything">()
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) => {
      const admittedBy = Context.get(endpoint.annotations, AdmittedBy)
      const scope = Context.get(endpoint.annotations, RequiredScope)
      scopes.set(`${group.identifier}.${endpoint.name}`, admittedBy === "key" ? scope : admittedBy)
    }
  })
  return scopes
}
