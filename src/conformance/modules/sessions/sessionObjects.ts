/** Sessions of a list, and their parts. */
import { allSessions } from "../charge/toldCharges.ts"
import { sessions } from "../shared/objects/ListedKind.ts"
import type { SchemaFlaw } from "../shared/objects/objectFlaws.ts"
import { baseOf, withTold } from "../shared/objects/objectRules.ts"

/** What the checks of the list have in common. */
export const listBase = baseOf(sessions)

/** What the checks of its objects have in common. */
export const sessionsBase = withTold(allSessions)

/** Where the specification speaks of them. */
export const sessionClause = "mod_sessions, Session Object"

/** Which flaws of the schema are about dimensions of charging periods. */
export const dimensions = (flaw: SchemaFlaw) => /^\/charging_periods\/\d+\/dimensions/.test(flaw.pointer)
