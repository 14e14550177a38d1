/**
 * `/machines`: the state machines of runs and registrations, with the number of the caller's runs or connections in each
 * state. `/processes` and `/leases`: who works on these runs.
 */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { IdText } from "../../schema/fields/bounds.ts"
import { MachineSummary, MachineView, RunLease, ServiceProcess } from "../../schema/Machine.ts"
import { RunKind } from "../../schema/RunReport.ts"
import { Authentication } from "./Authentication.ts"
import { ok } from "./envelope.ts"
import { notFound } from "./failures.ts"
import { Cursor, Limit, optional } from "./queries.ts"

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
  .add(
    HttpApiEndpoint.get("processes", "/processes")
      .addSuccess(ok("ProcessesResponse", Schema.Array(ServiceProcess)))
      .annotate(
        OpenApi.Summary,
        "List the processes of the service, with the number of the caller's runs that each works on"
      )
  )
  .add(
    HttpApiEndpoint.get("leases", "/leases")
      .setUrlParams(
        Schema.Struct({
          limit: optional(Limit(100, 1000)),
          cursor: optional(Cursor),
          kind: optional(RunKind)
        })
      )
      .addSuccess(ok("LeasesResponse", Schema.Array(RunLease)))
      .annotate(
        OpenApi.Summary,
        "List who works on the caller's open runs: process and epoch, newest run first; `cursor` is a run id"
      )
  )
  .middleware(Authentication)
  .annotate(
    OpenApi.Description,
    "The state machines behind runs and registrations, and the processes that work on them"
  ) {}
