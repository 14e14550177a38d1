/** Charging periods, read as far as tariffs look at them: when, how long, what was used, and how far the session was. */
import { dateTimeMillis } from "../../../schema/ocpi/DateTime.ts"
import { type JsonObject, objectsIn, textIn } from "../json.ts"
import { type Decimal, decimal, decimalOf, hourSeconds, over, plus, sumOf, zero } from "./decimal.ts"

/** A charging period with its times, volumes and what came before it (mod_cdrs, ChargingPeriod class). */
export interface Period {
  /** Place in `charging_periods`. */
  readonly index: number
  /** Milliseconds since 1970; undefined when it cannot be read. */
  readonly start: number | undefined
  /** Start of the next period, or end of the session. */
  readonly end: number | undefined
  /** Sum of the volumes of each dimension: kWh, hours, A, kW. */
  readonly volumes: ReadonlyMap<string, Decimal>
  readonly tariffId: string | undefined
  /** Charged in the session before this period, in kWh. */
  readonly kwhBefore: Decimal
}

/** Bounds of the session, milliseconds since 1970. */
export interface Span {
  readonly start: number | undefined
  readonly end: number | undefined
}

/** The periods in their order, with what came before each of them. */
export const periodsOf = (value: unknown, { end }: Span): ReadonlyArray<Period> => {
  const list = objectsIn(value)
  const starts = list.map((period) => dateTimeMillis(period["start_date_time"]))
  let kwhBefore = zero
  return list.map((json, index) => {
    const volumes = volumesOf(json)
    const period = {
      index,
      start: starts[index],
      end: index + 1 < list.length ? starts[index + 1] : end,
      volumes,
      tariffId: textIn(json["tariff_id"]),
      kwhBefore
    }
    kwhBefore = plus(kwhBefore, volumes.get("ENERGY") ?? zero)
    return period
  })
}

/** When a period begins: the same for two texts of one moment; undefined where it has no start. */
export const beginningOf = ({ start_date_time }: JsonObject): number | string | undefined => {
  const text = textIn(start_date_time)
  return text === undefined ? undefined : (dateTimeMillis(text) ?? text)
}

/** Average power in kW, from what the period says of it or from its energy and length; undefined when neither tells. */
export const powerOf = ({ end, start, volumes }: Period): Decimal | undefined => {
  const [least, most] = [volumes.get("MIN_POWER"), volumes.get("MAX_POWER")]
  if (least !== undefined && most !== undefined) return over(sumOf([least, most]), decimal(2))
  if (most !== undefined || least !== undefined) return most ?? least
  const energy = volumes.get("ENERGY")
  if (energy === undefined || start === undefined || end === undefined || end <= start) return undefined
  const hours = over(decimal((end - start) / 1000), hourSeconds)
  return over(energy, hours)
}

/** Current in A; undefined when the period does not say it. */
export const currentOf = ({ volumes }: Period): Decimal | undefined => {
  const [least, most] = [volumes.get("MIN_CURRENT"), volumes.get("MAX_CURRENT")]
  return least !== undefined && most !== undefined ? over(sumOf([least, most]), decimal(2)) : (most ?? least)
}

function volumesOf(period: JsonObject): ReadonlyMap<string, Decimal> {
  const volumes = new Map<string, Decimal>()
  for (const { type, volume } of objectsIn(period["dimensions"])) {
    const amount = decimalOf(volume)
    if (typeof type === "string" && amount !== undefined)
      volumes.set(type, plus(volumes.get(type) ?? zero, amount))
  }
  return volumes
}
