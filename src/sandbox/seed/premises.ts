/** What stands round the sandbox's charging stations: hours, energy, the way in, and places to park. */
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import type { SeedPlace } from "./places.ts"

type Json = Record<string, unknown>

const parkingId = "P1"

/** Fields of the location. A garage is closed at night; everything else is always open. */
export const premises = (profile: VersionProfile, place: SeedPlace): Json => ({
  directions: [{ language: "en", text: `Follow the signs to ${place.address}` }],
  opening_times: place.kind === "garage" ? garageHours(profile) : { twentyfourseven: true },
  energy_mix: {
    is_green_energy: true,
    energy_sources: [
      { source: "WIND", percentage: 65.5 },
      { source: "SOLAR", percentage: 34.5 }
    ],
    environ_impact: [{ [profile.impactKind]: "CARBON_DIOXIDE", amount: 0 }]
  },
  ...(profile.parkingPlaces && place.kind === "lot" ? { parking_places: [parkingPlace] } : {})
})

/** Fields of each of its EVSEs. */
export const evsePremises = (profile: VersionProfile, place: SeedPlace): Json =>
  profile.parkingPlaces && place.kind === "lot" ? { parking: [{ parking_id: parkingId }] } : {}

const parkingPlace = {
  id: parkingId,
  vehicle_types: ["PERSONAL_VEHICLE", "VAN"],
  max_vehicle_weight: 3500,
  max_vehicle_height: 260,
  max_vehicle_length: 600,
  max_vehicle_width: 220,
  parking_space_length: 620,
  parking_space_width: 250,
  dangerous_goods_allowed: false,
  restricted_to_type: false,
  reservation_required: false
}

/** The versions without owners have a choice of two fields, the later ones both. */
function garageHours({ ownerFields }: VersionProfile): Json {
  return {
    ...(ownerFields ? { twentyfourseven: false } : {}),
    regular_hours: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({
      weekday,
      period_begin: "06:00",
      period_end: "23:00"
    })),
    exceptional_closings: [{ period_begin: "2035-12-24T17:00:00Z", period_end: "2035-12-26T05:00:00Z" }]
  }
}
