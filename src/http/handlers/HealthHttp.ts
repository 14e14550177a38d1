/** `/health/live`: the process runs. `/health/ready`: it accepts requests, and the database accepts writes. */
import { HttpLayerRouter } from "@effect/platform"
import { Effect } from "effect"
import { Database } from "../../database/Database.ts"
import type { WriteState } from "../../database/writes.ts"
import { databaseAwayMessage, databaseAwaySeconds } from "../../services/requests/unavailable.ts"
import { errorAnswer, jsonText, liveText } from "../answer/answers.ts"
import { Draining } from "../request/Draining.ts"

const words: Readonly<Record<Exclude<WriteState, "ok">, string>> = {
  away: databaseAwayMessage,
  "disk full": "The database takes no writes: its disk is full",
  "read-only": "The database takes no writes: it is read-only (a standby, or set to it)",
  refused: "The database takes no writes: it refused a trial write; see its log"
}

/** The routes of the health checks: 200, or 503 with Retry-After. */
export const HealthHttp = HttpLayerRouter.use((router) =>
  Effect.gen(function* () {
    const database = yield* Database
    const draining = yield* Draining
    yield* router.add(
      "GET",
      "/health/live",
      Effect.sync(() => jsonText(liveText))
    )
    yield* router.add(
      "GET",
      "/health/ready",
      Effect.suspend(() =>
        !draining.isReady()
          ? Effect.succeed(errorAnswer(503, "The server is draining", { "retry-after": "5" }))
          : Effect.map(database.writes, (state) =>
              state === "ok"
                ? jsonText(liveText)
                : errorAnswer(503, words[state], { "retry-after": String(databaseAwaySeconds) })
            )
      )
    )
  })
)
