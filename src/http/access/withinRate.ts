/** The rate of an API key, for a request that has been counted. */
import { Effect } from "effect"
import { TooMany } from "../../../schema/Errors.ts"
import type { Taken } from "../../services/accounts/rateLimitBatch.ts"
import { rateHeaders } from "../answer/rateHeaders.ts"
import { noteHeaders } from "../request/requestNotes.ts"

/** Adds the RateLimit headers to the answer; fails when the key has no request left. */
export const withinRate = Effect.fnUntraced(function* ({ allowed, standing }: Taken) {
  yield* noteHeaders(rateHeaders("default", standing))
  if (allowed) return
  yield* noteHeaders({ "retry-after": String(standing.resetSeconds) })
  const message = `At most ${standing.limit} requests a minute a key; try again in ${standing.resetSeconds} s`
  return yield* new TooMany({ message, retryAfterSeconds: standing.resetSeconds })
})
