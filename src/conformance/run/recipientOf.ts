/** The party behind a hub that a request is for: the owner of the object that it is about. */
import { dataOf, itemsOf } from "../../findings/answers.ts"
import { isObject, type JsonObject, objectIn, sameId, textIn } from "../../findings/json.ts"
import { parseJson } from "../../findings/readJson.ts"
import type { RoutedParty } from "../../ocpi/routing.ts"
import { asAnswered, type Observation } from "../model/Evidence.ts"
import type { ProbeRequest } from "../model/Probe.ts"

/** Objects of other modules than these are not the partner's, or are not asked for by their id. */
const owned: ReadonlyArray<string> = ["locations", "sessions", "tokens"]

/** The ids of objects of the partner in the request: of its location, its session or its token. */
const idsIn = ({ body, interfaceRole, module, path = [] }: ProbeRequest): ReadonlyArray<string> => {
  const { location_id, session_id } = objectIn(body)
  const isById = module === "chargingprofiles" || (interfaceRole === "SENDER" && owned.includes(module))
  return [location_id, session_id, isById ? path[0] : undefined].flatMap((id) => textIn(id) ?? [])
}

/** The location of a reservation that the request names, by the RESERVE_NOW before it. */
const reservedAt = ({ body }: ProbeRequest, seen: ReadonlyArray<Observation>): ReadonlyArray<string> => {
  const { location_id, reservation_id } = objectIn(body)
  if (reservation_id === undefined || location_id !== undefined) return []
  return seen.flatMap(({ exchange: { direction, request } }) => {
    if (direction === "inbound" || request.body === null) return []
    const earlier = objectIn(parseJson(request.body))
    return earlier["reservation_id"] === reservation_id ? (textIn(earlier["location_id"]) ?? []) : []
  })
}

const objectsIn = (seen: Observation): ReadonlyArray<JsonObject> => {
  if (!owned.includes(seen.exchange.module)) return []
  const [answer] = seen.exchange.direction === "inbound" ? [] : asAnswered(seen)
  const objects = answer === undefined ? [seen.json] : (itemsOf(answer) ?? [dataOf(answer)])
  return objects.filter(isObject)
}

const ownerOf = ({ country_code, party_id }: JsonObject): RoutedParty | undefined => {
  const [countryCode, partyId] = [textIn(country_code), textIn(party_id)]
  return countryCode === undefined || partyId === undefined ? undefined : { countryCode, partyId }
}

/**
 * The owner of the object that the request names, among those that the run has seen; where it names none that is known, the owner of
 * any of them: that party has to answer that it does not know the object. Undefined: no object with an owner was seen.
 */
export const recipientOf = (
  asking: ProbeRequest,
  seen: ReadonlyArray<Observation>
): RoutedParty | undefined => {
  if (asking.url !== undefined) return undefined
  const ids = [...idsIn(asking), ...reservedAt(asking, seen)]
  const objects = seen.flatMap(objectsIn)
  const named = objects.find(({ id, uid }) => ids.some((one) => sameId(one, id ?? uid)))
  return [named, ...objects].flatMap((one) => (one === undefined ? [] : (ownerOf(one) ?? [])))[0]
}
