/** `/machines`. */
import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../api/Api.ts"
import { CurrentCaller } from "../../api/Authentication.ts"
import { Machines } from "../../services/operators/Machines.ts"
import { query } from "../request/commandQuery.ts"

export const MachinesHttp = HttpApiBuilder.group(Api, "machines", (handlers) =>
  Effect.map(Machines, (machines) =>
    handlers
      .handle("list", () => Effect.flatMap(CurrentCaller, machines.list).pipe(query))
      .handle("read", ({ path }) =>
        Effect.flatMap(CurrentCaller, (caller) => machines.read(caller, path.id)).pipe(query)
      )
  )
)
