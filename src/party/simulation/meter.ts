/**
 * What the simulated meter says. Simulated time runs in grains of nine seconds: nine seconds are exactly 0.0025 hours,
 * so hours with four decimals stay exact, and with a power of whole 400 W so do kilowatt-hours.
 */
import { dateTimeOf, dateTimeToMillis } from "../../../schema/ocpi/DateTime.ts"
import { type JsonObject, objectsIn, textIn } from "../json.ts"
import type { Usage } from "./cost.ts"
import { numberOf, unitsOf } from "./decimals.ts"

/** Seconds; all durations are whole multiples. */
export const grainSeconds = 9
/** About five minutes between two updates. */
export const updateSeconds = 34 * grainSeconds
/** A session that nobody stops ends after two hours. */
export const longestSeconds = 800 * grainSeconds
/** The battery is full then; what follows is parking. */
const fullAfterSeconds = 700 * grainSeconds
/** A session that is stopped at once has run for about a minute. */
export const shortestSeconds = 7 * grainSeconds

const largestPowerWatts = 50_000

/** Charging power in whole 400 W, from what the connector can give. */
export const powerOf = (connector: JsonObject): number => {
  const number = (name: string) => (typeof connector[name] === "number" ? connector[name] : undefined)
  const volts = number("max_voltage") ?? 230
  const amperes = number("max_amperage") ?? 16
  const phases = connector["power_type"] === "AC_3_PHASE" ? 3 : 1
  const watts = Math.min(number("max_electric_power") ?? volts * amperes * phases, largestPowerWatts)
  return Math.max(400, Math.floor(watts / 400) * 400)
}

/** Charging periods between two moments of a session: the charging part, then the parking part. */
export const periodsBetween = (
  startedMillis: number,
  fromSeconds: number,
  toSeconds: number,
  powerWatts: number,
  tariffId: string | undefined
): ReadonlyArray<JsonObject> => {
  const period = (from: number, dimensions: ReadonlyArray<JsonObject>): JsonObject => ({
    start_date_time: dateTimeOf(startedMillis + from * 1000),
    dimensions,
    ...(tariffId === undefined ? {} : { tariff_id: tariffId })
  })
  const chargedTo = Math.min(toSeconds, fullAfterSeconds)
  const charging =
    chargedTo > fromSeconds
      ? [
          period(fromSeconds, [
            { type: "ENERGY", volume: numberOf((powerWatts * (chargedTo - fromSeconds)) / 360) },
            { type: "TIME", volume: hours(chargedTo - fromSeconds) }
          ])
        ]
      : []
  const parkedFrom = Math.max(fromSeconds, fullAfterSeconds)
  const parking =
    toSeconds > parkedFrom
      ? [period(parkedFrom, [{ type: "PARKING_TIME", volume: hours(toSeconds - parkedFrom) }])]
      : []
  return [...charging, ...parking]
}

/** The sum over all periods of a session. */
export const usageOf = (periods: unknown): Usage => {
  const units = (type: string) =>
    objectsIn(periods)
      .flatMap((period) => objectsIn(period["dimensions"]))
      .filter((dimension) => dimension["type"] === type)
      .reduce((sum, dimension) => sum + unitsOf(dimension["volume"]), 0)
  return {
    energyUnits: units("ENERGY"),
    chargingSeconds: secondsOf(units("TIME")),
    parkingSeconds: secondsOf(units("PARKING_TIME"))
  }
}

/** Exact for whole grains. */
export const hours = (seconds: number): number => numberOf(Math.round((seconds * 10_000) / 3600))

const secondsOf = (hourUnits: number) => Math.round((hourUnits * 3600) / 10_000)

/** Up to the next whole grain. */
export const grained = (seconds: number): number => Math.ceil(seconds / grainSeconds) * grainSeconds

/** Start of a session, and how far its periods reach: its `last_updated` moves with them. */
export const coveredBy = (
  session: JsonObject
): { readonly startMillis: number; readonly seconds: number } => {
  const start = dateTimeToMillis(textIn(session["start_date_time"]) ?? "") ?? 0
  const last = dateTimeToMillis(textIn(session["last_updated"]) ?? "") ?? start
  return { startMillis: start, seconds: Math.max(0, Math.round((last - start) / 1000)) }
}
