/** Sessions and CDRs (mod_sessions, mod_cdrs): one charge told in two ways. */
import { changedAt, type Identity, type Making, money, owned, reference, written } from "./Holdings.ts"
import type { Json } from "./validity.ts"

/** Where and for whom a charge is, and how far it has come. */
export interface Charge {
  readonly id: string
  readonly owner: Identity
  readonly location: Json
  readonly evse: Json
  readonly connector: Json
  readonly tariff: Json | undefined
  /** The Token object, as the EMSP has it. */
  readonly token: Json
  readonly method: string
  readonly authorization: string | undefined
  /** Milliseconds since 1970; whole minutes after one another. */
  start: number
  end: number | undefined
  kwh: number
  status: string
  changed: number
  /** Since when its EVSE was reserved for it. */
  reserved?: number
  /** How long the vehicle asked for energy and got none, after half of the energy, in milliseconds. */
  idle?: number
  /** How long the vehicle asked for no energy, in the end, in milliseconds. */
  parked?: number
}

interface Cost {
  readonly flat: number
  readonly energy: number
  readonly time: number
  readonly vat: number | undefined
}

const componentsOf = (tariff: Json | undefined): ReadonlyArray<Json> =>
  ((tariff?.["elements"] ?? []) as ReadonlyArray<Json>).flatMap(
    (element) => (element["price_components"] ?? []) as ReadonlyArray<Json>
  )

const hours = (millis: number) => Math.max(0, millis / 3_600_000)
const hoursOf = ({ changed, end, start }: Charge) => hours((end ?? changed) - start)
const pauseOf = ({ idle = 0, parked = 0 }: Charge) => idle + parked
/** The time in which energy flows. */
const chargingHours = (charge: Charge) =>
  hours((charge.end ?? charge.changed) - charge.start - pauseOf(charge))

const costOf = (charge: Charge): Cost => {
  const components = componentsOf(charge.tariff)
  const price = (type: string) => Number(components.find((one) => one["type"] === type)?.["price"] ?? 0)
  const minutes = Math.ceil(Math.round(chargingHours(charge) * 3600) / 60)
  return {
    flat: charge.kwh > 0 || hoursOf(charge) > 0 ? price("FLAT") : 0,
    energy: money(charge.kwh * price("ENERGY")),
    time: money((minutes / 60) * price("TIME")),
    vat: components[0]?.["vat"] as number | undefined
  }
}

const priceOf = ({ version }: Making, amount: number, vat: number | undefined): unknown => {
  if (version === "2.1.1") return amount
  const tax = money((amount * (vat ?? 0)) / 100)
  if (version === "2.3.0")
    return {
      before_taxes: amount,
      ...(vat === undefined ? {} : { taxes: [{ name: "VAT", percentage: vat, amount: tax }] })
    }
  return { excl_vat: amount, ...(vat === undefined ? {} : { incl_vat: money(amount + tax) }) }
}

const totalOf = (making: Making, charge: Charge) => {
  const { energy, flat, time, vat } = costOf(charge)
  return priceOf(making, money(energy + flat + time), vat)
}

const cdrToken = ({ version }: Making, { token }: Charge): Json =>
  version === "2.1.1"
    ? { auth_id: token["auth_id"] }
    : {
        cdr_token: {
          ...(version === "2.2" ? {} : { country_code: token["country_code"], party_id: token["party_id"] }),
          uid: token["uid"],
          type: token["type"],
          contract_id: token["contract_id"]
        }
      }

const only = ({ connector, evse, location }: Charge): Json => ({
  ...location,
  evses: [{ ...evse, connectors: [connector] }]
})

/** The periods of a charge that is over: energy, a pause, energy, and a time in which the vehicle asks for none. */
const periods = (making: Making, charge: Charge): ReadonlyArray<Json> => {
  const { end, idle = 0, kwh, parked = 0, start, tariff } = charge
  if (end === undefined) return []
  const { version } = making
  const dimension = (type: string, volume: number): Json => ({ type, volume })
  const period = (from: number, dimensions: ReadonlyArray<Json>): Json => ({
    start_date_time: written(making, from),
    dimensions,
    ...(version === "2.1.1" || tariff === undefined
      ? {}
      : { tariff_id: reference(making, String(tariff["id"])) })
  })
  const energy = (from: number, to: number, volume: number) =>
    period(from, [dimension("ENERGY", volume), dimension("TIME", hours(to - from))])
  if (idle + parked === 0) return [energy(start, end, kwh)]
  const pause = start + Math.floor((end - start - idle - parked) / 120_000) * 60_000
  const half = Math.round(kwh * 500) / 1000
  // Before 2.2.1 all time without energy is PARKING_TIME, from then on that alone in which none is asked for.
  const without = ["2.1.1", "2.2"].includes(version)
    ? dimension("PARKING_TIME", hours(idle))
    : dimension("ENERGY", 0)
  return [
    energy(start, pause, half),
    ...(idle === 0 ? [] : [period(pause, [without])]),
    energy(pause + idle, end - parked, Math.round((kwh - half) * 1000) / 1000),
    ...(parked === 0 ? [] : [period(end - parked, [dimension("PARKING_TIME", hours(parked))])])
  ]
}

