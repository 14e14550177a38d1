/** The sandbox EMSP's tokens: RFID cards, app users and others, of each kind that a CPO must be able to handle. */
import { dayMillis } from "../../../schema/fields/durations.ts"
import { dateTimeOf } from "../../../schema/ocpi/DateTime.ts"
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import { idBody } from "./draw.ts"
import { ownedBy } from "./wording.ts"

/** A token of the sandbox EMSP, with the verdict that it gives to a request for authorization. */
interface TokenSeed {
  readonly uid: string
  readonly lastUpdated: number
  readonly json: Record<string, unknown>
  /** The AllowedType that answers a request for authorization, where `valid` alone does not decide it. */
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

/** Each kind twice. */
const tokenCount = kinds.length * 2

const languages = ["en", "de", "nl", "fr"]

/** The tokens, each last updated on another day before `now` (milliseconds since 1970). */
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
        last_updated: dateTimeOf(lastUpdated)
      }
    }
  })
