/** An amount of money with its taxes, and the three shapes in which OCPI's versions write it (document types, Price). */
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import { isObject, objectsIn } from "../json.ts"
import { type Decimal, decimalOf, minus, numberOf, plus, sumOf } from "./decimal.ts"

/** `percentage` undefined: a limit of the price set the tax, or the price does not say the rate. */
interface Tax {
  readonly percentage: Decimal | undefined
  readonly amount: Decimal
}

/** Before taxes, and the taxes, one for each rate; undefined: nothing is said of taxes. */
export interface Amount {
  readonly net: Decimal
  readonly taxes: ReadonlyArray<Tax> | undefined
}

type PriceFacts = Pick<VersionProfile, "price">

/** What the tax of our own tariffs is called where a price names it. */
const taxName = "VAT"

/** After taxes; undefined when nothing is said of them. */
export const grossOf = ({ net, taxes }: Amount): Decimal | undefined =>
  taxes === undefined ? undefined : plus(net, sumOf(taxes.map(({ amount }) => amount)))

/** A price as a partner wrote it; undefined when it has not the version's shape. */
export const readPrice = ({ price }: PriceFacts, value: unknown): Amount | undefined => {
  if (price === "number") {
    const net = decimalOf(value)
    return net === undefined ? undefined : { net, taxes: undefined }
  }
  const net = isObject(value) ? decimalOf(value[price]) : undefined
  if (net === undefined || !isObject(value)) return undefined
  if (price === "excl_vat") {
    const gross = decimalOf(value["incl_vat"])
    return {
      net,
      taxes: gross === undefined ? undefined : [{ percentage: undefined, amount: minus(gross, net) }]
    }
  }
  if (!Array.isArray(value["taxes"])) return { net, taxes: undefined }
  const taxes = objectsIn(value["taxes"]).flatMap((tax) => {
    const amount = decimalOf(tax["amount"])
    return amount === undefined ? [] : [{ percentage: decimalOf(tax["percentage"]), amount }]
  })
  return { net, taxes }
}

/** The amount in the version's shape. */
export const writePrice = ({ price }: PriceFacts, amount: Amount): unknown => {
  const { net, taxes } = amount
  const gross = grossOf(amount)
  switch (price) {
    case "number":
      return numberOf(net)
    case "excl_vat":
      return { excl_vat: numberOf(net), ...(gross === undefined ? {} : { incl_vat: numberOf(gross) }) }
    case "before_taxes":
      return {
        before_taxes: numberOf(net),
        ...(taxes === undefined || taxes.length === 0
          ? {}
          : {
              taxes: taxes.map(({ amount: tax, percentage }) => ({
                name: taxName,
                ...(percentage === undefined ? {} : { percentage: numberOf(percentage) }),
                amount: numberOf(tax)
              }))
            })
      }
  }
}

/** Sum of amounts: each rate of tax once, in order of appearance. Nothing is said of taxes when no part says any. */
export const sumOfAmounts = (parts: ReadonlyArray<Amount>): Amount => {
  const net = sumOf(parts.map((part) => part.net))
  const taxes = parts.flatMap((part) => part.taxes ?? [])
  if (parts.every((part) => part.taxes === undefined)) return { net, taxes: undefined }
  const byRate = new Map<string, Tax>()
  for (const { amount, percentage } of taxes) {
    const rate = percentage === undefined ? "" : String(numberOf(percentage))
    byRate.set(rate, { percentage, amount: plus(byRate.get(rate)?.amount ?? decimalOf(0)!, amount) })
  }
  return { net, taxes: [...byRate.values()] }
}
