/**
 * Tariffs of the sandbox CPO that none of its connectors references: night prices, reservations, free energy, charging
 * preferences.
 */
import { dateTimeOf } from "../../../schema/ocpi/DateTime.ts"
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import { component } from "./tariffs.ts"
import { ownedBy, vatPercent } from "./wording.ts"

type Json = Record<string, unknown>

/**
 * A night tariff with a minimum price (and a price for reservations, where the version has them), a free one, and one each for
 * the charging preferences CHEAP and GREEN.
 */
export const moreTariffs = (
  profile: VersionProfile,
  identity: { readonly countryCode: string; readonly partyId: string },
  lastUpdated: number
): ReadonlyArray<Json> => {
  const common = {
    ...ownedBy(profile, identity),
    currency: "EUR",
    ...(profile.tariffTax === "unstated" ? {} : { type: "REGULAR" }),
    last_updated: dateTimeOf(lastUpdated)
  }
  const taxIncluded = (word: string) => (profile.tariffTax === "tax_included" ? { tax_included: word } : {})
  return [
    {
      ...common,
      id: "SBX-NIGHT",
      ...taxIncluded("NO"),
      tariff_alt_text: [{ language: "en", text: "0.40 euro per kWh, 0.25 at night" }],
      ...leastPrice(profile, 1),
      elements: [
        ...(profile.reservationSession ? [forReservations(profile)] : []),
        {
          price_components: [component(profile, "ENERGY", 0.25, 1)],
          restrictions: { start_time: "22:00", end_time: "06:00" }
        },
        { price_components: [component(profile, "ENERGY", 0.4, 1)] }
      ]
    },
    {
      ...common,
      id: "SBX-FREE",
      ...taxIncluded("N/A"),
      tariff_alt_text: [{ language: "en", text: "free of charge" }],
      elements: [{ price_components: [{ type: "FLAT", price: 0, step_size: 1 }] }]
    },
    ...(profile.objects.ChargingPreferences === undefined ? [] : preferences).map(([kind, price]) => ({
      ...common,
      id: `SBX-${kind}`,
      type: `PROFILE_${kind}`,
      ...taxIncluded("NO"),
      tariff_alt_text: [
        { language: "en", text: `${price.toFixed(2)}  euro per kWh for drivers who can wait` }
      ],
      elements: [{ price_components: [component(profile, "ENERGY", price, 1)] }]
    }))
  ]
}

/** Charging preferences that have a tariff, with its price in euro per kWh before VAT; FAST and REGULAR have none. */
const preferences: ReadonlyArray<readonly [string, number]> = [
  ["CHEAP", 0.29],
  ["GREEN", 0.33]
]

const forReservations = (profile: VersionProfile): Json => ({
  price_components: [component(profile, "TIME", 3, 60)],
  restrictions: { reservation: "RESERVATION" }
})

/** `min_price` of `net` euro before VAT, where the version's tariffs have that field. */
function leastPrice({ price, priceLimitGross }: VersionProfile, net: number): Json {
  return priceLimitGross === null
    ? {}
    : { min_price: { [price]: net, [priceLimitGross]: (net * (100 + vatPercent)) / 100 } }
}
