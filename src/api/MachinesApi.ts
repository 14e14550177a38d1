/** `/machines`: the state machines behind runs and registrations, for those who operate them. */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { IdText } from "../../schema/fields/bounds.ts"
import { MachineSummary, MachineView } from "../../schema/Machine.ts"
import { Authentication } from "./Authentication.ts"
import { ok } from "./envelope.ts"
import { notFound } from "./failures.ts"

export class MachinesApi extends HttpApiGroup.make("machines")
  .add(
    HttpApiEndpoint.get("list", "/machines")
      .addSuccess(ok("MachinesResponse", Schema.Array(MachineSummary)))
      .annotate(OpenApi.Summary, "List the state machines, with how many of the caller's are in each state")
  )
  .add(
    HttpApiEndpoint.get("read", "/machines/:id")
      .setPath(Schema.Struct({ id: IdText }))
      .addSuccess(ok("MachineResponse", MachineView))
      .addError(notFound)
      .annotate(OpenApi.Summary, "States, transitions, drawing and live counts of a state machine")
  )
  .middleware(Authentication)
  .annotate(OpenApi.Description, "The state machines behind runs and registrations") {}
