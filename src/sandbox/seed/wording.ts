/** How a version words what all versions can say: owners, tokens, numbers. The sandbox's data is written once for all. */
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"

/** Percent, on every price of the sandbox. */
export const vatPercent = 21

/** Four decimals: what OCPI's numbers have. */
export const rounded = (value: number): number => Math.round(value * 10_000) / 10_000

/** Who an object belongs to, where it says so itself. */
export const ownedBy = (
  profile: VersionProfile,
  identity: { readonly countryCode: string; readonly partyId: string }
): Record<string, unknown> =>
  profile.ownerFields ? { country_code: identity.countryCode, party_id: identity.partyId } : {}

/** The EMSP of the drivers in the sandbox's past charges; who connects is told that they were its own. */
export const guest = { countryCode: "DE", partyId: "SBM" }

/** A token as a session or CDR names it. */
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
