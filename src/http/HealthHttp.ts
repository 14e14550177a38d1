/** `/health/live`: the process answers. `/health/ready`: it takes requests, and the database is there. */
import { HttpLayerRouter } from "@effect/platform"
import { Effect } from "effect"
import { databaseAwayMessage, databaseAwaySeconds } from "../services/unavailable.ts"
import { Database } from "../store/Database.ts"
import { errorAnswer, jsonText } from "./answers.ts"
import { Draining } from "./Draining.ts"

const yes = JSON.stringify({ success: true, data: { status: "ok" } })

export const HealthHttp = HttpLayerRouter.use((router) =>
  Effect.gen(function* () {
    const database = yield* Database
    const draining = yield* Draining
    yield* router.add(
      "GET",
      "/health/live",
      Effect.sync(() => jsonText(yes))
    )
    yield* router.add(
      "GET",
      "/health/ready",
      Effect.suspend(() =>
        draining.isDraining()
          ? Effect.succeed(errorAnswer(503, "The server is draining", { "retry-after": "5" }))
          : Effect.map(database.up, (up) =>
              up
                ? jsonText(yes)
                : errorAnswer(503, databaseAwayMessage, { "retry-after": String(databaseAwaySeconds) })
            )
      )
    )
  })
)
