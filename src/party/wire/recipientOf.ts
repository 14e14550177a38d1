/** Which party of the partner's platform a request has to name in OCPI-to, by the exchanges before it. */
import type { Exchange } from "../../../schema/Exchange.ts"
import { isObject, type JsonObject, objectIn, sameId, textIn } from "../../findings/json.ts"
import { parseJson } from "../../findings/readJson.ts"
import { type RoutedParty, readRouting } from "../../ocpi/routing.ts"
import type { Party } from "../../store/parties/Party.ts"
import { isBehindHub, isForAll, type RoutedCall, speaksForSeveral } from "./routing.ts"

/** An exchange with the partner, and the JSON of its answer, or of the request where the partner has sent that. */
interface Seen {
  readonly exchange: Exchange
  readonly json: unknown
}

/** Objects of other modules than these are not the partner's, or are not asked for by their id. */
const owned: ReadonlyArray<string> = ["locations", "sessions", "tokens"]

/** The ids of objects of the partner in the request: of its location, its session or its token. */
const idsIn = ({ body, interfaceRole, module, path = [] }: RoutedCall): ReadonlyArray<string> => {
  const { location_id, session_id } = objectIn(body)
  const isById = module === "chargingprofiles" || (interfaceRole === "SENDER" && owned.includes(module))
  return [location_id, session_id, isById ? path[0] : undefined].flatMap((id) => textIn(id) ?? [])
}

const isOurs = ({ exchange }: Seen): boolean => exchange.direction !== "inbound"

/** The location of a reservation that the request names, by the RESERVE_NOW before it. */
const reservedAt = ({ body }: RoutedCall, seen: ReadonlyArray<Seen>): ReadonlyArray<string> => {
  const { location_id, reservation_id } = objectIn(body)
  if (reservation_id === undefined || location_id !== undefined) return []
  return seen.filter(isOurs).flatMap(({ exchange: { request } }) => {
    const earlier = objectIn(parseJson(request.body ?? ""))
    return earlier["reservation_id"] === reservation_id ? (textIn(earlier["location_id"]) ?? []) : []
  })
}

const objectsOf = (seen: Seen): ReadonlyArray<JsonObject> => {
  if (!owned.includes(seen.exchange.module)) return []
  const data = isOurs(seen) ? objectIn(seen.json)["data"] : seen.json
  return (Array.isArray(data) ? data : [data]).filter(isObject)
}

const ownerOf = ({ country_code, party_id }: JsonObject): RoutedParty | undefined => {
  const [countryCode, partyId] = [textIn(country_code), textIn(party_id)]
  return countryCode === undefined || partyId === undefined ? undefined : { countryCode, partyId }
}

const isOf = (object: JsonObject, { countryCode, partyId }: RoutedParty): boolean =>
  sameId(object["country_code"], countryCode) && sameId(object["party_id"], partyId)

/** What is kept by one party alone, and not by all that a hub has sent it to. */
const forOne: ReadonlyArray<string> = ["sessions", "cdrs"]

/** Does the request lead to what this exchange has written: at the same path, or at the URL that its answer gave? */
const isWriteOf = ({ exchange: { module, request, response } }: Seen, asking: RoutedCall): boolean => {
  if (module !== asking.module || (request.method !== "PUT" && request.method !== "POST")) return false
  const { path = [], url } = asking
  const place = response?.headers["location"]
  if (url !== undefined) return place !== undefined && urlIn(place, request.url) === urlIn(url, request.url)
  const end = path.map(encodeURIComponent).join("/")
  return end !== "" && request.url.replace(/\?.*$/, "").replace(/\/$/, "").endsWith(`/${end}`)
}

const urlIn = (text: string, base: string): string | undefined =>
  URL.canParse(text, base) ? new URL(text, base).href : undefined

/** The receiver of our earlier write of the same object; for the result of a command, the sender of that command. */
const correspondent = (asking: RoutedCall, seen: ReadonlyArray<Seen>): RoutedParty | undefined => {
  const { interfaceRole, module, url } = asking
  if (interfaceRole === "RECEIVER" && forOne.includes(module)) {
    const write = seen.findLast((one) => isOurs(one) && isWriteOf(one, asking))
    return write === undefined ? undefined : readRouting(write.exchange.request.headers).to
  }
  const command = seen.findLast(
    (one) => url !== undefined && !isOurs(one) && objectIn(one.json)["response_url"] === url
  )
  return command === undefined ? undefined : readRouting(command.exchange.request.headers).from
}

/**
 * The party that a request is for, where the partner's platform has several: the one that this object was sent to, or else the owner of
 * the object that it names. Behind a hub, where it names none that is known, it is the owner of any of them: that party has to answer
 * that it does not know the object. Undefined: the platform is one party, all are meant, or no such object was seen. `others`: objects
 * of the partner that came before.
 */
export const recipientOf = (
  party: Party,
  asking: RoutedCall,
  exchanged: () => ReadonlyArray<Seen>,
  others: ReadonlyArray<JsonObject> = []
): RoutedParty | undefined => {
  if (!speaksForSeveral(party) || isForAll(asking)) return undefined
  const seen = exchanged()
  const before = correspondent(asking, seen)
  if (before !== undefined || asking.url !== undefined) return before
  const ids = [...idsIn(asking), ...reservedAt(asking, seen)]
  const objects = [...seen.flatMap(objectsOf), ...others].filter((one) => !isOf(one, party.identity))
  const named = objects.find(({ id, uid }) => ids.some((one) => sameId(one, id ?? uid)))
  return [named, ...(isBehindHub(party) ? objects : [])].flatMap((one) =>
    one === undefined ? [] : (ownerOf(one) ?? [])
  )[0]
}
