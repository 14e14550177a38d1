/** What a session is charged for, line by line: each dimension of each period, then what step sizes add. Exact amounts. */
import { BigDecimal } from "effect"
import { type JsonObject, numberFrom, textIn } from "../json.ts"
import type { Active, Priced } from "./components.ts"
import {
  type Decimal,
  decimal,
  decimalOf,
  hourSeconds,
  isMore,
  isZero,
  minus,
  over,
  sumOf,
  times,
  wattHours,
  zero
} from "./decimal.ts"
import type { Period } from "./periods.ts"

/** The parts into which CDRs divide their cost. */
export type Part = "fixed" | "energy" | "time" | "parking" | "reservation"

/** One line of a calculation: a volume at a price. */
export interface PriceLine {
  readonly part: Part
  /** Place of the charging period; undefined: what the step size adds to the whole session. */
  readonly period: number | undefined
  /** kWh or hours; 1 of a flat fee. */
  readonly volume: Decimal
  readonly unit: "kWh" | "h" | "once"
  readonly price: Decimal
  /** Percent; undefined: the component names none. */
  readonly vat: Decimal | undefined
  readonly stepSize: number | undefined
  /** `volume × price`, before or after taxes as the tariff has its prices. */
  readonly amount: Decimal
  readonly tariff: JsonObject
  /** Place of the element in the tariff. */
  readonly element: number
}

/** A charging period with the components that apply to it. */
export interface Choices {
  readonly period: Period
  readonly active: ReadonlyArray<Active>
}

/** Names of the volumes that a component prices. */
const measures: Readonly<Record<Exclude<Priced, "FLAT">, string>> = {
  ENERGY: "ENERGY",
  TIME: "TIME",
  PARKING_TIME: "PARKING_TIME"
}
const parts: Readonly<Record<Priced, Part>> = {
  FLAT: "fixed",
  ENERGY: "energy",
  TIME: "time",
  PARKING_TIME: "parking"
}

/** Flat fees once, of the session and of its reservation; volumes by the component that is active in their period. */
export const linesOf = (choices: ReadonlyArray<Choices>): ReadonlyArray<PriceLine> => {
  const flat = new Set<Part>()
  return choices.flatMap(({ active, period }) =>
    active.flatMap((one): ReadonlyArray<PriceLine> => {
      const part = partOf(one)
      if (one.type === "FLAT") {
        if (flat.has(part)) return []
        flat.add(part)
        return [line(one, period.index, decimal(1))]
      }
      const volume = period.volumes.get(measureOf(one))
      return volume === undefined ? [] : [line(one, period.index, volume)]
    })
  )
}

/**
 * What step sizes add: once per session to all energy, once to charging and parking time together, once to a
 * reservation; by the component that is active in the last period with such a volume (mod_tariffs, step_size).
 */
export const stepLines = (choices: ReadonlyArray<Choices>): ReadonlyArray<PriceLine> => [
  ...step(choices, ["ENERGY"], wattHours),
  ...step(choices, ["TIME", "PARKING_TIME"], hourSeconds),
  ...step(choices, ["RESERVATION_TIME"], hourSeconds)
]

/** Numbers have four decimals: a volume may be off by half of the last one. */
const resolution = decimalOf(0.000_05)!

function step(
  choices: ReadonlyArray<Choices>,
  names: ReadonlyArray<string>,
  unitsPerVolume: Decimal
): ReadonlyArray<PriceLine> {
  const used = choices.flatMap(({ active, period }) =>
    names.flatMap((name) => {
      const volume = period.volumes.get(name)
      return volume === undefined || isZero(volume)
        ? []
        : [{ volume, active: active.find((one) => one.type !== "FLAT" && measureOf(one) === name) }]
    })
  )
  const last = used.at(-1)?.active
  const size = numberFrom(last?.component["step_size"])
  if (last === undefined || !Number.isInteger(size) || size <= 1) return []
  const total = times(sumOf(used.map(({ volume }) => volume)), unitsPerVolume)
  const slack = times(times(resolution, unitsPerVolume), decimal(used.length))
  const stepSize = decimal(size)
  const excess = BigDecimal.unsafeRemainder(total, stepSize)
  // 0.1667 hours are ten minutes: what rounding added does not begin a new step.
  if (!isMore(excess, slack)) return []
  const added = minus(stepSize, excess)
  return isMore(added, slack) ? [line(last, undefined, over(added, unitsPerVolume))] : []
}

function line(active: Active, period: number | undefined, volume: Decimal): PriceLine {
  const { component, element, tariff, type } = active
  const price = decimalOf(component["price"]) ?? zero
  return {
    part: partOf(active),
    period,
    volume,
    unit: type === "FLAT" ? "once" : type === "ENERGY" ? "kWh" : "h",
    price,
    vat: decimalOf(component["vat"]),
    stepSize: typeof component["step_size"] === "number" ? component["step_size"] : undefined,
    amount: times(volume, price),
    tariff,
    element
  }
}

function partOf({ reservation, type }: Active): Part {
  return reservation ? "reservation" : parts[type]
}

function measureOf({ reservation, type }: Active): string {
  return reservation && type === "TIME" ? "RESERVATION_TIME" : type === "FLAT" ? "" : measures[type]
}

/** The id of the line's tariff, for readers. */
export const tariffNameOf = ({ tariff }: PriceLine): string => textIn(tariff["id"]) ?? "without id"
