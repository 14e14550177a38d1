/**
 * Fields that versions write differently: owners, token references, VAT. The sandbox's data is written once for all
 * versions.
 */
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"

/** VAT in percent on every price of the sandbox. */
export const vatPercent = 21

/** Rounded to four decimals, the precision of OCPI's `number` type (`types`, Number). */
export const rounded = (value: number): number => Math.round(value * 10_000) / 10_000

/** `country_code` and `party_id`, in versions whose objects name their owner. */
export const ownedBy = (
  profile: VersionProfile,
  identity: { readonly countryCode: string; readonly partyId: string }
): Record<string, unknown> =>
  profile.ownerFields ? { country_code: identity.countryCode, party_id: identity.partyId } : {}

/** The placeholder EMSP of the drivers in the sandbox's past charges; lists name the connected EMSP instead. */
export const guest = { countryCode: "DE", partyId: "SBM" }

/** How a Session or CDR of the version references a token: `auth_id`, or `cdr_token`. */
export const tokenReference = (
  profile: VersionProfile,
  uid: string,
  contractId: string
): Record<string, unknown> =>
  profile.tokenReference === "auth_id"
    ? { auth_id: contractId }
    : {
        cdr_token: {
          ...(profile.tokenReferenceOwner
            ? { country_code: guest.countryCode, party_id: guest.partyId }
            : {}),
          uid,
          type: "RFID",
          [profile.contract]: contractId
        }
      }
