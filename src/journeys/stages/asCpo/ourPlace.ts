/** A place of ours for one run: a location with one EVSE and one connector, and its tariff. Pure. */

import { dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import type { JsonObject } from "../../../findings/json.ts"
import { keyText } from "../../../findings/json.ts"
import { type ChargingPlace, ownerOf } from "../../../party/simulation/chargePoint/chargingObjects.ts"
import { isoOf } from "../../../party/wire/instants.ts"
import type { PartyObject } from "../../../store/parties/PartyStore.ts"
import type { RunHistory } from "../../model/RunHistory.ts"

/** The state of the place. */
interface PlaceState {
  /** EVSE status; default AVAILABLE. */
  readonly status?: string
  /** When it last changed, in epoch milliseconds; default: when it was made. */
  readonly at?: number
}

/** The facts about a place. */
export interface PlaceKind {
  /** The name that drivers see; it can also ask a person at the partner to do something there. */
  readonly name: string
  /** May drivers find it? */
  readonly isPublic: boolean
  /** Capabilities of its EVSE. */
  readonly capabilities: ReadonlyArray<string>
}

/** A place that drivers must not find. */
export const hiddenPlace: PlaceKind = {
  name: "plugfest test location",
  isPublic: false,
  capabilities: ["RFID_READER"]
}

const markOf = ({ runId }: RunHistory): string =>
  runId
    .replace(/[^A-Za-z0-9]/g, "")
    .slice(-16)
    .toUpperCase()

/** An id of this run only; at most 36 characters when `name` has at most 16. */
export const freshId = (history: RunHistory, name: string): string => `PF-${markOf(history)}-${name}`

/** Our party, in the form that the simulation's functions take. */
export const ourselves = ({ profile, us }: RunHistory) => ({ version: profile.version, identity: us })

/** The path below a receiver interface to our objects: country code and party id. */
export const ownPath = ({ us }: RunHistory): ReadonlyArray<string> => [us.countryCode, us.partyId]

/** When the place was made: two hours before the run, in epoch milliseconds. */
const madeAt = ({ createdAt }: RunHistory): number => Date.parse(createdAt) - 7_200_000

/** Price of a kWh: hardly anything, because this is a test. */
const perKwh = 0.02

/** Our tariff, with one price per kWh. `at`: its last_updated, in epoch milliseconds. */
export const tariffOf = (history: RunHistory, price = perKwh, at = madeAt(history)): JsonObject => ({
  ...ownerOf(history.profile, ourselves(history)),
  id: freshId(history, "T"),
  currency: "EUR",
  ...(history.profile.tariffTax === "tax_included" ? { tax_included: "NO" } : {}),
  elements: [{ price_components: [{ type: "ENERGY", price, step_size: 1 }] }],
  last_updated: dateTimeOf(at)
})

/** Our location, EVSE, connector and tariff for the run. */
export function placeFor(
  history: RunHistory,
  kind: PlaceKind = hiddenPlace,
  state: PlaceState = {}
): ChargingPlace {
  const { profile, us } = history
  const made = dateTimeOf(madeAt(history))
  const changed = dateTimeOf(state.at ?? madeAt(history))
  const { amperage, tariffs, voltage } = profile.connectorNames
  const tariff = tariffOf(history)
  const connector = {
    id: "1",
    standard: "IEC_62196_T2",
    format: "SOCKET",
    power_type: "AC_3_PHASE",
    [voltage]: 230,
    [amperage]: 16,
    [tariffs]: tariffs === "tariff_ids" ? [tariff["id"]] : tariff["id"],
    last_updated: made
  }
  const evse = {
    uid: freshId(history, "E"),
    evse_id: `${us.countryCode}*${us.partyId}*E${markOf(history)}`,
    status: state.status ?? "AVAILABLE",
    capabilities: kind.capabilities,
    connectors: [connector],
    last_updated: changed
  }
  const location = {
    ...ownerOf(profile, ourselves(history)),
    id: freshId(history, "L"),
    ...(profile.publish ? { publish: kind.isPublic } : {}),
    [profile.placeKind]: "PARKING_GARAGE",
    name: kind.name,
    address: "Teststraat 1",
    city: "Utrecht",
    postal_code: "3511 AB",
    country: "NLD",
    coordinates: { latitude: "52.090142", longitude: "5.109665" },
    time_zone: "Europe/Amsterdam",
    evses: [evse],
    last_updated: changed
  }
  return { location, evse, connector, tariff }
}

/** An own object, as our lists serve it. */
export const kept = (module: string, json: JsonObject): PartyObject => ({
  module,
  key: keyText(json["id"]),
  side: "own",
  json,
  // We have just written this object, so it has a valid last_updated.
  lastUpdated: isoOf(Date.parse(keyText(json["last_updated"])))
})
