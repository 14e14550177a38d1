/** Tariffs of ours for an EMSP that is tested. */
import type { JsonObject } from "../../../findings/json.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { type Make, type OwnedObjects, stamp } from "../shared/receivers/receiverSteps.ts"

/** A tariff is cleaned up by DELETE. */
export const ourTariffs: OwnedObjects = {
  module: "tariffs",
  nouns: ["tariff"],
  cleanUp: () => ({ method: "DELETE" })
}

/** Optional fields that the test tariffs have. */
export const optionalFields: ReadonlyArray<string> = ["tariff_alt_text", "min_price"]

export const component = ({ profile }: Evidence, type: string, price: number, step_size = 1): JsonObject => ({
  type,
  price,
  ...(profile.tariffTax === "unstated" ? {} : { vat: 21 }),
  step_size
})

/** The body of a PATCH, one second later: another price per kWh. */
export const priced =
  (price: number): Make =>
  (evidence) => ({
    elements: [{ price_components: [component(evidence, "ENERGY", price)] }],
    last_updated: stamp(evidence, 1)
  })

/** A tariff with two price components and its optional fields, with changed fields; its id ends with `name`. */
export const tariff =
  (name: string, change: Make = () => ({})): Make =>
  (evidence) => {
    const { identity } = evidence.party
    const { ownerFields, price, priceLimitGross, tariffTax } = evidence.profile
    return {
      ...(ownerFields ? { country_code: identity.countryCode, party_id: identity.partyId } : {}),
      id: `${evidence.mark}-${name}`,
      currency: "EUR",
      ...(tariffTax === "unstated" ? {} : { type: "REGULAR" }),
      ...(tariffTax === "tax_included" ? { tax_included: "NO" } : {}),
      tariff_alt_text: [{ language: "en", text: "0.50 euro per kWh, 2.50 euro per hour after charging" }],
      ...(priceLimitGross === null ? {} : { min_price: { [price]: 1, [priceLimitGross]: 1.21 } }),
      elements: [
        {
          price_components: [
            component(evidence, "ENERGY", 0.5),
            component(evidence, "PARKING_TIME", 2.5, 300)
          ]
        }
      ],
      last_updated: stamp(evidence, 0),
      ...change(evidence)
    }
  }

/** A tariff with every restriction that the version has, in several elements. */
export const restricted: Make = (evidence) => {
  const later = evidence.profile.reservationSession
  const energy = (price: number, restrictions?: JsonObject): JsonObject => ({
    price_components: [component(evidence, "ENERGY", price)],
    ...(restrictions === undefined ? {} : { restrictions })
  })
  const reservation: JsonObject = {
    price_components: [component(evidence, "TIME", 3.5, 60)],
    restrictions: { reservation: "RESERVATION" }
  }
  const current = later ? { min_current: 6, max_current: 32 } : {}
  return {
    elements: [
      ...(later ? [reservation] : []),
      energy(0.5, { start_time: "22:00", end_time: "06:00", day_of_week: ["SATURDAY", "SUNDAY"] }),
      energy(0.6, { start_date: "2030-01-01", end_date: "2030-12-31" }),
      energy(0.7, { min_kwh: 20, max_kwh: 50.5, min_power: 11, max_power: 22 }),
      energy(0.8, { min_duration: 600, max_duration: 7200, ...current }),
      energy(0.9)
    ]
  }
}
