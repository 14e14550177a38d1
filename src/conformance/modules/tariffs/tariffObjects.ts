/** Tariffs of a list, and their parts. */
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { baseOf, below, inFields, type SchemaFlaw, tariffs } from "../shared/readObjects.ts"

/** What the checks have in common. */
export const base = baseOf(tariffs)

/** Where the specification speaks of them. */
export const object = "mod_tariffs, Tariff Object"

/** Versions whose tariffs limit the price. */
export const withLimits = versionsWhere(({ priceLimitGross }) => priceLimitGross !== null)

/** Which flaws of the schema are about that: the currency. */
export const currency = inFields("currency")

/** … the step_size. */
export const steps = ({ field }: SchemaFlaw) => field === "step_size"

/** … whether taxes are included. */
export const taxIncluded = below("tax_included")

/** … the limits of the price. */
export const limits = below("min_price", "max_price")
