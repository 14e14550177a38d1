/**
 * The simulated meter. Simulated time has a resolution of nine seconds: nine seconds are exactly 0.0025 hours, so hours
 * with four decimals stay exact, and with a power of whole 400 W so do kilowatt-hours.
 */
import { dateTimeMillis, dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import type { VersionProfile } from "../../../../schema/ocpi/VersionProfile.ts"
import { type JsonObject, objectsIn } from "../../../findings/json.ts"
import { numberOf, unitsOf } from "./decimals.ts"
import { startOf } from "./sessionFields.ts"

/** Consumption: energy in ten-thousandths of a kWh (0.1 Wh), times in seconds. */
interface Usage {
  readonly energyUnits: number
  readonly chargingSeconds: number
  readonly parkingSeconds: number
}

/** The resolution of simulated time in seconds; every duration is a multiple. */
const grainSeconds = 9
/** Seconds between two updates: about five minutes. */
export const updateSeconds = 34 * grainSeconds
/** Seconds after which a session ends if it is not stopped: two hours. */
export const longestSeconds = 800 * grainSeconds
/** Seconds after which the battery is full; what follows is parking. */
const fullAfterSeconds = 700 * grainSeconds
/** The shortest session in seconds, even if it is stopped at once: about a minute. */
export const shortestSeconds = 7 * grainSeconds

const largestPowerWatts = 50_000

/** Charging power in watts, in steps of 400 W, from the connector's ratings. */
export const powerOf = ({ connectorNames }: VersionProfile, connector: JsonObject): number => {
  const number = (name: string) => (typeof connector[name] === "number" ? connector[name] : undefined)
  const amperes = number(connectorNames.amperage) ?? 16
  const product = voltsOf(connectorNames, connector) * amperes * phasesOf(connector)
  return Math.max(
    powerStepWatts,
    wholeSteps(Math.min(number("max_electric_power") ?? product, largestPowerWatts))
  )
}

/** The power under a limit that is given in watts or in amperes per phase. */
export const powerUnder = (
  profile: VersionProfile,
  connector: JsonObject,
  limit: { readonly unit: "W" | "A"; readonly value: number } | undefined
): number => {
  const power = powerOf(profile, connector)
  if (limit === undefined) return power
  const volts = voltsOf(profile.connectorNames, connector)
  const watts = limit.unit === "W" ? limit.value : limit.value * volts * phasesOf(connector)
  return Math.min(power, Math.max(0, wholeSteps(watts)))
}

/** The step of charging power in watts; every power is a multiple. */
export const powerStepWatts = 400

const wholeSteps = (watts: number) => Math.floor(watts / powerStepWatts) * powerStepWatts

const voltsOf = ({ voltage }: VersionProfile["connectorNames"], connector: JsonObject): number =>
  typeof connector[voltage] === "number" ? connector[voltage] : 230

const phases: Readonly<Record<string, number>> = { AC_3_PHASE: 3, AC_2_PHASE: 2, AC_2_PHASE_SPLIT: 2 }

const phasesOf = (connector: JsonObject): number => phases[String(connector["power_type"])] ?? 1

/**
 * Seconds after which a session no longer charges, rounded to the resolution: the battery is full, or the needed energy
 * was charged at that power.
 */
export const chargedAfter = (
  fromSeconds: number,
  powerWatts: number,
  energyUnits: number,
  energyNeed: number | undefined
): number => {
  if (energyNeed === undefined) return fullAfterSeconds
  const missing = Math.max(0, unitsOf(energyNeed) - energyUnits)
  if (missing > 0 && powerWatts === 0) return fullAfterSeconds
  const grains = missing === 0 ? 0 : Math.ceil(missing / ((powerWatts * grainSeconds) / 360))
  return Math.min(fullAfterSeconds, fromSeconds + grains * grainSeconds)
}

/** A part of a session, in seconds since its start. */
interface SessionPart {
  readonly startedMillis: number
  readonly fromSeconds: number
  readonly toSeconds: number
  /** When the car is full and parks; default: `fullAfterSeconds`. */
  readonly untilSeconds?: number
  readonly powerWatts: number
  readonly tariffId?: string | undefined
}

/** The charging periods of a part of a session: the charging part up to `untilSeconds`, then the parking part. */
export const periodsOf = ({
  fromSeconds,
  powerWatts,
  startedMillis,
  tariffId,
  toSeconds,
  untilSeconds = fullAfterSeconds
}: SessionPart): ReadonlyArray<JsonObject> => {
  const period = (from: number, dimensions: ReadonlyArray<JsonObject>): JsonObject => ({
    start_date_time: dateTimeOf(startedMillis + from * 1000),
    dimensions,
    ...(tariffId === undefined ? {} : { tariff_id: tariffId })
  })
  const chargedTo = Math.min(toSeconds, untilSeconds)
  const charging =
    chargedTo > fromSeconds
      ? [
          period(fromSeconds, [
            { type: "ENERGY", volume: numberOf((powerWatts * (chargedTo - fromSeconds)) / 360) },
            { type: "TIME", volume: hours(chargedTo - fromSeconds) }
          ])
        ]
      : []
  const parkedFrom = Math.max(fromSeconds, untilSeconds)
  const parking =
    toSeconds > parkedFrom
      ? [period(parkedFrom, [{ type: "PARKING_TIME", volume: hours(toSeconds - parkedFrom) }])]
      : []
  return [...charging, ...parking]
}

/** The consumption of all periods of a session. */
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

/** Seconds as hours; exact for multiples of the resolution. */
export const hours = (seconds: number): number => numberOf(Math.round((seconds * 10_000) / 3600))

const secondsOf = (hourUnits: number) => Math.round((hourUnits * 3600) / 10_000)

/** Rounds seconds up to the resolution. */
export const grained = (seconds: number): number => Math.ceil(seconds / grainSeconds) * grainSeconds

/** The start of a session, and the end of its periods: its `last_updated` follows them. */
export const coveredBy = (
  profile: VersionProfile,
  session: JsonObject
): { readonly startMillis: number; readonly seconds: number } => {
  const start = dateTimeMillis(startOf(profile, session)) ?? 0
  const last = dateTimeMillis(session["last_updated"]) ?? start
  return { startMillis: start, seconds: Math.max(0, Math.round((last - start) / 1000)) }
}
