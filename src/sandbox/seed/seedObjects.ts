/** The data that a fresh sandbox partner holds. The same role, version, seed and instant give the same objects. */
import { dayMillis } from "../../../schema/fields/durations.ts"
import type { Role } from "../../../schema/ocpi/Role.ts"
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import { verdictsModule } from "../../party/modules/tokens.ts"
import type { PartyObject } from "../../store/parties/PartyStore.ts"
import { cdrMade, cdrObject, chargeList, endOf, sessionObject } from "./charges.ts"
import { drawFrom } from "./draw.ts"
import { locationObject, siteList } from "./locations.ts"
import { moreTariffs } from "./moreTariffs.ts"
import { tariffObject, tariffPlans } from "./tariffs.ts"
import { tokenList } from "./tokens.ts"

/** The sandbox partner for which data is generated. */
interface SeedRequest {
  readonly role: Role
  readonly profile: VersionProfile
  readonly identity: { readonly countryCode: string; readonly partyId: string; readonly name: string }
  readonly seed: number
  /** Milliseconds since 1970. All charges and changes are dated in the weeks before. */
  readonly now: number
}

const chargeCount = 9
const tariffAgeMillis = 60 * dayMillis

/** The objects that the partner owns; tariffs come before the locations that reference them. */
export const seedObjects = (request: SeedRequest): ReadonlyArray<PartyObject> =>
  request.role === "CPO" ? cpoObjects(request) : emspObjects(request)

function cpoObjects({ identity, now, profile, seed }: SeedRequest): ReadonlyArray<PartyObject> {
  const basis = { seed, draw: drawFrom(seed), now }
  const tariffsUpdated = now - tariffAgeMillis
  const sites = siteList(basis, identity.partyId)
  const charges = chargeList(basis, sites, chargeCount)
  const teller = { profile, identity, seed, tariffsUpdated }
  return [
    ...Object.values(tariffPlans).map((plan) =>
      own("tariffs", tariffObject(profile, identity, plan, tariffsUpdated), tariffsUpdated)
    ),
    ...moreTariffs(profile, identity, tariffsUpdated).map((tariff) => own("tariffs", tariff, tariffsUpdated)),
    ...sites.map((site) => own("locations", locationObject(profile, identity, site), site.lastUpdated)),
    ...charges.map((charge) => own("sessions", sessionObject(teller, charge), endOf(charge))),
    ...charges.map((charge) => own("cdrs", cdrObject(teller, charge), cdrMade(charge)))
  ]
}

function emspObjects({ identity, now, profile, seed }: SeedRequest): ReadonlyArray<PartyObject> {
  const tokens = tokenList(profile, identity, seed, now)
  return [
    ...tokens.map(({ json, lastUpdated, uid }) => own("tokens", json, lastUpdated, uid)),
    ...tokens.flatMap(({ allowed, lastUpdated, uid }) =>
      allowed === undefined ? [] : [own(verdictsModule, { allowed }, lastUpdated, uid)]
    )
  ]
}

function own(
  module: string,
  json: Record<string, unknown>,
  lastUpdated: number,
  key: string = String(json["id"])
): PartyObject {
  // Whole seconds, as in the object's own last_updated.
  const instant = new Date(Math.floor(lastUpdated / 1000) * 1000).toISOString()
  return { module, key, side: "own", json, lastUpdated: instant }
}
