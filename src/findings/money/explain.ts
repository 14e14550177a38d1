/** A calculation in words: line by line, part by part, then the total and what bounded it. */
import type { Calculation } from "./calculate.ts"
import { shown } from "./decimal.ts"
import { type Part, type PriceLine, tariffNameOf } from "./lines.ts"
import { type Amount, grossOf } from "./price.ts"

/** The steps of the calculation, in order; plain text. */
export const explain = ({ limits, lines, parts, total, unknowns }: Calculation): ReadonlyArray<string> => [
  ...lines.map(lineText),
  ...(Object.entries(parts) as ReadonlyArray<readonly [Part, Amount | undefined]>).flatMap(
    ([part, amount]) => (amount === undefined ? [] : [`${part}: ${amountText(amount)}`])
  ),
  `total: ${amountText(total)}${limits.length === 0 ? "" : ` (set by ${limits.join(" and ")})`}`,
  ...unknowns.map((unknown) => `not known: ${unknown}`)
]

/** `5.04 before taxes, 6.0984 after`; without taxes only the number. */
const amountText = (amount: Amount): string => {
  const gross = grossOf(amount)
  return gross === undefined ? shown(amount.net) : `${shown(amount.net)} before taxes, ${shown(gross)} after`
}

function lineText(line: PriceLine): string {
  const { amount, element, part, period, price, stepSize, unit, volume } = line
  const from = `tariff ${tariffNameOf(line)}, element ${element + 1}`
  if (unit === "once") return `${part}: flat fee ${shown(price)} (${from})`
  const what = `${shown(volume)} ${unit} × ${shown(price)} = ${shown(amount)}`
  return period === undefined
    ? `${part}: step_size ${stepSize} adds ${what} (${from})`
    : `period ${period + 1}, ${part}: ${what} (${from})`
}
