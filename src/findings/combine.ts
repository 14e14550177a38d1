/** Making one finding of several. */
import type { ExchangeRule } from "./Flaw.ts"

/** Fine when all are; else the first flaw. */
export const allOf =
  (...findings: ReadonlyArray<ExchangeRule>): ExchangeRule =>
  (exchange) => {
    for (const finding of findings) {
      const flaw = finding(exchange)
      if (flaw !== undefined) return flaw
    }
    return undefined
  }

/** Fine when one is; else the first flaw, with what the others miss added to its message. */
export const anyOf =
  (first: ExchangeRule, ...others: ReadonlyArray<ExchangeRule>): ExchangeRule =>
  (exchange) => {
    const flaw = first(exchange)
    if (flaw === undefined) return undefined
    const flaws = [flaw]
    for (const finding of others) {
      const other = finding(exchange)
      if (other === undefined) return undefined
      flaws.push(other)
    }
    return { ...flaw, message: [...new Set(flaws.map(({ message }) => message))].join("; or: ") }
  }
