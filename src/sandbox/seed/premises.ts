/** Fields that describe a sandbox location beside its EVSEs: opening times, energy mix, directions and parking places. */
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import type { SeedPlace } from "./places.ts"

type Json = Record<string, unknown>

const parkingId = "P1"

/** Fields of the Location object. A garage is closed at night; other places are always open. */
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

/** Fields of each EVSE object of the location. */
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

/** Versions without owner fields allow either `twentyfourseven` or `regular_hours`; later ones require `twentyfourseven` always. */
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
