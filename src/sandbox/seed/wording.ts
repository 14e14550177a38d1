/** How a version words what all versions can say: prices, tokens, times. The sandbox's data is written once for all. */
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import { hasOpenEnums } from "../faults/Fault.ts"

/** Percent, on every price of the sandbox. */
export const vatPercent = 21

/** Four decimals: what OCPI's numbers have. */
export const rounded = (value: number): number => Math.round(value * 10_000) / 10_000

/** Who an object belongs to: in the object itself since parties have roles. */
export const ownedBy = (
  profile: VersionProfile,
  identity: { readonly countryCode: string; readonly partyId: string }
): Record<string, unknown> =>
  profile.credentialsRoles ? { country_code: identity.countryCode, party_id: identity.partyId } : {}

/** An amount before VAT as the version's price: a number, net and gross, or net and its taxes. */
export const price = (profile: VersionProfile, net: number): unknown => {
  const tax = rounded((net * vatPercent) / 100)
  if (!profile.credentialsRoles) return rounded(net)
  // Taxes are listed one by one in the version that brought payments.
  return hasOpenEnums(profile)
    ? { before_taxes: rounded(net), taxes: [{ name: "VAT", percentage: vatPercent, amount: tax }] }
    : { excl_vat: rounded(net), incl_vat: rounded(net + tax) }
}

/** The driver of the sandbox's past sessions: a guest of another EMSP. */
const guest = { countryCode: "DE", partyId: "SBM" }

/** A token as a session or CDR names it. */
export const tokenReference = (
  profile: VersionProfile,
  uid: string,
  contractId: string
): Record<string, unknown> =>
  profile.credentialsRoles
    ? {
        cdr_token: {
          country_code: guest.countryCode,
          party_id: guest.partyId,
          uid,
          type: "RFID",
          contract_id: contractId
        }
      }
    : { auth_id: contractId }
