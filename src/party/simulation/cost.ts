/**
 * What a session costs by its tariff (mod_tariffs). Only elements without restrictions count; step_size is applied once,
 * to the total. All amounts are ten-thousandths.
 */
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import { isObject, type JsonObject, objectIn, objectsIn } from "../json.ts"
import { scaled, unitsOf } from "./decimals.ts"

/** What was used: energy in ten-thousandths of a kWh (0.1 Wh), times in seconds. */
export interface Usage {
  readonly energyUnits: number
  readonly chargingSeconds: number
  readonly parkingSeconds: number
}

/** `percentage` in ten-thousandths of a percent; undefined where a limit set the tax. */
export interface Tax {
  readonly percentage: number | undefined
  readonly amount: number
}

/** Net amount and its taxes, one for each rate; undefined: the tariff names no tax at all. */
export interface Amount {
  readonly net: number
  readonly taxes: ReadonlyArray<Tax> | undefined
}

export interface Cost {
  readonly total: Amount
  /** Undefined: the tariff has no such component, the dimension is free. */
  readonly fixed: Amount | undefined
  readonly energy: Amount | undefined
  readonly time: Amount | undefined
  readonly parking: Amount | undefined
}

export const taxOf = ({ taxes }: Amount): number => (taxes ?? []).reduce((sum, { amount }) => sum + amount, 0)

export const costOf = (profile: VersionProfile, tariff: JsonObject, usage: Usage): Cost => {
  const components = componentsOf(profile, tariff)
  const component = (type: string) => components.find((price) => price["type"] === type)
  const flat = component("FLAT")
  const perKwh = component("ENERGY")
  const perHour = component("TIME")
  const parked = component("PARKING_TIME")
  const taxed = [flat, perKwh, perHour, parked].some((price) => typeof price?.["vat"] === "number")
  const taxing = taxed && profile.tariffTax !== "unstated" && tariff["tax_included"] !== "N/A"
  const isGross = taxing && tariff["tax_included"] === "YES"
  const amount = (price: JsonObject | undefined, quantity: number, per: number): Amount | undefined => {
    if (price === undefined) return undefined
    const charged = scaled(unitsOf(price["price"]), quantity, per)
    if (!taxing) return { net: charged, taxes: undefined }
    const percentage = unitsOf(price["vat"])
    const net = isGross ? scaled(charged, hundredPercent, hundredPercent + percentage) : charged
    const tax = isGross ? charged - net : scaled(net, percentage, hundredPercent)
    return { net, taxes: [{ percentage, amount: tax }] }
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
  return { total: bounded(profile, tariff, sumOf(parts, taxing)), fixed, energy, time, parking }
}

const hundredPercent = 1_000_000

/** The price components that can count, the first of each dimension first. */
function componentsOf({ tariffElements }: VersionProfile, tariff: JsonObject): ReadonlyArray<JsonObject> {
  const unrestricted = objectsIn(tariff["elements"]).filter(
    (element) => Object.keys(objectIn(element["restrictions"])).length === 0
  )
  const counting = tariffElements === "first" ? unrestricted.slice(0, 1) : unrestricted
  return counting.flatMap((element) => objectsIn(element["price_components"]))
}

function sumOf(parts: ReadonlyArray<Amount>, taxing: boolean): Amount {
  const net = parts.reduce((total, part) => total + part.net, 0)
  if (!taxing) return { net, taxes: undefined }
  const byRate = new Map<number | undefined, number>()
  for (const { amount, percentage } of parts.flatMap(({ taxes }) => taxes ?? []))
    byRate.set(percentage, (byRate.get(percentage) ?? 0) + amount)
  return { net, taxes: [...byRate].map(([percentage, amount]) => ({ percentage, amount })) }
}

/** Rounded up to whole steps; a step is `unit` times the step_size. Zero stays zero. */
function stepped(quantity: number, stepSize: unknown, unit: number): number {
  const step = typeof stepSize === "number" && stepSize > 1 ? Math.round(stepSize) * unit : 1
  return Math.ceil(quantity / step) * step
}

/** min_price and max_price bound the total, before and after tax each for itself. */
function bounded({ price, priceLimitGross }: VersionProfile, tariff: JsonObject, total: Amount): Amount {
  if (priceLimitGross === null) return total
  const bound = (value: number, field: string) => {
    const least = tariff["min_price"]
    const most = tariff["max_price"]
    const raised =
      isObject(least) && typeof least[field] === "number" ? Math.max(value, unitsOf(least[field])) : value
    return isObject(most) && typeof most[field] === "number" ? Math.min(raised, unitsOf(most[field])) : raised
  }
  const gross = total.net + taxOf(total)
  const net = bound(total.net, price)
  if (total.taxes === undefined) return { net, taxes: undefined }
  const tax = bound(gross, priceLimitGross) - net
  return net === total.net && tax === taxOf(total)
    ? total
    : { net, taxes: [{ percentage: undefined, amount: tax }] }
}
