/** Looks whether the service's database is there and answers, without creating, starting or changing it: for `plugfest doctor`. */
import { Clock, Effect } from "effect"
import type pg from "pg"
import { configOf } from "./access.ts"
import type { DatabaseOptions } from "./Database.ts"
import { findCluster } from "./embedded/postgresCluster.ts"
import { refuseSuperuser } from "./logins/logins.ts"
import { withClient } from "./migrate.ts"

/**
 * `answers`: it was asked; `aheadMillis` is its time less that of this machine. `stopped`: an embedded one, which a service starts.
 * `none`: no embedded one yet; the first start makes it.
 */
export type DatabaseLook =
  | { readonly state: "answers"; readonly version: string; readonly aheadMillis: number }
  | { readonly state: "stopped"; readonly version: string; readonly folder: string }
  | { readonly state: "none" }

/** Fails with what is in the way, in a message that says what to change. */
export const lookAtDatabase = Effect.fnUntraced(function* ({
  adminUrl,
  allowSuperuser = false,
  dataDir,
  url
}: DatabaseOptions): Effect.fn.Return<DatabaseLook, { readonly message: string }> {
  // The login that serves may have to be made by the one that migrates.
  if (url !== undefined)
    return yield* ask(configOf(adminUrl ?? url), { allowSuperuser: allowSuperuser || adminUrl !== undefined })
  const found = yield* Effect.tryPromise({
    try: () => findCluster(dataDir),
    catch: (error) => ({ message: error instanceof Error ? error.message : String(error) })
  })
  if (found === undefined) return { state: "none" }
  if (found.adminUrl === undefined) return { state: "stopped", version: found.version, folder: found.root }
  return yield* ask(configOf(found.adminUrl), { allowSuperuser: true })
})

const ask = Effect.fnUntraced(function* (
  config: pg.ClientConfig,
  { allowSuperuser }: { readonly allowSuperuser: boolean }
) {
  const said = yield* withClient(config, async (client) => {
    if (!allowSuperuser) await refuseSuperuser(client)
    const { rows } = await client.query<{ readonly now: number; readonly version: string }>(
      "SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now, current_setting('server_version') AS version"
    )
    return rows[0]
  })
  const here = yield* Clock.currentTimeMillis
  return {
    state: "answers" as const,
    version: said?.version ?? "unknown",
    aheadMillis: Math.round((said?.now ?? here) - here)
  }
})
