/** Evidence of a call without an accepted token, for the owner of the connection that it is about. */
import { Clock, Option } from "effect"
import type { Party } from "../../store/parties/Party.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import type { NamedToken } from "../../store/parties/TokenSlot.ts"
import { traced } from "../../telemetry/traced.ts"
import { messageIdsOf } from "../wire/messageId.ts"
import type { OcpiReply, OcpiRequest } from "../wire/Request.ts"
import { exchangeIdOf } from "./exchangeIdOf.ts"
import { inboundExchange } from "./inboundExchange.ts"
import { refusedEvidence } from "./refusedEvidence.ts"

/** Has the path the shape of a response_url of ours: version, module, what was asked, id? */
export const isAtResponseUrl = ({ method, path: [, module, , key, ...more] }: OcpiRequest): boolean =>
  method === "POST" &&
  (module === "commands" || module === "chargingprofiles") &&
  key !== undefined &&
  more.length === 0

/** What is stored in the place of a token that we do not know: it may be another one's secret. */
const notOurs = "(no token of this connection)"

/**
 * Records the call. `retired`: the party of a token that is over, and the token as it was sent. Without it the call is
 * recorded only where its path is a response_url that we gave away: nobody else can know that. The operation is named by method
 * and path alone.
 */
export const recordRefusedCall = traced("party.recordRefusedCall")(function* (
  retired: { readonly party: Party; readonly token: NamedToken } | undefined,
  asked: OcpiRequest,
  reply: OcpiReply
) {
  const store = yield* PartyStore
  const partyId = retired?.party.id ?? Option.getOrUndefined(yield* store.expecting(asked.path[3] ?? ""))
  if (partyId === undefined) return
  const { authorization } = asked.headers
  const request =
    retired !== undefined || authorization === undefined
      ? asked
      : { ...asked, headers: { ...asked.headers, authorization: notOurs } }
  const [version, module, ...segments] = request.path
  const isList = version === undefined || version === "versions"
  const whole = inboundExchange(request, reply, {
    id: exchangeIdOf(request, yield* Clock.currentTimeMillis),
    module: module ?? "versions",
    operation: module === undefined ? (isList ? "list" : "details") : [request.method, ...segments].join(" "),
    ...messageIdsOf(request.headers),
    durationMs: 0,
    secrets: [...(yield* store.secrets(partyId)), ...(retired === undefined ? [] : [retired.token])]
  })
  yield* store.record(partyId, yield* refusedEvidence(partyId, whole, request.body), "refused")
})
