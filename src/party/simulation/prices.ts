/** An amount as the version's price: a number, net and gross, or net and its taxes one by one (document types, Price). */
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import { isObject, objectsIn } from "../json.ts"
import { type Amount, taxOf } from "./cost.ts"
import { numberOf } from "./decimals.ts"

/** What the tax of our tariffs is called where a price names it. */
const taxName = "VAT"

export const nothing: Amount = { net: 0, taxes: undefined }

export const priceOf = ({ price }: VersionProfile, amount: Amount): unknown => {
  const { net, taxes } = amount
  switch (price) {
    case "number":
      return numberOf(net)
    case "excl_vat":
      return {
        excl_vat: numberOf(net),
        ...(taxes === undefined ? {} : { incl_vat: numberOf(net + taxOf(amount)) })
      }
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

/** The same price with the other sign, whichever shape it has. */
export const negated = (price: unknown): unknown => {
  if (typeof price === "number") return 0 - price
  if (!isObject(price)) return price
  const fields = Object.entries(price).map(([name, value]) => {
    if (name === "taxes")
      return [name, objectsIn(value).map((tax) => ({ ...tax, amount: negated(tax["amount"]) }))]
    return [name, negated(value)]
  })
  return Object.fromEntries(fields)
}
