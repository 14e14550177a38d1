/** Asynchronous results, sent to a response_url of ours. */
import { Option } from "effect"
import { ocpiStatus } from "../../../../schema/ocpi/envelope.ts"
import { expectedResults, PartyStore } from "../../../store/parties/PartyStore.ts"
import { traced } from "../../../telemetry/traced.ts"
import { resultsOf } from "../../outbound/PartnerCalls.ts"
import { nowIso } from "../../wire/instants.ts"
import { type ModuleCall, notFound, refusal } from "../Route.ts"

/**
 * Stores the result, also a late, invalid or duplicate one: the sender of the command judges it. Refused are only a URL
 * that we never gave, and results that `expectResult` marked to be refused.
 */
export const keepResult = traced("party.keepResult")(function* (
  call: ModuleCall,
  request: string,
  key: string
) {
  const store = yield* PartyStore
  const expected = yield* store.object(call.party.id, expectedResults, "own", key)
  if (Option.isNone(expected) || expected.value.json["command"] !== request)
    return yield* notFound(ocpiStatus.clientError, `No ${request} was sent with this response_url`)
  const receivedAt = yield* nowIso
  yield* store.putObject(call.party.id, {
    module: resultsOf(key),
    key: call.exchangeId,
    side: "received",
    json: { receivedAt, body: call.json ?? null },
    lastUpdated: receivedAt
  })
  if (expected.value.json["refused"] === true)
    return yield* refusal(ocpiStatus.serverError, "This result is refused on purpose", 500)
})
