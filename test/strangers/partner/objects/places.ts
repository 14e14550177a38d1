/** Locations and tariffs (mod_locations, mod_tariffs). */
import { type Identity, idFor, type Making, moment, owned, reference } from "./Holdings.ts"
import type { Json } from "./validity.ts"

/** Towns in a country whose currency is the euro. */
const towns = [
  { country: "DEU", zone: "Europe/Berlin", city: "Köln", post: "50667", lat: 50.9375, lon: 6.9603 },
  { country: "NLD", zone: "Europe/Amsterdam", city: "Utrecht", post: "3511 AD", lat: 52.0907, lon: 5.1214 },
  { country: "FRA", zone: "Europe/Paris", city: "Lyon", post: "69001", lat: 45.764, lon: 4.8357 },
  { country: "BEL", zone: "Europe/Brussels", city: "Gent", post: "9000", lat: 51.0543, lon: 3.7174 }
]

const degrees = (value: number, { version, chance }: Making) =>
  value.toFixed(version === "2.1.1" ? 6 : chance.between(5, 7))

const pointNear = (town: { lat: number; lon: number }, making: Making): Json => ({
  latitude: degrees(town.lat + making.chance.between(-900, 900) / 100_000, making),
  longitude: degrees(town.lon + making.chance.between(-900, 900) / 100_000, making)
})

const words = (language: string, text: string): Json => ({ language, text })

const energyMix = ({ version }: Making): Json => ({
  is_green_energy: true,
  energy_sources: [
    { source: "WIND", percentage: 62.5 },
    { source: "SOLAR", percentage: 37.5 }
  ],
  environ_impact: [{ [version === "2.1.1" ? "source" : "category"]: "CARBON_DIOXIDE", amount: 12.5 }],
  supplier_name: version === "2.1.1" ? "Green Power" : "Grüne Kraft",
  energy_product_name: "Nordwind"
})

/** A tariff: a price for energy, and maybe one for the start and one for the time. */
export const tariffOf = (making: Making, owner: Identity, number: number): Json => {
  const { chance, version } = making
  const vat = chance.of([undefined, 19, 21])
  const component = (type: string, price: number, step_size: number): Json => ({
    type,
    price,
    ...(vat === undefined || version === "2.1.1" ? {} : { vat }),
    step_size
  })
  const components = [
    component("ENERGY", chance.between(2000, 6000) / 10_000, 1),
    ...(chance.next() < 0.5 ? [component("FLAT", chance.between(20, 150) / 100, 1)] : []),
    ...(chance.next() < 0.5 ? [component("TIME", chance.between(50, 300) / 100, 60)] : [])
  ]
  return {
    ...owned(making, owner),
    id: idFor(making, "TARIFF", number),
    currency: "EUR",
    type: "REGULAR",
    tariff_alt_text: [words("en", "Energy by the kWh"), words("de", "Strom je kWh")],
    // One element with all components, or an element for each.
    elements: chance.of([
      [{ price_components: components }],
      version === "2.1.1"
        ? [{ price_components: components }]
        : components.map((one) => ({ price_components: [one] }))
    ]),
    ...(version === "2.3.0" ? { tax_included: vat === undefined ? "N/A" : "NO" } : {}),
    energy_mix: energyMix(making),
    last_updated: moment(making, -chance.between(40, 300) * 86_400)
  }
}

const connectorKinds = [
  {
    standard: "IEC_62196_T2",
    format: "SOCKET",
    power_type: "AC_3_PHASE",
    volt: 230,
    ampere: 32,
    watt: 22_000
  },
  { standard: "IEC_62196_T2_COMBO", format: "CABLE", power_type: "DC", volt: 400, ampere: 125, watt: 50_000 },
  { standard: "CHADEMO", format: "CABLE", power_type: "DC", volt: 400, ampere: 120, watt: 48_000 },
  { standard: "DOMESTIC_F", format: "SOCKET", power_type: "AC_1_PHASE", volt: 230, ampere: 16, watt: 3600 }
]

