/** CDRs of a list, and their parts. */
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { allCdrs } from "../charge/toldCharges.ts"
import { cdrs } from "../shared/objects/ListedKind.ts"
import type { SchemaFlaw } from "../shared/objects/objectFlaws.ts"
import { baseOf, withTold } from "../shared/objects/objectRules.ts"

/** What the checks of the list have in common. */
export const listBase = baseOf(cdrs)

/** What the checks of its objects have in common. */
export const cdrsBase = withTold(allCdrs)

/** Where the specification speaks of them. */
export const cdrClause = "mod_cdrs, CDR Object"

/** Which flaws of the schema are about that: country and coordinates of the place. */
export const place = ({ pointer }: SchemaFlaw) =>
  /^\/(cdr_)?location\/(country|coordinates(\/\w+)?)$/.test(pointer)

const ofUsed = ({ field, pointer }: SchemaFlaw) =>
  pointer.startsWith("/cdr_location") &&
  ["cdr_location", "evse_uid", "evse_id", "connector_id"].includes(field)

/** … ids of the EVSE and the connector that are there, and wrong. */
export const usedIds = (flaw: SchemaFlaw) => flaw.present && flaw.field !== "cdr_location" && ofUsed(flaw)

/** … ids of the EVSE and the connector that are not there. */
export const missingIds = (flaw: SchemaFlaw) => !flaw.present && ofUsed(flaw)

/** Where the specification speaks of Credit CDRs. */
export const credits = "mod_cdrs, Flow and Lifecycle, Credit CDRs"

/** Versions with Credit CDRs, and with ids of sessions. */
export const withCdrDetails = versionsWhere(({ cdrDetails }) => cdrDetails)
