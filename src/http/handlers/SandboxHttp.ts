/** `/sandbox`. */
import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../api/Api.ts"
import { CurrentCaller } from "../../api/Authentication.ts"
import { Sandboxes } from "../../services/sandboxes/Sandboxes.ts"
import { command, query } from "../request/commandQuery.ts"

export const SandboxHttp = HttpApiBuilder.group(Api, "sandbox", (handlers) =>
  Effect.map(Sandboxes, (sandboxes) =>
    handlers
      .handle("create", ({ payload }) =>
        command(
          201,
          Effect.flatMap(CurrentCaller, (caller) => sandboxes.create(caller, payload))
        )
      )
      .handle("list", () => Effect.flatMap(CurrentCaller, sandboxes.list))
      .handle("read", ({ path }) =>
        Effect.flatMap(CurrentCaller, (caller) => sandboxes.read(caller, path.id)).pipe(query)
      )
      .handle("remove", ({ path }) =>
        command(
          200,
          Effect.flatMap(CurrentCaller, (caller) => sandboxes.remove(caller, path.id))
        )
      )
      .handle("setFaults", ({ path, payload }) =>
        command(
          200,
          Effect.flatMap(CurrentCaller, (caller) => sandboxes.setFaults(caller, path.id, payload.faults))
        )
      )
      .handle("handshake", ({ path, payload }) =>
        command(
          200,
          Effect.flatMap(CurrentCaller, (caller) => sandboxes.handshake(caller, path.id, payload))
        )
      )
      .handle("leave", ({ path }) =>
        command(
          200,
          Effect.flatMap(CurrentCaller, (caller) => sandboxes.leave(caller, path.id))
        )
      )
      .handle("faults", () => Effect.succeed(sandboxes.library))
  )
)
