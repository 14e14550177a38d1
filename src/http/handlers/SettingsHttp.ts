/** `/settings`: decodes requests, calls one service, and adds headers such as `Link`. */
import { HttpApiBuilder } from "@effect/platform"
import { Effect, Redacted } from "effect"
import { Api } from "../../api/Api.ts"
import { Accounts } from "../../services/accounts/Accounts.ts"
import { ApiKeys } from "../../services/accounts/ApiKeys.ts"
import { AuditLog } from "../../services/accounts/AuditLog.ts"
import { Connections } from "../../services/connections/Connections.ts"
import { readPage } from "../../services/requests/readPage.ts"
import type { CreatedKey } from "../../store/accounts/KeyStore.ts"
import { command, query } from "../request/commandQuery.ts"
import { linked } from "../request/paging.ts"

const defaultPage = 25

/** Handlers of the group `settings` of the contract. */
export const SettingsHttp = HttpApiBuilder.group(Api, "settings", (handlers) =>
  Effect.map(Effect.all([Accounts, ApiKeys, AuditLog, Connections]), ([accounts, keys, audit, connections]) =>
    handlers
      .handle("audit", ({ urlParams }) =>
        query(({ ownerId }) =>
          linked(
            readPage(
              urlParams.limit ?? defaultPage,
              (limit) => audit.list(ownerId, { ...urlParams, limit }),
              ({ _id }) => _id
            )
          )
        )
      )
      .handle("account", () => query(accounts.read))
      .handle("keys", () => query(({ ownerId }) => keys.list(ownerId)))
      .handle("createKey", ({ payload }) =>
        command((caller) => keys.create(caller.ownerId, payload, caller.scopes).pipe(Effect.map(shownOnce)))
      )
      .handle("rollKey", ({ path, payload }) =>
        command((caller) =>
          keys
            .roll(caller.ownerId, path.id, payload.overlapDays ?? 0, caller.scopes)
            .pipe(Effect.map(shownOnce))
        )
      )
      .handle("egress", ({ payload }) => query(() => connections.mayCall(payload.url)))
      .handle("revokeKey", ({ path }) => command(({ ownerId }) => keys.revoke(ownerId, path.id)))
  )
)

const shownOnce = ({ key, view }: CreatedKey) => ({ ...view, key: Redacted.value(key) })
