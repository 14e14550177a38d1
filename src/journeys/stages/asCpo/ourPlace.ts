/** A place of ours for one run: a location with one EVSE and one connector, and the tariff that holds there. Pure. */
import { dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import type { JsonObject } from "../../../findings/json.ts"
import { type ChargingPlace, ownerOf } from "../../../party/simulation/chargePoint/chargingObjects.ts"
import { isoOf } from "../../../party/wire/instants.ts"
import type { PartyObject } from "../../../store/parties/PartyStore.ts"
import type { RunHistory } from "../../model/RunHistory.ts"

/** How the place is to stand. */
export interface PlaceState {
  /** EVSE status; AVAILABLE when unsaid. */
  readonly status?: string
  /** When it changed last, in milliseconds; as it was made when unsaid. */
  readonly at?: number
}

/** What is told of a place. */
export interface PlaceKind {
  /** Shown to drivers; also what a person at the partner is asked to do there. */
  readonly name: string
  /** Drivers are to find it. */
  readonly isPublic: boolean
  /** Of its EVSE. */
  readonly capabilities: ReadonlyArray<string>
}

/** Nobody is to find it. */
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

/** An id that no other run has; at most 36 characters when `name` has at most 16. */
export const freshId = (history: RunHistory, name: string): string => `PF-${markOf(history)}-${name}`

/** We, as an own party of the simulation is known to it. */
export const ourselves = ({ profile, us }: RunHistory) => ({ version: profile.version, identity: us })

/** Below a receiver interface of the partner: where objects of ours stand. */
export const ownPath = ({ us }: RunHistory): ReadonlyArray<string> => [us.countryCode, us.partyId]

/** It has been there for two hours when the run begins. */
const madeAt = ({ createdAt }: RunHistory): number => Date.parse(createdAt) - 7_200_000

/** Next to nothing: nobody is to be billed for a test. */
const perKwh = 0.02

export const tariffOf = (history: RunHistory, price = perKwh, at = madeAt(history)): JsonObject => ({
  ...ownerOf(history.profile, ourselves(history)),
  id: freshId(history, "T"),
  currency: "EUR",
  ...(history.profile.tariffTax === "tax_included" ? { tax_included: "NO" } : {}),
  elements: [{ price_components: [{ type: "ENERGY", price, step_size: 1 }] }],
  last_updated: dateTimeOf(at)
})

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

/** As our lists are to show it. */
export const kept = (module: string, json: JsonObject): PartyObject => ({
  module,
  key: String(json["id"]),
  side: "own",
  json,
  // An object of ours: we have just written it.
  lastUpdated: isoOf(Date.parse(String(json["last_updated"])))
})
