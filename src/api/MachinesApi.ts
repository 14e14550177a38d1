/** `/machines`: the state machines of runs and registrations, with the number of the caller's runs or connections in each state. */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { IdText } from "../../schema/fields/bounds.ts"
import { MachineSummary, MachineView } from "../../schema/Machine.ts"
import { Authentication } from "./Authentication.ts"
import { ok } from "./envelope.ts"
import { notFound } from "./failures.ts"

/** Read-only operations on the state machines. */
export class MachinesApi extends HttpApiGroup.make("machines")
  .add(
    HttpApiEndpoint.get("list", "/machines")
      .addSuccess(ok("MachinesResponse", Schema.Array(MachineSummary)))
      .annotate(
        OpenApi.Summary,
        "List the state machines, with the number of the caller's runs or connections in each state"
      )
  )
  .add(
    HttpApiEndpoint.get("read", "/machines/:id")
      .setPath(Schema.Struct({ id: IdText }))
      .addSuccess(ok("MachineResponse", MachineView))
      .addError(notFound)
      .annotate(OpenApi.Summary, "Read one state machine: states, transitions, layout and live counts")
  )
  .middleware(Authentication)
  .annotate(OpenApi.Description, "The state machines behind runs and registrations") {}
