/** CDRs of a list, and their parts. */
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { baseOf, cdrs, type SchemaFlaw } from "../shared/readObjects.ts"

/** What the checks have in common. */
export const base = baseOf(cdrs)

/** Where the specification speaks of them. */
export const object = "mod_cdrs, CDR Object"

/** Which flaws of the schema are about that: country and coordinates of the place. */
export const place = ({ pointer }: SchemaFlaw) =>
  /^\/(cdr_)?location\/(country|coordinates(\/\w+)?)$/.test(pointer)

/** … ids of the EVSE and the connector that are there, and wrong. */
export const usedIds = ({ field, pointer, present }: SchemaFlaw) =>
  present && pointer.startsWith("/cdr_location") && ["evse_uid", "evse_id", "connector_id"].includes(field)

/** Where the specification speaks of Credit CDRs. */
export const credits = "mod_cdrs, Credit CDRs"

/** Versions with Credit CDRs, and with ids of sessions. */
export const detailed = versionsWhere(({ cdrDetails }) => cdrDetails)
