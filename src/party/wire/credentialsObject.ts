/** The credentials object of each shape: ours written, the partner's read. */
import { Redacted } from "effect"
import type { PartnerParty } from "../../../schema/Connection.ts"
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import { isObject, type JsonObject, objectIn, objectsIn, textIn } from "../../findings/json.ts"
import { maxTokenLength } from "../../ocpi/tokens.ts"
import type { Party } from "../../store/parties/Party.ts"

/** Ours, with the token that the partner is to call us with: plain, never encoded. */
export const ourCredentials = (
  profile: VersionProfile,
  party: Party,
  token: Redacted.Redacted<string>,
  url: string
): JsonObject => {
  const self = partyObject(party.identity)
  const base = { token: Redacted.value(token), url }
  if (!profile.credentialsRoles) return { ...base, ...self }
  if (party.hub === undefined) return { ...base, roles: [{ role: party.role, ...self }] }
  // A hub is no party of any other role (credentials, Credentials object and CredentialsRole class).
  return profile.hub === "role"
    ? { ...base, roles: [{ role: hubRole, ...self }] }
    : {
        ...base,
        hub_party_id: `${party.identity.countryCode}${party.identity.partyId}`,
        roles: party.hub.clients.map((client) => ({ role: party.role, ...partyObject(client) }))
      }
}

const partyObject = ({ countryCode, name, partyId }: Party["identity"]): JsonObject => ({
  business_details: { name },
  party_id: partyId,
  country_code: countryCode
})

/** The role of a hub in credentials, in versions that have it (credentials, CredentialsRole class). */
export const hubRole = "HUB"

/** Is one of these the party of a hub, which speaks for parties that are not among them? */
export const hasHub = (parties: ReadonlyArray<PartnerParty> | null): boolean =>
  parties?.some(({ role }) => role.toUpperCase() === hubRole) === true

/** The partner's parties, a hub's own one too; null when the object names none. */
export const partiesIn = (
  profile: VersionProfile,
  party: Party,
  credentials: JsonObject
): ReadonlyArray<PartnerParty> | null => {
  const entries = profile.credentialsRoles
    ? objectsIn(credentials["roles"])
    : [{ role: party.counterpart.role, ...credentials }]
  const parties = entries.flatMap((entry: JsonObject) => {
    const countryCode = textIn(entry["country_code"])
    const partyId = textIn(entry["party_id"])
    if (countryCode === undefined || partyId === undefined) return []
    const name = textIn(objectIn(entry["business_details"])["name"]) ?? ""
    return [{ role: textIn(entry["role"]) ?? "", countryCode, partyId, name }]
  })
  const hub = profile.hub === "hub_party_id" ? hubOf(credentials) : undefined
  const all = hub === undefined ? parties : [...parties, hub]
  return all.length === 0 ? null : all
}

/** The party that `hub_party_id` names, with the role HUB, which older versions list among the roles. */
function hubOf(credentials: JsonObject): PartnerParty | undefined {
  const id = textIn(credentials["hub_party_id"])
  return id?.length === 5
    ? { role: hubRole, countryCode: id.slice(0, 2), partyId: id.slice(2), name: "" }
    : undefined
}

/** Notes when the object names no party, or none of the role that the partner is here for. */
export const noteParties = (
  what: string,
  { counterpart }: Party,
  parties: ReadonlyArray<PartnerParty> | null,
  deviations: Array<string>
): void => {
  if (parties === null) deviations.push(`${what} came without the partner's roles`)
  else if (!hasHub(parties) && !parties.some(({ role }) => role === counterpart.role))
    deviations.push(`${what} names no party of role ${counterpart.role}`)
}

/** The partner's token; undefined when it handed over none that an Authorization header can carry. */
export const tokenIn = (credentials: unknown): Redacted.Redacted<string> | undefined => {
  const token = isObject(credentials) ? textIn(credentials["token"]) : undefined
  return token === undefined || token.length > maxTokenLength ? undefined : Redacted.make(token)
}

/** Why `tokenIn` finds none, after "with" or "without". */
export const noTokenIn = (credentials: unknown): string => {
  const token = isObject(credentials) ? textIn(credentials["token"]) : undefined
  return token === undefined
    ? "without a token"
    : `with a token of ${token.length} characters, and an Authorization header carries ${maxTokenLength} at most`
}
