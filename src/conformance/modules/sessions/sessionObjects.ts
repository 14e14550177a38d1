/** Sessions of a list, and their parts. */
import { baseOf, type SchemaFlaw, sessions } from "../shared/readObjects.ts"

/** What the checks have in common. */
export const base = baseOf(sessions)

/** Where the specification speaks of them. */
export const object = "mod_sessions, Session Object"

/** Which flaws of the schema are about dimensions of charging periods. */
export const dimensions = (flaw: SchemaFlaw) => /^\/charging_periods\/\d+\/dimensions/.test(flaw.pointer)
