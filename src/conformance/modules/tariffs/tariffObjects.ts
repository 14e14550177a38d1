/** Tariffs of a list, and their parts. */
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { tariffs } from "../shared/objects/ListedKind.ts"
import { below, inFields, type SchemaFlaw } from "../shared/objects/objectFlaws.ts"
import { baseOf } from "../shared/objects/objectRules.ts"

/** What the checks have in common. */
export const tariffsBase = baseOf(tariffs)

/** Where the specification speaks of them. */
export const tariffClause = "mod_tariffs, Tariff Object"

/** Versions whose tariffs limit the price. */
export const withLimits = versionsWhere(({ priceLimitGross }) => priceLimitGross !== null)

/** Schema flaws of the currency. */
export const currency = inFields("currency")

/** Schema flaws of step_size. */
export const steps = ({ field }: SchemaFlaw) => field === "step_size"

/** Schema flaws of tax_included. */
export const taxIncluded = below("tax_included")

/** Schema flaws of min_price and max_price. */
export const limits = below("min_price", "max_price")
