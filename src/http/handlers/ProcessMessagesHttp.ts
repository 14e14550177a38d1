/** Where the other processes on the database call this one. */
import { HttpLayerRouter } from "@effect/platform"
import { Effect } from "effect"
import { messagesPath, ProcessMessages } from "../../placement/shards/messages.ts"
import { errorAnswer } from "../answer/answers.ts"

/** The route of messages between processes: 401 without their token. */
export const ProcessMessagesHttp = HttpLayerRouter.use((router) =>
  Effect.flatMap(ProcessMessages, ({ answer }) =>
    router.add(
      "POST",
      messagesPath,
      Effect.map(answer, (response) =>
        response.status === 401
          ? errorAnswer(401, "Only processes of this service on the same database may call here")
          : response
      )
    )
  )
)