const capabilities = ({ version }: Making, number: number): ReadonlyArray<string> => [
  "REMOTE_START_STOP_CAPABLE",
  "RFID_READER",
  "RESERVABLE",
  "UNLOCK_CAPABLE",
  ...(version === "2.1.1" ? [] : number % 2 === 0 ? ["CHARGING_PROFILE_CAPABLE"] : []),
  ...(version === "2.1.1" ? [] : ["TOKEN_GROUP_CAPABLE"])
]

/** A location with one to three EVSEs; `tariffs`: those of its owner. */
export const locationOf = (
  making: Making,
  owner: Identity,
  number: number,
  tariffs: ReadonlyArray<Json>
): Json => {
  const { chance, version } = making
  const town = chance.of(towns)
  const changed = moment(making, -chance.between(2, 39) * 86_400)
  const evse = (index: number): Json => {
    const serial = `${String(number).padStart(4, "0")}${index}`
    const kinds = chance.of([connectorKinds.slice(0, 1), connectorKinds.slice(1, 3), connectorKinds.slice(3)])
    return {
      uid: idFor(making, `EVSE${number}x`, index),
      evse_id: chance.of([
        `${owner.country}*${owner.party}*E${serial}*${index}`,
        `${owner.country}${owner.party}E${serial}${index}`
      ]),
      status: "AVAILABLE",
      capabilities: capabilities(making, index),
      connectors: kinds.map((kind, place): Json => {
        const tariff = tariffs.length === 0 ? undefined : chance.of(tariffs)
        const id = tariff === undefined ? undefined : reference(making, String(tariff["id"]))
        return {
          id: chance.of([String(place + 1), `c-${place + 1}`]),
          standard: kind.standard,
          format: kind.format,
          power_type: kind.power_type,
          ...(version === "2.1.1"
            ? { voltage: kind.volt, amperage: kind.ampere, ...(id === undefined ? {} : { tariff_id: id }) }
            : {
                max_voltage: kind.volt,
                max_amperage: kind.ampere,
                max_electric_power: kind.watt,
                ...(id === undefined ? {} : { tariff_ids: [id] })
              }),
          last_updated: changed
        }
      }),
      floor_level: "-1",
      coordinates: pointNear(town, making),
      physical_reference: `${index}`,
      directions: [words("en", "Behind the barrier")],
      parking_restrictions: ["EV_ONLY"],
      ...(version === "2.3.0"
        ? { parking: [{ parking_id: `P${index}`, evse_position: chance.of(["LEFT", "RIGHT", "CENTER"]) }] }
        : {}),
      last_updated: changed
    }
  }
  const count = chance.between(1, 3)
  return {
    ...owned(making, owner),
    id: idFor(making, "LOC", number),
    ...(version === "2.1.1" ? { type: "ON_STREET" } : { publish: true, parking_type: "ON_STREET" }),
    name: `Parkhaus ${number} – Süd`.replaceAll(/[^ -~]/g, (mark) => (version === "2.1.1" ? "-" : mark)),
    address: `${chance.of(["Ring", "Allee", "Kai"])} ${chance.between(1, 199)}`,
    city: version === "2.1.1" ? town.city.replaceAll("ö", "oe") : town.city,
    postal_code: town.post,
    country: town.country,
    coordinates: pointNear(town, making),
    related_locations: [{ ...pointNear(town, making), name: words("en", "Entrance") }],
    ...(version === "2.3.0"
      ? {
          parking_places: Array.from({ length: count }, (_, index) => ({
            id: `P${index + 1}`,
            vehicle_types: ["PERSONAL_VEHICLE"],
            restricted_to_type: false,
            reservation_required: false
          })),
          help_phone: "+49 221 1234567"
        }
      : {}),
    evses: Array.from({ length: count }, (_, index) => evse(index + 1)),
    directions: [words("en", "Second street on the left")],
    operator: { name: owner.name, website: "https://operator.example/" },
    facilities: ["CAFE"],
    time_zone: town.zone,
    opening_times: chance.of<Json>([
      { twentyfourseven: true },
      {
        ...(version === "2.1.1" ? {} : { twentyfourseven: false }),
        regular_hours: [1, 2, 3, 4, 5].map((weekday) => ({
          weekday,
          period_begin: "07:00",
          period_end: "21:30"
        }))
      }
    ]),
    charging_when_closed: true,
    energy_mix: energyMix(making),
    last_updated: changed
  }
}
