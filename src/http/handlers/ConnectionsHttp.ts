/** `/connections`. */
import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../api/Api.ts"
import { CurrentCaller } from "../../api/Authentication.ts"
import { Connections } from "../../services/connections/Connections.ts"
import { Preflights } from "../../services/connections/Preflights.ts"
import { Registrations } from "../../services/connections/Registrations.ts"
import { command, query } from "../request/commandQuery.ts"
import { linkNext } from "../request/paging.ts"

const defaultPage = 25

export const ConnectionsHttp = HttpApiBuilder.group(Api, "connections", (handlers) =>
  Effect.map(
    Effect.all([Connections, Registrations, Preflights]),
    ([connections, registrations, preflights]) =>
      handlers
        .handle("create", ({ payload }) =>
          command(
            201,
            Effect.flatMap(CurrentCaller, (caller) => connections.create(caller, payload))
          )
        )
        .handle("list", ({ urlParams }) =>
          Effect.gen(function* () {
            const limit = urlParams.limit ?? defaultPage
            const found = yield* connections.list(yield* CurrentCaller, { ...urlParams, limit })
            yield* linkNext({
              full: found.length === limit,
              parameter: "cursor",
              value: found.at(-1)?._id ?? ""
            })
            return found
          }).pipe(query)
        )
        .handle("read", ({ path }) =>
          Effect.flatMap(CurrentCaller, (caller) => connections.read(caller, path.id)).pipe(query)
        )
        .handle("handshake", ({ path, payload }) =>
          command(
            200,
            Effect.flatMap(CurrentCaller, (caller) => registrations.handshake(caller, path.id, payload))
          )
        )
        .handle("invite", ({ path }) =>
          command(
            201,
            Effect.flatMap(CurrentCaller, (caller) => registrations.invite(caller, path.id))
          )
        )
        .handle("preflight", ({ path }) =>
          command(
            200,
            Effect.flatMap(CurrentCaller, (caller) => preflights.run(caller, path.id))
          )
        )
        .handle("setDialect", ({ path, payload }) =>
          command(
            200,
            Effect.flatMap(CurrentCaller, (caller) => registrations.setDialect(caller, path.id, payload))
          )
        )
        .handle("exchanges", ({ path, urlParams }) =>
          Effect.gen(function* () {
            const limit = urlParams.limit ?? 100
            const found = yield* connections.exchanges(
              yield* CurrentCaller,
              path.id,
              urlParams.after ?? 0,
              limit
            )
            yield* linkNext({
              full: found.length === limit,
              parameter: "after",
              value: found.at(-1)?.position ?? 0
            })
            return found.map(({ exchange }) => exchange)
          }).pipe(query)
        )
        .handle("remove", ({ path }) =>
          command(
            200,
            Effect.flatMap(CurrentCaller, (caller) => connections.remove(caller, path.id))
          )
        )
  )
)
