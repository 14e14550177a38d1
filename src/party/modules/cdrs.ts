/** CDRs (mod_cdrs): a CPO serves the list; an EMSP accepts each CDR once and returns its URL in `Location`. */
import { Effect, Option } from "effect"
import { ocpiStatus } from "../../../schema/ocpi/envelope.ts"
import { textIn } from "../../findings/json.ts"
import { joinUrl } from "../../ocpi/urls.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import { moduleUrl } from "../wire/roots.ts"
import { counterpartOf } from "../wire/routing.ts"
import { type ClientOwnedKind, getOwned, isPartners, keepOver } from "./clientOwned.ts"
import { ownList } from "./ownList.ts"
import { ofOwnToken } from "./ownTokens.ts"
import type { ModuleCall, Route } from "./Route.ts"
import { refusal, stored } from "./Route.ts"
import { validBody } from "./requestBody.ts"
import { sameJson } from "./sameJson.ts"

const kind: ClientOwnedKind = {
  module: "cdrs",
  object: "CDR",
  idField: "id",
  unknown: ocpiStatus.clientError
}

/** A CDR is immutable: the same one again succeeds, a different one with the same id gets 2001. */
const postCdr = Effect.fnUntraced(function* (call: ModuleCall) {
  const store = yield* PartyStore
  const json = yield* validBody(call, "CDR")
  const partner = counterpartOf(call.party)
  const country = textIn(json["country_code"]) ?? partner?.countryCode ?? call.party.identity.countryCode
  const party = textIn(json["party_id"]) ?? partner?.partyId ?? call.party.identity.partyId
  if (!isPartners(call, country, party))
    return yield* refusal(
      ocpiStatus.invalidParameters,
      `${country}/${party} is not a party of this connection's partner`
    )
  const id = textIn(json["id"])
  if (id === undefined) return yield* refusal(ocpiStatus.invalidParameters, "The CDR has no id")
  yield* ofOwnToken(call, json)
  const key = `${country}/${party}/${id}`
  const url = joinUrl(moduleUrl(call.root, call.profile.version, "cdrs"), [country, party, id])
  const known = yield* store.object(call.party.id, "cdrs", "received", key)
  if (Option.isSome(known) && !sameJson(known.value.json, json))
    return yield* refusal(
      ocpiStatus.invalidParameters,
      `CDR ${id} was posted before with other content; a CDR cannot be changed, credit it instead`
    )
  if (Option.isNone(known)) yield* keepOver(call, kind, { read: undefined, key, json })
  return stored({ created: Option.isNone(known) }, { Location: url })
})

/** Routes of the module cdrs. */
export const cdrRoutes: ReadonlyArray<Route> = [
  {
    module: "cdrs",
    interfaceRole: "SENDER",
    method: "GET",
    pattern: [],
    operation: "list",
    handle: ownList("cdrs")
  },
  {
    module: "cdrs",
    interfaceRole: "RECEIVER",
    method: "POST",
    pattern: [],
    operation: "POST cdr",
    handle: postCdr
  },
  {
    module: "cdrs",
    interfaceRole: "RECEIVER",
    method: "GET",
    pattern: ["{country}", "{party}", "{id}"],
    operation: "GET cdr",
    handle: getOwned(kind)
  }
]
