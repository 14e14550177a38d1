/** Rules about fields that an object leaves out: the check of its schema reports that, and nothing else can be said of them. */
import { blocked, type Check } from "../../model/Check.ts"
import type { ListedKind } from "./objects/ListedKind.ts"
import { flawsOf, type SchemaFlaw } from "./objects/objectFlaws.ts"

/** The fields that name location, EVSE and connector of a session or a CDR, and the token. */
const namingFields =
  /^\/((cdr_)?location|location_id|evse_uid|connector_id|cdr_location\/(id|evse_uid|connector_id)|location\/(id|evses(\/0\/(uid|connectors(\/0\/id)?))?))$/
const tokenFields = /^\/cdr_token(\/uid)?$/

/** Is the flaw that the ids of the place are missing? */
export const namesNoPlace = ({ pointer, present }: SchemaFlaw): boolean =>
  !present && namingFields.test(pointer)

/** Is the flaw that the token is missing, or its uid? */
export const namesNoToken = ({ pointer, present }: SchemaFlaw): boolean =>
  !present && tokenFields.test(pointer)

/**
 * The judgement, unless it is a pass although an object of the list lacks one of the fields that the rule is `about`: then the
 * check is blocked by the one of the schema, which reports the field.
 */
export const unlessMissing =
  (kind: ListedKind, about: (flaw: SchemaFlaw) => boolean, judge: Check["judge"]): Check["judge"] =>
  (evidence) => {
    const judgement = judge(evidence)
    const missing = judgement.is === "pass" ? flawsOf(evidence, kind).find(about)?.finding : undefined
    return missing === undefined
      ? judgement
      : blocked({
          check: kind.form,
          ...(missing.exchangeId === undefined ? {} : { exchangeId: missing.exchangeId }),
          what: `${kind.form} failed: ${missing.message}`
        })
  }
