/**
 * The test object for rules that are the same for every object: a token for a CPO, a tariff for an EMSP.
 */
import type { JsonObject } from "../../../findings/json.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { type Make, type OwnedObjects, stamp } from "../shared/receivers/receiverSteps.ts"
import { ourTariffs } from "../tariffs/testTariff.ts"
import { ourTokens, testToken } from "../tokens/testToken.ts"

const isToken = ({ party }: Evidence) => party.counterpart.role === "CPO"

/** The URL and the clean-up of the test object. */
export const ourObjects = (evidence: Evidence): OwnedObjects => (isToken(evidence) ? ourTokens : ourTariffs)

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

/** The test object whose id ends with `name`, with changed fields. */
export const testObject =
  (name: string, change: { readonly token?: JsonObject; readonly tariff?: JsonObject } = {}): Make =>
  (evidence) =>
    isToken(evidence)
      ? testToken(evidence, name, change.token)
      : { ...testTariff(evidence, name), ...change.tariff }

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
    }
  })(evidence),
  ...unknownField
})
