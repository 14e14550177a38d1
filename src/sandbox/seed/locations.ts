/** The sandbox CPO's locations, with their EVSEs and connectors. */
import { dayMillis } from "../../../schema/fields/durations.ts"
import { dateTimeOf } from "../../../schema/ocpi/DateTime.ts"
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import { type Draw, idBody, type SeedBasis } from "./draw.ts"
import { places, type SeedPlace } from "./places.ts"
import { evsePremises, premises } from "./premises.ts"
import { type TariffPlan, tariffPlans } from "./tariffs.ts"
import { ownedBy } from "./wording.ts"

/** A connector of the seed. `direct`: direct current. */
export interface Plug {
  readonly id: string
  readonly direct: boolean
  readonly plan: TariffPlan
}

/** An EVSE of the seed. */
export interface Station {
  readonly uid: string
  readonly evseId: string
  readonly status: string
  readonly plugs: ReadonlyArray<Plug>
  /** The EVSE has the capability UNLOCK_CAPABLE. */
  readonly unlocks: boolean
  /** Milliseconds since 1970. */
  readonly lastUpdated: number
}

/** A location of the seed, with its EVSEs. */
export interface Site {
  readonly id: string
  readonly place: SeedPlace
  readonly stations: ReadonlyArray<Station>
  /** Milliseconds since 1970. */
  readonly lastUpdated: number
}

/**
 * One location per place, with different `last_updated` days. Each has two or three EVSEs: the first two are AVAILABLE, the
 * second is not UNLOCK_CAPABLE.
 */
export const siteList = ({ draw, now, seed }: SeedBasis, partyId: string): ReadonlyArray<Site> =>
  places.map((place, index) => {
    const lastUpdated = now - (places.length - index) * dayMillis - draw(dayMillis)
    const id = `LOC-${idBody(seed, index)}`
    return {
      id,
      place,
      lastUpdated,
      stations: [0, 1, 2].slice(0, 2 + draw(2)).map((number) => {
        const direct = number > 0 && draw(2) === 1
        return {
          uid: `EVSE-${idBody(seed, index)}-${number + 1}`,
          evseId: `${place.countryCode}*${partyId}*E${idBody(seed, index)}*${number + 1}`,
          status: number === 2 ? "OUTOFORDER" : "AVAILABLE",
          plugs: plugs(direct, draw),
          unlocks: number !== 1,
          lastUpdated: lastUpdated - number * dayMillis
        }
      })
    }
  })

function plugs(direct: boolean, draw: Draw): ReadonlyArray<Plug> {
  if (!direct) {
    const plan = draw(3) === 0 ? tariffPlans.startFee : tariffPlans.alternating
    return [{ id: "1", direct, plan }]
  }
  return ["1", "2"].map((id) => ({ id, direct, plan: tariffPlans.direct }))
}

/** The Location object of the version (`mod_locations`, Location Object); with `only`, of one EVSE and one connector. */
export const locationObject = (
  profile: VersionProfile,
  identity: { readonly countryCode: string; readonly partyId: string; readonly name: string },
  site: Site,
  only?: { readonly station: Station; readonly plug: Plug }
): Record<string, unknown> => {
  const { place } = site
  return {
    ...ownedBy(profile, identity),
    id: site.id,
    ...(profile.publish ? { publish: true } : {}),
    // LocationType and ParkingType share these three values.
    [profile.placeKind]: placeKinds[place.kind],
    name: place.name,
    address: place.address,
    city: place.city,
    postal_code: place.postalCode,
    country: place.country,
    coordinates: { latitude: place.latitude.toFixed(6), longitude: place.longitude.toFixed(6) },
    evses: (only === undefined ? site.stations : [only.station]).map((station) =>
      evseObject(profile, place, station, only === undefined ? station.plugs : [only.plug])
    ),
    operator: { name: identity.name },
    time_zone: place.timeZone,
    ...premises(profile, place),
    last_updated: dateTimeOf(site.lastUpdated)
  }
}

const placeKinds = { street: "ON_STREET", garage: "PARKING_GARAGE", lot: "PARKING_LOT" }

function evseObject(profile: VersionProfile, place: SeedPlace, station: Station, shown: ReadonlyArray<Plug>) {
  return {
    uid: station.uid,
    evse_id: station.evseId,
    status: station.status,
    capabilities: [
      "CHARGING_PROFILE_CAPABLE",
      // EVSEs with direct current do not support charging preferences.
      ...(profile.objects.ChargingPreferences === undefined || station.plugs.some(({ direct }) => direct)
        ? []
        : ["CHARGING_PREFERENCES_CAPABLE"]),
      "REMOTE_START_STOP_CAPABLE",
      "RESERVABLE",
      "RFID_READER",
      ...(station.unlocks ? ["UNLOCK_CAPABLE"] : [])
    ],
    connectors: shown.map((plug) => connectorObject(profile, plug, station.lastUpdated - 30 * dayMillis)),
    physical_reference: station.uid.slice(-1),
    ...evsePremises(profile, place),
    last_updated: dateTimeOf(station.lastUpdated)
  }
}

const plugKind = ({ direct }: Plug): Record<"standard" | "format" | "power_type", string> =>
  direct
    ? { standard: "IEC_62196_T2_COMBO", format: "CABLE", power_type: "DC" }
    : { standard: "IEC_62196_T2", format: "SOCKET", power_type: "AC_3_PHASE" }

function connectorObject(profile: VersionProfile, plug: Plug, lastUpdated: number) {
  const names = profile.connectorNames
  const [volt, ampere, watt] = plug.direct ? [920, 200, 150_000] : [230, 32, 22_000]
  return {
    id: plug.id,
    ...plugKind(plug),
    [names.voltage]: volt,
    [names.amperage]: ampere,
    ...(names.tariffs === "tariff_ids"
      ? { max_electric_power: watt, tariff_ids: [plug.plan.id] }
      : { tariff_id: plug.plan.id }),
    last_updated: dateTimeOf(lastUpdated)
  }
}
