/** The sandbox EMSP's tokens: cards and app users, one of each kind that a CPO must be able to handle. */
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import { dateTime } from "../../ocpi/dateTime.ts"
import { idBody } from "./draw.ts"
import { ownedBy } from "./wording.ts"

const dayMillis = 86_400_000

export interface TokenSeed {
  readonly uid: string
  readonly lastUpdated: number
  readonly json: Record<string, unknown>
}

const kinds = [
  { type: "RFID", whitelist: "ALLOWED", valid: true },
  { type: "RFID", whitelist: "ALWAYS", valid: true },
  { type: "RFID", whitelist: "ALLOWED_OFFLINE", valid: true },
  { type: "RFID", whitelist: "NEVER", valid: true },
  { type: "RFID", whitelist: "NEVER", valid: false },
  { type: "APP_USER", whitelist: "NEVER", valid: true },
  { type: "OTHER", whitelist: "NEVER", valid: true }
] as const

const languages = ["en", "de", "nl", "fr"]

/** `count` tokens, changed on different days of the past weeks. */
export const tokenList = (
  profile: VersionProfile,
  identity: { readonly countryCode: string; readonly partyId: string; readonly name: string },
  seed: number,
  now: number,
  count: number
): ReadonlyArray<TokenSeed> =>
  Array.from({ length: count }, (_, ordinal) => {
    const { type, valid, whitelist } = kinds[ordinal % kinds.length]!
    const card = idBody(seed, 3000 + ordinal)
    const uid = type === "RFID" ? `04${card}8A` : `${type}-${card}`
    const contract = `${identity.countryCode}-${identity.partyId}-C${String(200_000_001 + ordinal)}`
    const lastUpdated = now - (count - ordinal) * dayMillis
    return {
      uid,
      lastUpdated,
      json: {
        ...ownedBy(profile, identity),
        uid,
        type: type === "APP_USER" ? profile.appToken : type,
        [profile.contract]: contract,
        visual_number: contract,
        issuer: identity.name,
        valid,
        whitelist,
        language: languages[ordinal % languages.length]!,
        last_updated: dateTime(lastUpdated)
      }
    }
  })
