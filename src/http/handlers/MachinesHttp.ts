/** `/machines`, `/processes` and `/leases`: decodes requests, calls one service, and adds headers such as `Link`. */
import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../api/Api.ts"
import { Machines } from "../../services/operators/Machines.ts"
import { Processes } from "../../services/operators/Processes.ts"
import { readPage } from "../../services/requests/readPage.ts"
import { query } from "../request/commandQuery.ts"
import { linked } from "../request/paging.ts"

const defaultLeases = 100

/** Handlers of the group `machines` of the contract. */
export const MachinesHttp = HttpApiBuilder.group(Api, "machines", (handlers) =>
  Effect.map(Effect.all([Machines, Processes]), ([machines, processes]) =>
    handlers
      .handle("list", () => query(machines.list))
      .handle("read", ({ path }) => query((caller) => machines.read(caller, path.id)))
      .handle("processes", () => query(processes.list))
      .handle("leases", ({ urlParams }) =>
        query((caller) =>
          linked(
            readPage(
              urlParams.limit ?? defaultLeases,
              (limit) => processes.leases(caller, { ...urlParams, limit }),
              ({ runId }) => runId
            )
          )
        )
      )
  )
)
