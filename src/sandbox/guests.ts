/**
 * A sandbox CPO's past sessions and CDRs are generated before it knows its counterpart, so they name the drivers of a
 * placeholder EMSP. An honest CPO lists to an EMSP the charges of that EMSP's drivers: the lists name those instead.
 */

import { isObject, type JsonObject } from "../findings/json.ts"
import type { Behaviour } from "../party/wire/PartnerQuirks.ts"
import type { Party } from "../store/parties/Party.ts"
import { aboutList, editObjects, when } from "./faults/replies.ts"
import { guest } from "./seed/wording.ts"

const prefix = `${guest.countryCode}-${guest.partyId}-`

/** In lists of sessions and CDRs, replaces the placeholder EMSP of the seed (`guest`) by the counterpart's EMSP party. */
export const tellsGuests = ({ counterpart, role }: Party): Partial<Behaviour> => {
  const driver = counterpart.parties?.find((party) => party.role === "EMSP")
  if (role !== "CPO" || driver === undefined) return {}
  const contract = (id: unknown) =>
    typeof id === "string" && id.startsWith(prefix)
      ? `${driver.countryCode}-${driver.partyId}-${id.slice(prefix.length)}`
      : id
  const tell = (object: JsonObject): JsonObject => {
    const token = object["cdr_token"]
    if ("auth_id" in object) return { ...object, auth_id: contract(object["auth_id"]) }
    if (!isObject(token) || contract(token["contract_id"]) === token["contract_id"]) return object
    const owner = "party_id" in token ? { country_code: driver.countryCode, party_id: driver.partyId } : {}
    return { ...object, cdr_token: { ...token, ...owner, contract_id: contract(token["contract_id"]) } }
  }
  const lists = [aboutList("sessions"), aboutList("cdrs")]
  return { reply: when((request) => lists.some((about) => about(request)), editObjects(tell)) }
}
