/** A process of its own that uses the embedded Postgres under the directory given, until it is told to stop or killed. */
import { Effect, Redacted } from "effect"
import * as EmbeddedPostgres from "../../../src/database/embedded/EmbeddedPostgres.ts"

const controller = new AbortController()
process.once("SIGTERM", () => controller.abort())

Effect.runPromiseExit(
  Effect.scoped(
    Effect.gen(function* () {
      const { adminUrl } = yield* EmbeddedPostgres.acquire({ dataDir: process.argv[2]! })
      process.stdout.write(`${Redacted.value(adminUrl)}\n`)
      return yield* Effect.never
    })
  ),
  { signal: controller.signal }
)
