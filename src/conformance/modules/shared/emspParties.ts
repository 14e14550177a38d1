/** The EMSPs that the partner's credentials name, and charges with tokens of others. */
import type { Ambiguity } from "../../../../schema/Assertion.ts"
import type { PartnerParty } from "../../../../schema/Connection.ts"
import type { Evidence } from "../../model/Evidence.ts"

/** The parties of the partner with the role EMSP (credentials, CredentialsRole class); none where its roles are not known. */
export const emspPartiesOf = ({ party }: Pick<Evidence, "party">): ReadonlyArray<PartnerParty> =>
  (party.counterpart.parties ?? []).filter(({ role }) => role === "EMSP")

/** The two readings of what an EMSP does with a session or CDR whose token is another EMSP's. `section`: where the object is defined. */
export const whoseToken = (section: string): Ambiguity => ({
  readings: [
    "an EMSP is told of charges with its own tokens, and refuses those of others",
    "the text asks no EMSP to refuse a charge because of its token, so that it may keep what it is told"
  ],
  section
})