/** The time of its reservation, where it began with one. */
const reservation = (making: Making, { reserved, start }: Charge): ReadonlyArray<Json> =>
  reserved === undefined
    ? []
    : [
        {
          start_date_time: written(making, reserved),
          dimensions: [{ type: "RESERVATION_TIME", volume: hours(start - reserved) }]
        }
      ]

/** The Session object of a charge. */
export const sessionOf = (making: Making, charge: Charge): Json => {
  const { version } = making
  const old = version === "2.1.1"
  return {
    ...owned(making, charge.owner),
    id: charge.id,
    [old ? "start_datetime" : "start_date_time"]: written(making, charge.start),
    ...(charge.end === undefined
      ? {}
      : { [old ? "end_datetime" : "end_date_time"]: written(making, charge.end) }),
    kwh: charge.kwh,
    ...cdrToken(making, charge),
    auth_method: charge.method,
    ...(charge.authorization === undefined ? {} : { authorization_reference: charge.authorization }),
    ...(old
      ? { location: only(charge) }
      : {
          location_id: reference(making, String(charge.location["id"])),
          evse_uid: reference(making, String(charge.evse["uid"])),
          connector_id: charge.connector["id"]
        }),
    meter_id: "METER-1",
    currency: "EUR",
    charging_periods: periods(making, charge),
    ...(charge.kwh > 0 || charge.end !== undefined ? { total_cost: totalOf(making, charge) } : {}),
    status: charge.status,
    last_updated: written(making, charge.changed)
  }
}

/** The CDR of a charge that is over. */
export const cdrOf = (making: Making, charge: Charge, id: string): Json => {
  const { version } = making
  const old = version === "2.1.1"
  const { connector, evse, location } = charge
  const { energy, flat, time, vat } = costOf(charge)
  const part = (amount: number) => priceOf(making, amount, vat)
  return {
    ...owned(making, charge.owner),
    id,
    start_date_time: written(making, charge.reserved ?? charge.start),
    [old ? "stop_date_time" : "end_date_time"]: written(making, charge.end ?? charge.start),
    ...cdrToken(making, charge),
    auth_method: charge.method,
    ...(charge.authorization === undefined ? {} : { authorization_reference: charge.authorization }),
    ...(old
      ? { location: only(charge) }
      : {
          // Left out only where there is no Sessions module (mod_cdrs, CDR Object).
          ...(making.freedoms.leftOut.includes("sessions")
            ? {}
            : { session_id: reference(making, charge.id) }),
          cdr_location: {
            id: reference(making, String(location["id"])),
            name: location["name"],
            address: location["address"],
            city: location["city"],
            postal_code: location["postal_code"],
            country: location["country"],
            coordinates: location["coordinates"],
            evse_uid: evse["uid"],
            evse_id: evse["evse_id"],
            connector_id: connector["id"],
            connector_standard: connector["standard"],
            connector_format: connector["format"],
            connector_power_type: connector["power_type"]
          }
        }),
    meter_id: "METER-1",
    currency: "EUR",
    ...(charge.tariff === undefined ? {} : { tariffs: [charge.tariff] }),
    charging_periods: [...reservation(making, charge), ...periods(making, charge)],
    total_cost: totalOf(making, charge),
    total_energy: charge.kwh,
    total_time: hoursOf(charge),
    ...(pauseOf(charge) === 0 ? {} : { total_parking_time: hours(pauseOf(charge)) }),
    ...(old
      ? {}
      : {
          total_fixed_cost: part(flat),
          total_energy_cost: part(energy),
          total_time_cost: part(time)
        }),
    remark: "thank you",
    last_updated: written(making, Math.max(charge.changed, changedAt(charge.tariff ?? {})))
  }
}
