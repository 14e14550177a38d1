/**
 * The test object for rules that are the same for every object: a token for a CPO, a tariff for an EMSP, and a location for one that
 * receives no tariffs.
 */
import type { Role } from "../../../../schema/ocpi/Role.ts"
import type { JsonObject } from "../../../findings/json.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { location, ourLocations, testLocation } from "../locations/receiver/testLocation.ts"
import type { PlainRead } from "../shared/receivers/lostFields.ts"
import { type Make, type OwnedObjects, stamp } from "../shared/receivers/receiverSteps.ts"
import { ourTariffs, tariff } from "../tariffs/testTariff.ts"
import { ourTokens, testToken, token } from "../tokens/testToken.ts"

const owned = { token: ourTokens, tariff: ourTariffs, location: ourLocations } as const
type Kind = keyof typeof owned

const receives = ({ endpoints }: Evidence["party"]["counterpart"], module: string): boolean =>
  endpoints.some(({ identifier, role }) => identifier === module && role !== "SENDER")

/** Of which kind the test object is for this partner. */
const kindOf = ({ party: { counterpart } }: Evidence): Kind => {
  if (counterpart.role === "CPO") return "token"
  return receives(counterpart, "tariffs") || !receives(counterpart, "locations") ? "tariff" : "location"
}

/** The checks of a kind of object: that it is taken, that it is read back, and that an invalid one is refused. */
export interface ChecksOfKind {
  readonly noun: Kind
  readonly taken: string
  readonly returned: PlainRead
  readonly invalid: { readonly check: string; readonly answers: string }
  /** The test object is of another kind. */
  readonly unless: (evidence: Evidence) => boolean
}

const checksOf = (
  noun: Kind,
  family: string,
  object: Make,
  invalid: ChecksOfKind["invalid"]
): ChecksOfKind => {
  const unless = (evidence: Evidence) => kindOf(evidence) !== noun
  const read = `${owned[noun].module}.write#read back`
  return {
    noun,
    taken: `${family}-101`,
    returned: { check: `${family}-102`, read, object, unless },
    invalid,
    unless
  }
}

/** The checks of each kind that the test object can be of; the usual one first. */
export const kinds: Readonly<Record<Role, readonly [ChecksOfKind, ...ReadonlyArray<ChecksOfKind>]>> = {
  CPO: [checksOf("token", "TOK", token("rfid"), { check: "TOK-108", answers: "tokens.wrong#no-valid" })],
  EMSP: [
    checksOf("tariff", "TAR", tariff("put"), { check: "TAR-107", answers: "tariffs.wrong#no-elements" }),
    checksOf("location", "LOC", location("put"), { check: "LOC-111", answers: "locations.wrong#nowhere" })
  ]
}

/** The URL and the clean-up of the test object. */
export const ourObjects = (evidence: Evidence): OwnedObjects => owned[kindOf(evidence)]

/** A tariff of ours that nobody is to pay. */
const testTariff = (evidence: Evidence, name: string): JsonObject => {
  const { identity } = evidence.party
  const { ownerFields, tariffTax } = evidence.profile
  return {
    ...(ownerFields ? { country_code: identity.countryCode, party_id: identity.partyId } : {}),
    id: `${evidence.mark}-${name}`,
    currency: "EUR",
    ...(tariffTax === "tax_included" ? { tax_included: "NO" } : {}),
    elements: [{ price_components: [{ type: "ENERGY", price: 0.25, step_size: 1 }] }],
    last_updated: stamp(evidence, 0)
  }
}

/** Fields of the test object, by its kind. */
export type OfKind = Readonly<Partial<Record<Kind, JsonObject>>>
/** Those of the kind that the test object is of. */
export const fieldsOf = (evidence: Evidence, change: OfKind): JsonObject => change[kindOf(evidence)] ?? {}

const made: Readonly<Record<Kind, (evidence: Evidence, name: string) => JsonObject>> = {
  token: testToken,
  tariff: testTariff,
  location: testLocation
}

/** The test object whose id ends with `name`, with changed fields. */
export const testObject =
  (name: string, change: OfKind = {}): Make =>
  (evidence) => ({ ...made[kindOf(evidence)](evidence, name), ...fieldsOf(evidence, change) })

/** A field that no version has. */
const unknownField = { tst_extra: "1" }

/** The test object with an unknown field and, if it has a nested object in this version, one in that as well. */
export const withUnknownFields: Make = (evidence) => ({
  ...testObject("extra", {
    token: evidence.profile.ownerFields
      ? { energy_contract: { supplier_name: "Test", ...unknownField } }
      : {},
    tariff: {
      elements: [{ price_components: [{ type: "ENERGY", price: 0.25, step_size: 1 }], ...unknownField }]
    },
    location: { coordinates: { latitude: "52.090142", longitude: "5.109665", ...unknownField } }
  })(evidence),
  ...unknownField
})
