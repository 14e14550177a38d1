/**
 * What a session costs: tariffs applied to charging periods (mod_tariffs, mod_cdrs). Pure and exact; the same calculation
 * makes the CDRs of our own party and judges those of others. Rounding: see `roundingPolicy`.
 */
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import { isObject, type JsonObject, numberFrom, textIn } from "../json.ts"
import { activeIn, tariffOf } from "./components.ts"
import {
  type Decimal,
  decimalOf,
  hundred,
  isMore,
  isZero,
  minus,
  over,
  plus,
  rounded,
  sumOf,
  times,
  zero
} from "./decimal.ts"
import { type Choices, linesOf, type Part, type PriceLine, stepLines } from "./lines.ts"
import { type Period, periodsOf, type Span } from "./periods.ts"
import { type Amount, grossOf, sumOfAmounts } from "./price.ts"

/** What a cost is calculated from. */
interface PricingOrder {
  readonly profile: MoneyFacts
  readonly tariffs: ReadonlyArray<JsonObject>
  /** `charging_periods` as JSON. */
  readonly periods: unknown
  readonly span: Span
  /** IANA zone of the place, for tariffs that look at the local time. */
  readonly timeZone?: string | undefined
  /** `ignored`: as if no component had a step_size; for partners that overlook it. */
  readonly steps?: "counted" | "ignored"
}

/** The facts about prices and tariffs in which versions differ. */
export type MoneyFacts = Pick<VersionProfile, "price" | "priceLimitGross" | "tariffElements" | "tariffTax">

/** A calculated cost, with the lines that it is the sum of. */
export interface Calculation {
  readonly lines: ReadonlyArray<PriceLine>
  /** Undefined: nothing was charged in that part. */
  readonly parts: Readonly<Record<Part, Amount | undefined>>
  readonly total: Amount
  /** The limits that moved the total. */
  readonly limits: ReadonlyArray<"min_price" | "max_price">
  /** What would have to be known for the result to be sure; empty: it is. */
  readonly unknowns: ReadonlyArray<string>
}

/** The cost of charging periods by their tariffs (mod_tariffs, Tariff Object). `unknowns` names what could not be known. */
export const calculate = ({
  periods,
  profile,
  span,
  steps,
  tariffs,
  timeZone
}: PricingOrder): Calculation => {
  const list = periodsOf(periods, span)
  const circumstances = { sessionStart: span.start, timeZone, expired: isExpired(list) }
  const unknowns: Array<string> = []
  const choices = list.flatMap((period): ReadonlyArray<Choices> => {
    const tariff = tariffOf(tariffs, period)
    if ("unknown" in tariff && typeof tariff["unknown"] === "string") {
      unknowns.push(tariff["unknown"])
      return []
    }
    const choice = activeIn(profile, tariff as JsonObject, period, circumstances)
    unknowns.push(...choice.unknowns)
    return [{ period, active: choice.active }]
  })
  if (pricesUnmeasuredTime(choices)) unknowns.push("the volumes of TIME, which the tariff prices")
  const lines = [...linesOf(choices), ...(steps === "ignored" ? [] : stepLines(choices))]
  const taxing = profile.tariffTax !== "unstated" && lines.some(({ vat }) => vat !== undefined)
  const part = (name: Part) =>
    amountOf(
      lines.filter((line) => line.part === name),
      taxing
    )
  const parts = {
    fixed: part("fixed"),
    energy: part("energy"),
    time: part("time"),
    parking: part("parking"),
    reservation: part("reservation")
  }
  const sum = sumOfAmounts(Object.values(parts).flatMap((amount) => amount ?? []))
  const used = [...new Set(choices.flatMap(({ active }) => active.map(({ tariff }) => tariff)))]
  if (
    used.length > 1 &&
    used.some((tariff) => isObject(tariff["min_price"]) || isObject(tariff["max_price"]))
  )
    unknowns.push("whose min_price and max_price count where several tariffs do")
  const limited = bounded(profile, used.length === 1 ? used[0]! : {}, sum)
  return { lines, parts, ...limited, unknowns: [...new Set(unknowns)] }
}

/** Every period was reserved, and nothing else happened. */
function isExpired(periods: ReadonlyArray<Period>): boolean {
  return periods.every(
    ({ volumes }) =>
      volumes.has("RESERVATION_TIME") &&
      ["ENERGY", "TIME", "PARKING_TIME"].every((type) => isZero(volumes.get(type) ?? zero))
  )
}

/** Periods that measure no time at all say nothing of what their time costs. */
function pricesUnmeasuredTime(choices: ReadonlyArray<Choices>): boolean {
  const names = ["TIME", "PARKING_TIME", "RESERVATION_TIME"]
  return (
    !choices.some(({ period }) => names.some((name) => period.volumes.has(name))) &&
    choices.some(({ active }) =>
      active.some(({ component, type }) => type === "TIME" && numberFrom(component["price"]) !== 0)
    )
  )
}

/** The amount of one part: rounded once for each rate of tax. */
function amountOf(lines: ReadonlyArray<PriceLine>, taxing: boolean): Amount | undefined {
  if (lines.length === 0) return undefined
  const rates = new Map<
    string,
    { readonly vat: Decimal; readonly how: string; readonly lines: Array<PriceLine> }
  >()
  for (const line of lines) {
    const vat = line.vat ?? zero
    const how = taxing ? (textIn(line.tariff["tax_included"]) ?? "NO") : "N/A"
    const key = `${how} ${decimalKey(vat)}`
    const known = rates.get(key) ?? { vat, how, lines: [] }
    known.lines.push(line)
    rates.set(key, known)
  }
  return sumOfAmounts(
    [...rates.values()].map(({ how, lines: same, vat }) =>
      taxed(sumOf(same.map((one) => one.amount)), how, vat)
    )
  )
}

const decimalKey = (value: Decimal) => `${value.value}e${value.scale}`

/** `how` is TaxIncluded: does the charged amount include the tax, or is there none to speak of? */
function taxed(charged: Decimal, how: string, vat: Decimal): Amount {
  const amount = rounded(charged)
  if (how === "N/A") return { net: amount, taxes: undefined }
  if (how === "YES") {
    const net = rounded(over(times(charged, hundred), plus(hundred, vat)))
    return { net, taxes: [{ percentage: vat, amount: minus(amount, net) }] }
  }
  return { net: amount, taxes: [{ percentage: vat, amount: rounded(over(times(amount, vat), hundred)) }] }
}

/** min_price and max_price bound the total, before and after taxes each for itself. */
function bounded(
  { price, priceLimitGross }: MoneyFacts,
  tariff: JsonObject,
  total: Amount
): Pick<Calculation, "limits" | "total"> {
  if (priceLimitGross === null) return { total, limits: [] }
  const limits = new Set<"min_price" | "max_price">()
  const bound = (value: Decimal, field: string) => {
    const limit = (name: "min_price" | "max_price") => {
      const found = tariff[name]
      return isObject(found) ? decimalOf(found[field]) : undefined
    }
    const [least, most] = [limit("min_price"), limit("max_price")]
    if (most !== undefined && isMore(value, most)) {
      limits.add("max_price")
      return most
    }
    if (least === undefined || !isMore(least, value)) return value
    limits.add("min_price")
    return least
  }
  const net = bound(total.net, price)
  const gross = grossOf(total)
  if (gross === undefined) return { total: { net, taxes: undefined }, limits: [...limits] }
  const tax = minus(bound(gross, priceLimitGross), net)
  return limits.size === 0
    ? { total, limits: [] }
    : { total: { net, taxes: [{ percentage: undefined, amount: tax }] }, limits: [...limits] }
}
