/** Tariffs and periods for the tests of money. Functions only. */
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import { type Calculation, calculate } from "../../../src/findings/money/calculate.ts"
import { shown } from "../../../src/findings/money/decimal.ts"
import { grossOf } from "../../../src/findings/money/price.ts"

export type Fields = Record<string, unknown>

export const component = (type: string, price: number, step_size = 1, vat?: number): Fields => ({
  type,
  price,
  step_size,
  ...(vat === undefined ? {} : { vat })
})
export const element = (components: ReadonlyArray<Fields>, restrictions?: Fields): Fields => ({
  price_components: components,
  ...(restrictions === undefined ? {} : { restrictions })
})
export const tariffOf = (elements: ReadonlyArray<Fields>, more: Fields = {}): Fields => ({
  id: "T1",
  currency: "EUR",
  elements,
  ...more
})

/** `[minutes from the start, {dimension: volume}]` */
export type Measured = readonly [number, Readonly<Record<string, number>>, string?]

/** 2026-06-01 is a Monday; 08:00 UTC is 10:00 in Amsterdam. */
export const start = Date.UTC(2026, 5, 1, 8)
const at = (minutes: number) => new Date(start + minutes * 60_000).toISOString()

export const periodsAt = (...measured: ReadonlyArray<Measured>) =>
  measured.map(([minutes, volumes, tariff_id]) => ({
    start_date_time: at(minutes),
    dimensions: Object.entries(volumes).map(([type, volume]) => ({ type, volume })),
    ...(tariff_id === undefined ? {} : { tariff_id })
  }))

export const bill = (
  tariffs: ReadonlyArray<Fields>,
  measured: ReadonlyArray<Measured>,
  options: {
    readonly version?: OcpiVersion
    readonly minutes?: number
    readonly timeZone?: string
    readonly steps?: "ignored"
  } = {}
): Calculation =>
  calculate({
    profile: profileOf(options.version ?? "2.2.1"),
    tariffs,
    periods: periodsAt(...measured),
    span: { start, end: start + (options.minutes ?? 600) * 60_000 },
    timeZone: options.timeZone ?? "Europe/Amsterdam",
    ...(options.steps === undefined ? {} : { steps: options.steps })
  })

/** `[net]` or `[net, gross]` of the total. */
export const totalOf = ({ total }: Calculation): ReadonlyArray<string> => {
  const gross = grossOf(total)
  return gross === undefined ? [shown(total.net)] : [shown(total.net), shown(gross)]
}
