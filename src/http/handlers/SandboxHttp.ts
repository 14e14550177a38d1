/** `/sandbox`: decodes requests, calls one service, and adds headers such as `Link`. */
import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../api/Api.ts"
import { Sandboxes } from "../../services/sandboxes/Sandboxes.ts"
import { command, query } from "../request/commandQuery.ts"
import { defaultExchanges, linked } from "../request/paging.ts"

/** Handlers of the group `sandbox` of the contract. */
export const SandboxHttp = HttpApiBuilder.group(Api, "sandbox", (handlers) =>
  Effect.map(Sandboxes, (sandboxes) =>
    handlers
      .handle("create", ({ payload }) => command((caller) => sandboxes.create(caller, payload)))
      .handle("list", () => query(sandboxes.list))
      .handle("read", ({ path }) => query((caller) => sandboxes.read(caller, path.id)))
      .handle("exchanges", ({ path, urlParams }) =>
        query((caller) =>
          linked(
            sandboxes.exchanges(caller, path.id, { ...urlParams, limit: urlParams.limit ?? defaultExchanges })
          )
        )
      )
      .handle("remove", ({ path }) => command((caller) => sandboxes.remove(caller, path.id)))
      .handle("issueToken", ({ path }) => command((caller) => sandboxes.issueToken(caller, path.id)))
      .handle("setFaults", ({ path, payload }) =>
        command((caller) => sandboxes.setFaults(caller, path.id, payload.faults))
      )
      .handle("handshake", ({ path, payload }) =>
        command((caller) => sandboxes.handshake(caller, path.id, payload))
      )
      .handle("leave", ({ path }) => command((caller) => sandboxes.leave(caller, path.id)))
      .handle("faults", () => Effect.succeed(sandboxes.library))
  )
)
