/** The sandbox CPO's tariffs. */
import { dateTimeOf } from "../../../schema/ocpi/DateTime.ts"
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import { ownedBy, vatPercent } from "./wording.ts"

/** The prices of one sandbox tariff, from which its object is written for each version. */
export interface TariffPlan {
  readonly id: string
  readonly text: string
  /** Price per session. All three prices are in euro before VAT. */
  readonly start: number
  readonly perKwh: number
  readonly perParkingHour: number
}

/** The tariffs that connectors reference: two for alternating current, one of them with a start fee, and one for direct current. */
export const tariffPlans = {
  alternating: { id: "SBX-AC", text: "0.35 euro per kWh", start: 0, perKwh: 0.35, perParkingHour: 0 },
  direct: {
    id: "SBX-DC",
    text: "0.59 euro per kWh, 6 euro per hour after charging",
    start: 0,
    perKwh: 0.59,
    perParkingHour: 6
  },
  startFee: {
    id: "SBX-START",
    text: "1 euro to start, 0.29 euro per kWh",
    start: 1,
    perKwh: 0.29,
    perParkingHour: 0
  }
} as const satisfies Readonly<Record<string, TariffPlan>>

/** The Tariff object of the version (`mod_tariffs`, Tariff Object). */
export const tariffObject = (
  profile: VersionProfile,
  identity: { readonly countryCode: string; readonly partyId: string },
  plan: TariffPlan,
  lastUpdated: number
): Record<string, unknown> => ({
  ...ownedBy(profile, identity),
  id: plan.id,
  currency: "EUR",
  ...(profile.tariffTax === "unstated" ? {} : { type: "REGULAR" }),
  ...(profile.tariffTax === "tax_included" ? { tax_included: "NO" } : {}),
  tariff_alt_text: [{ language: "en", text: plan.text }],
  elements: [
    {
      price_components: [
        ...(plan.start > 0 ? [component(profile, "FLAT", plan.start, 1)] : []),
        component(profile, "ENERGY", plan.perKwh, 1),
        ...(plan.perParkingHour > 0 ? [component(profile, "PARKING_TIME", plan.perParkingHour, 60)] : [])
      ]
    }
  ],
  last_updated: dateTimeOf(lastUpdated)
})

/** A PriceComponent of `amount` euro before VAT, with its VAT percentage where the version's tariffs state one. */
export function component(profile: VersionProfile, type: string, amount: number, stepSize: number) {
  return {
    type,
    price: amount,
    ...(profile.tariffTax === "unstated" ? {} : { vat: vatPercent }),
    step_size: stepSize
  }
}
