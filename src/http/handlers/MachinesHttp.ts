/** `/machines`: decodes requests, calls one service, and adds headers such as `Link`. */
import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../api/Api.ts"
import { Machines } from "../../services/operators/Machines.ts"
import { query } from "../request/commandQuery.ts"

/** Handlers of the group `machines` of the contract. */
export const MachinesHttp = HttpApiBuilder.group(Api, "machines", (handlers) =>
  Effect.map(Machines, (machines) =>
    handlers
      .handle("list", () => query(machines.list))
      .handle("read", ({ path }) => query((caller) => machines.read(caller, path.id)))
  )
)
