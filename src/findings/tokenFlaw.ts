/** Can a token be named in a session or a CDR? */
import type { VersionProfile } from "../../schema/ocpi/VersionProfile.ts"
import type { Flaw } from "./Flaw.ts"
import type { JsonObject } from "./json.ts"
import { violations } from "./violations/violations.ts"

/** The fields of a Token that sessions, CDRs and commands repeat. */
const repeated = /^\/(uid|type|contract_id|auth_id|country_code|party_id)$/

/** What is wrong with the fields of a Token that sessions and CDRs repeat; undefined: it can be named there. */
export const tokenFlaw = ({ objects: { Token } }: VersionProfile, token: JsonObject): Flaw | undefined =>
  Token === undefined
    ? undefined
    : violations(Token, token).find(({ pointer = "" }) => repeated.test(pointer))
