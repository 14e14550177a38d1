/** Evidence of a refused request with a retired token, for the owner of the connection. */
import { Effect } from "effect"
import { newId } from "../../database/newId.ts"
import { type NamedToken, type Party, PartyStore } from "../../store/parties/PartyStore.ts"
import { freshUuid } from "../wire/messageId.ts"
import type { OcpiReply, OcpiRequest } from "../wire/Request.ts"
import { inboundExchange } from "./inboundExchange.ts"
import { refusedEvidence } from "./refusedEvidence.ts"

/**
 * Records the request. `retired`: the token's party, and the token as it was sent. The operation is named by method and
 * path alone.
 */
export const recordRetiredTokenCall = Effect.fn("party.recordRetiredTokenCall")(function* (
  retired: { readonly party: Party; readonly token: NamedToken },
  request: OcpiRequest,
  reply: OcpiReply
) {
  const store = yield* PartyStore
  const { party, token } = retired
  const [version, module, ...segments] = request.path
  const isList = version === undefined || version === "versions"
  const whole = inboundExchange(request, reply, {
    id: yield* newId("exchange"),
    module: module ?? "versions",
    operation: module === undefined ? (isList ? "list" : "details") : [request.method, ...segments].join(" "),
    requestId: request.headers["x-request-id"] ?? (yield* freshUuid),
    correlationId: request.headers["x-correlation-id"] ?? (yield* freshUuid),
    durationMs: 0,
    secrets: [...(yield* store.secrets(party.id)), token]
  })
  yield* store.record(party.id, yield* refusedEvidence(party.id, whole, request.body), "refused")
})
