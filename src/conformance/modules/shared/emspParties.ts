/** The EMSPs that the partner's credentials name. */
import type { PartnerParty } from "../../../../schema/Connection.ts"
import type { Evidence } from "../../model/Evidence.ts"

/** The parties of the partner with the role EMSP (credentials, CredentialsRole class); none where its roles are not known. */
export const emspPartiesOf = ({ party }: Pick<Evidence, "party">): ReadonlyArray<PartnerParty> =>
  (party.counterpart.parties ?? []).filter(({ role }) => role === "EMSP")
