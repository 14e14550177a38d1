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
  /** What a request for authorization is answered with, where `valid` does not say it; an AllowedType. */
  readonly allowed: string | undefined
}

const kinds: ReadonlyArray<{
  readonly type: string
  readonly whitelist: string
  readonly valid: boolean
  readonly allowed?: string
}> = [
  { type: "RFID", whitelist: "ALLOWED", valid: true },
  { type: "RFID", whitelist: "ALWAYS", valid: true },
  { type: "RFID", whitelist: "ALLOWED_OFFLINE", valid: true },
  { type: "RFID", whitelist: "NEVER", valid: true },
  { type: "RFID", whitelist: "NEVER", valid: false },
  { type: "APP_USER", whitelist: "NEVER", valid: true },
  { type: "OTHER", whitelist: "NEVER", valid: true },
  { type: "RFID", whitelist: "NEVER", valid: true, allowed: "EXPIRED" },
  { type: "RFID", whitelist: "NEVER", valid: true, allowed: "NO_CREDIT" }
]

/** So many that each kind is there twice. */
const tokenCount = kinds.length * 2

const languages = ["en", "de", "nl", "fr"]

/** Changed on different days of the past weeks. */
export const tokenList = (
  profile: VersionProfile,
  identity: { readonly countryCode: string; readonly partyId: string; readonly name: string },
  seed: number,
  now: number
): ReadonlyArray<TokenSeed> =>
  Array.from({ length: tokenCount }, (_, ordinal) => {
    const { allowed, type, valid, whitelist } = kinds[ordinal % kinds.length]!
    const card = idBody(seed, 3000 + ordinal)
    const uid = type === "RFID" ? `04${card}8A` : `${type}-${card}`
    const contract = `${identity.countryCode}-${identity.partyId}-C${String(200_000_001 + ordinal)}`
    const lastUpdated = now - (tokenCount - ordinal) * dayMillis
    return {
      uid,
      lastUpdated,
      allowed,
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
