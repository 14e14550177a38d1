/**
 * What a session costs by its tariff (mod_tariffs). Of each dimension the first price component counts that stands in
 * an element without restrictions; step_size is applied once, to the total. All amounts are ten-thousandths.
 */
import { isObject, type JsonObject, objectIn, objectsIn } from "../json.ts"
import { numberOf, scaled, unitsOf } from "./decimals.ts"

/** What was used: energy in ten-thousandths of a kWh (0.1 Wh), times in seconds. */
export interface Usage {
  readonly energyUnits: number
  readonly chargingSeconds: number
  readonly parkingSeconds: number
}

/** `incl` undefined: the tariff names no VAT at all. */
export interface Amount {
  readonly excl: number
  readonly incl: number | undefined
}

export interface Cost {
  readonly total: Amount
  /** Undefined: the tariff has no such component, the dimension is free. */
  readonly fixed: Amount | undefined
  readonly energy: Amount | undefined
  readonly time: Amount | undefined
  readonly parking: Amount | undefined
}

export const costOf = (tariff: JsonObject, usage: Usage): Cost => {
  const component = (type: string) =>
    objectsIn(tariff["elements"])
      .filter((element) => Object.keys(objectIn(element["restrictions"])).length === 0)
      .flatMap((element) => objectsIn(element["price_components"]))
      .find((price) => price["type"] === type)
  const flat = component("FLAT")
  const perKwh = component("ENERGY")
  const perHour = component("TIME")
  const parked = component("PARKING_TIME")
  const taxed = [flat, perKwh, perHour, parked].some((price) => typeof price?.["vat"] === "number")
  const amount = (price: JsonObject | undefined, quantity: number, per: number): Amount | undefined => {
    if (price === undefined) return undefined
    const excl = scaled(unitsOf(price["price"]), quantity, per)
    return { excl, incl: taxed ? excl + scaled(excl, unitsOf(price["vat"]), 1_000_000) : undefined }
  }

  // One step for both times together, that of the component which comes last; what it adds belongs to that component.
  const last = usage.parkingSeconds > 0 ? parked : perHour
  const seconds = usage.chargingSeconds + usage.parkingSeconds
  const added = stepped(seconds, last?.["step_size"], 1) - seconds
  const parkingAdded = usage.parkingSeconds > 0 ? added : 0
  const fixed = amount(flat, 1, 1)
  const energy = amount(perKwh, stepped(usage.energyUnits, perKwh?.["step_size"], 10), 10_000)
  const time = amount(perHour, usage.chargingSeconds + added - parkingAdded, 3600)
  const parking = amount(parked, usage.parkingSeconds + parkingAdded, 3600)
  const parts = [fixed, energy, time, parking].filter((part) => part !== undefined)
  const sum = {
    excl: parts.reduce((total, part) => total + part.excl, 0),
    incl: taxed ? parts.reduce((total, part) => total + (part.incl ?? 0), 0) : undefined
  }
  return { total: bounded(tariff, sum), fixed, energy, time, parking }
}

/** The Price object. */
export const priceOf = ({ excl, incl }: Amount): JsonObject => ({
  excl_vat: numberOf(excl),
  ...(incl === undefined ? {} : { incl_vat: numberOf(incl) })
})

/** Rounded up to whole steps; a step is `unit` times the step_size. Zero stays zero. */
function stepped(quantity: number, stepSize: unknown, unit: number): number {
  const step = typeof stepSize === "number" && stepSize > 1 ? Math.round(stepSize) * unit : 1
  return Math.ceil(quantity / step) * step
}

/** min_price and max_price bound the total, before and after tax each for itself. */
function bounded(tariff: JsonObject, { excl, incl }: Amount): Amount {
  const bound = (value: number, field: "excl_vat" | "incl_vat") => {
    const least = tariff["min_price"]
    const most = tariff["max_price"]
    const raised =
      isObject(least) && typeof least[field] === "number" ? Math.max(value, unitsOf(least[field])) : value
    return isObject(most) && typeof most[field] === "number" ? Math.min(raised, unitsOf(most[field])) : raised
  }
  return { excl: bound(excl, "excl_vat"), incl: incl === undefined ? undefined : bound(incl, "incl_vat") }
}
