/** Begins what takes other processes a while, before the code of the service is read. */
import { Effect, type Scope } from "effect"
import { problemsOf } from "./checkSettings.ts"
import * as EmbeddedPostgres from "./database/embedded/EmbeddedPostgres.ts"
import type { Settings } from "./Settings.ts"

/**
 * Begins to start the embedded Postgres, if it is the one to be used and the settings will not be refused. What goes wrong is told
 * when it is needed.
 */
export const headStart = (settings: Settings): Effect.Effect<void, never, Scope.Scope> =>
  settings.databaseUrl === undefined && problemsOf(settings).refused.length === 0
    ? EmbeddedPostgres.begin({ dataDir: settings.dataDir })
    : Effect.void
