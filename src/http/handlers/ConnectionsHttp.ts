/** `/connections`: decodes requests, calls one service, and adds headers such as `Link`. */
import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import type { Connection } from "../../../schema/Connection.ts"
import { Unsupported } from "../../../schema/Errors.ts"
import { Api } from "../../api/Api.ts"
import { Connections } from "../../services/connections/Connections.ts"
import { Preflights } from "../../services/connections/Preflights.ts"
import { Registrations } from "../../services/connections/Registrations.ts"
import { readPage } from "../../services/requests/readPage.ts"
import { command, query } from "../request/commandQuery.ts"
import { defaultExchanges, linked } from "../request/paging.ts"

const defaultPage = 25

/** Handlers of the group `connections` of the contract. */
export const ConnectionsHttp = HttpApiBuilder.group(Api, "connections", (handlers) =>
  Effect.map(
    Effect.all([Connections, Registrations, Preflights]),
    ([connections, registrations, preflights]) =>
      handlers
        .handle("create", ({ payload }) => command((caller) => connections.create(caller, payload)))
        .handle("list", ({ urlParams }) =>
          query((caller) =>
            linked(
              readPage(
                urlParams.limit ?? defaultPage,
                (limit) => connections.list(caller, { ...urlParams, limit }),
                ({ _id }) => _id
              )
            )
          )
        )
        .handle("read", ({ path }) => query((caller) => connections.read(caller, path.id)))
        .handle("handshake", ({ path, payload, urlParams }) =>
          command(
            (caller) => registrations.handshake(caller, path.id, payload),
            urlParams.expect === undefined ? undefined : (_, { data }) => registeredOr422(data)
          )
        )
        .handle("invite", ({ path }) => command((caller) => registrations.invite(caller, path.id)))
        .handle("preflight", ({ path }) => command((caller) => preflights.run(caller, path.id)))
        .handle("setDialect", ({ path, payload }) =>
          command((caller) => registrations.setDialect(caller, path.id, payload))
        )
        .handle("exchanges", ({ path, urlParams }) =>
          query((caller) =>
            linked(
              connections.exchanges(caller, path.id, {
                ...urlParams,
                limit: urlParams.limit ?? defaultExchanges
              })
            )
          )
        )
        .handle("remove", ({ path }) => command((caller) => connections.remove(caller, path.id)))
  )
)

/**
 * The connection as JSON text after a handshake that the caller expects to succeed; fails with Unsupported and the handshake's
 * reason when it did not.
 */
const registeredOr422 = (connection: Connection) =>
  connection.status === "registered" && connection.lastError === undefined
    ? Effect.succeed(JSON.stringify(connection))
    : Effect.fail(new Unsupported({ message: connection.lastError ?? "The handshake failed" }))
