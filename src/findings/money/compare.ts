/** A CDR's costs beside those that its own tariffs and periods give. */

import { dateTimeMillis } from "../../../schema/ocpi/DateTime.ts"
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import { type JsonObject, objectsIn } from "../json.ts"
import { type Calculation, calculate, type MoneyFacts } from "./calculate.ts"
import { type Decimal, minus, zero } from "./decimal.ts"
import type { Part } from "./lines.ts"
import { type Amount, readPrice } from "./price.ts"

/** The CDR's field of each part. */
export const costFields: Readonly<Record<Part, string>> = {
  fixed: "total_fixed_cost",
  energy: "total_energy_cost",
  time: "total_time_cost",
  parking: "total_parking_cost",
  reservation: "total_reservation_cost"
}

/** One cost: as it stands in the CDR, and as it was calculated, before taxes. */
export interface PriceDifference {
  readonly field: string
  readonly stated: Amount
  readonly calculated: Amount
  /** Stated minus calculated, before taxes. */
  readonly net: Decimal
}

/** The cost of a CDR of any version by its own tariffs and periods. */
export const calculateCdr = (
  profile: MoneyFacts & Pick<VersionProfile, "cdrNames">,
  cdr: JsonObject,
  options: { readonly timeZone?: string | undefined; readonly steps?: "counted" | "ignored" } = {}
): Calculation => {
  const instant = (name: string) => dateTimeMillis(cdr[name])
  return calculate({
    profile,
    tariffs: objectsIn(cdr["tariffs"]),
    periods: cdr["charging_periods"],
    span: { start: instant(profile.cdrNames.start), end: instant(profile.cdrNames.end) },
    ...options
  })
}

/** Every cost that the CDR states, beside the calculated one; the total first. What it does not state is left out. */
export const differences = (
  profile: MoneyFacts,
  cdr: JsonObject,
  { parts, total }: Calculation
): ReadonlyArray<PriceDifference> => {
  const nothing: Amount = { net: zero, taxes: undefined }
  const compared: ReadonlyArray<readonly [string, Amount]> = [
    ["total_cost", total],
    ...(Object.entries(costFields) as ReadonlyArray<readonly [Part, string]>).map(
      ([part, field]) => [field, parts[part] ?? nothing] as const
    )
  ]
  return compared.flatMap(([field, calculated]) => {
    const stated = readPrice(profile, cdr[field])
    return stated === undefined ? [] : [{ field, stated, calculated, net: minus(stated.net, calculated.net) }]
  })
}
