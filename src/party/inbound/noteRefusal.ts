/** Tells the owner of a party why a partner's credentials were refused; the partner may not show it. */
import { Effect } from "effect"
import type { Exchange } from "../../../schema/Exchange.ts"
import type { PartyId } from "../../../schema/Ids.ts"
import { ocpiStatus } from "../../../schema/ocpi/envelope.ts"
import { wordsIn } from "../../findings/partnerWords.ts"
import { parseJson } from "../../findings/readJson.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import type { ModuleAnswer } from "../modules/Route.ts"

/** Sets `lastError` when a POST or PUT of credentials was refused. `exchange`: its redacted record. */
export const noteRefusal = Effect.fnUntraced(function* (
  id: PartyId,
  answer: ModuleAnswer,
  exchange: Exchange
) {
  const { method } = exchange.request
  const isChange = exchange.module === "credentials" && (method === "POST" || method === "PUT")
  if (!isChange || answer.statusCode === ocpiStatus.success) return
  const status = answer.httpStatus === 200 ? answer.statusCode : `HTTP ${answer.httpStatus}`
  const said = wordsIn(parseJson(exchange.response?.body ?? ""))
  const lastError = `${answer.kind ?? "protocol"}: the partner's ${method} credentials was refused with ${status}${said === undefined ? "" : `: ${said}`}`
  const store = yield* PartyStore
  yield* store.update(id, (party) => ({ ...party, lastError }))
})
