/** Where the other processes on the database call this one. */
import { HttpLayerRouter } from "@effect/platform"
import { Effect } from "effect"
import { messagesPath, ProcessMessages } from "../../placement/shards/messages.ts"

/** The route of messages between processes. */
export const ProcessMessagesHttp = HttpLayerRouter.use((router) =>
  Effect.flatMap(ProcessMessages, ({ answer }) => router.add("POST", messagesPath, answer))
)
