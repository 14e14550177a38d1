/** What a repeated request with an Idempotency-Key gets: the first answer, unless it showed a secret. */
import { shownIn } from "../../../schema/fields/ShownOnce.ts"
import type { StoredAnswer } from "../../store/accounts/IdempotencyStore.ts"
import { errorBody } from "../answer/bodies.ts"
import { idIn } from "./auditEntries.ts"
import { shownOnceOf } from "./routes.ts"

/**
 * The answer to store for repeated requests. If the first answer shows a secret, it is a 409 that names what was made and how
 * to get another secret: it is unknown whether the first answer arrived, and a secret that is in use must not be replaced.
 * A request whose process died before it stored an answer is carried out again (IdempotentRequest.ts).
 */
export const replayOf = (operation: string, first: StoredAnswer): StoredAnswer => {
  const body = JSON.parse(first.body) as unknown
  const told = shownOnceOf(operation).filter(({ path }) => shownIn(body, path))
  if (told.length === 0) return first
  const made = idIn((body as { readonly data?: unknown }).data) // `first` has our envelope
  const fields = told.map(({ path }) => path.at(-1)).join(" and ")
  const what = made === undefined ? "This was done before" : `This was done before and made ${made}`
  const message = `${what}; its ${fields} was shown once and is kept for no replay. When that answer was lost, ${told[0]!.lost}`
  return { status: 409, headers: {}, body: errorBody(message) }
}
