/** Parking places of a location, and the EVSEs that name them. */

import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { repeated, unless, when } from "../../../findings/finding.ts"
import { type JsonObject, keyText, objectsIn, sameId } from "../../../findings/json.ts"
import type { Check } from "../../model/Check.ts"
import { locations } from "../shared/objects/ListedKind.ts"
import { inEntriesOf, isFlawed, type SchemaFlaw } from "../shared/objects/objectFlaws.ts"
import { wrong } from "../shared/objects/objectRules.ts"
import type { Placed } from "../shared/objects/Placed.ts"
import {
  flawsOfLocation,
  type LocationParts,
  locationsBase,
  locationsChapter,
  onParts
} from "./readLocations.ts"

const base = {
  ...locationsBase,
  versions: versionsWhere(({ parkingPlaces }) => parkingPlaces)
} as const
const places = ({ locations }: LocationParts) => locations
/** What is wrong with the ids of parking places, or with those that EVSEs name. */
const ofParkingIds = ({ pointer }: SchemaFlaw) =>
  /^\/(parking_places(\/\d+(\/id)?)?|evses\/\d+\/parking(\/\d+(\/parking_id)?)?)$/.test(pointer)
const ofVehicles = ({ pointer }: SchemaFlaw) =>
  /^\/parking_places(\/\d+\/vehicle_types(\/\d+)?)?$/.test(pointer)

const spots = ({ json }: Placed) => objectsIn(json["parking_places"])

const small = ["PERSONAL_VEHICLE", "MOTORCYCLE"]
/** What drivers of larger vehicles must know. */
const measures = [
  "max_vehicle_weight",
  "max_vehicle_height",
  "max_vehicle_length",
  "max_vehicle_width",
  "parking_space_length",
  "parking_space_width",
  "dangerous_goods_allowed"
]

/** Judge the parking places of locations and the EVSEs that name them (mod_locations, Parking and EVSEParking classes). */
export const parkingPlacesChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "LOC-039",
    title: "Parking: each parking place is complete and has an id of its own",
    reference: `${locationsChapter}, Parking object`,
    passes: "ids are unique in the location; required fields such as vehicle_types are given",
    hint: "Give each parking place an id of its own and its required fields, such as vehicle_types.",
    judge: onParts(places, "has parking places", (item, evidence) => {
      const all = spots(item)
      if (all.length === 0) return undefined
      return [
        ...flawsOfLocation(item, inEntriesOf("parking_places"), evidence),
        ...repeated(
          all.filter(({ id }) => typeof id === "string"),
          ({ id }) => keyText(id).toUpperCase()
        ).map((spot) =>
          wrong(
            item,
            `parking_places/${all.lastIndexOf(spot)}/id`,
            "the id of a parking place is used twice",
            {
              expected: "each id once in the location",
              actual: spot["id"]
            }
          )
        )
      ]
    })
  },
  {
    ...base,
    id: "LOC-040",
    title: "EVSEParking: parking_id is the id of a parking place of the location",
    reference: `${locationsChapter}, EVSEParking class`,
    passes: "each parking_id is the id of one of the location's parking_places",
    hint: "Add the parking place to parking_places of the location, or correct parking_id.",
    judge: onParts(
      ({ evses }) => evses,
      "names a parking place",
      (item, evidence) => {
        const named = objectsIn(item.json["parking"])
        if (named.length === 0 || isFlawed(evidence, locations, item.location, ofParkingIds)) return undefined
        return named.flatMap(({ parking_id }, index) =>
          unless(
            spots(item.location).some(({ id }) => sameId(id, parking_id)),
            () =>
              wrong(item, `parking/${index}/parking_id`, "the location has no such parking place", {
                expected: "the id of one of its parking_places",
                actual: parking_id
              })
          )
        )
      }
    )
  },
  {
    ...base,
    id: "LOC-041",
    title: "Parking: places for larger vehicles give sizes, and places for DISABLED have an image",
    strength: "should",
    reference: `${locationsChapter}, Parking object`,
    passes:
      "weight, sizes and dangerous_goods_allowed are given; places with vehicle type DISABLED have an image",
    hint: "Give the sizes and weights that larger vehicles need, and an image of places for DISABLED.",
    judge: onParts(places, "has parking places for more than cars and motorcycles", (item, evidence) => {
      if (isFlawed(evidence, locations, item, ofVehicles)) return undefined
      const large = spots(item).flatMap((spot, index) => (isLarge(spot) ? [{ spot, index }] : []))
      return large.length === 0
        ? undefined
        : large.flatMap(({ index, spot }) => lacking(item, spot, `parking_places/${index}`))
    })
  }
]

const vehicles = (spot: JsonObject) => [spot["vehicle_types"]].flat().map(keyText)
const isLarge = (spot: JsonObject) => vehicles(spot).some((type) => type !== "" && !small.includes(type))

function lacking(item: Placed, spot: JsonObject, place: string): ReadonlyArray<Finding> {
  // A place for the disabled is a place for a car: it needs a picture, not a weight.
  const forLarge = vehicles(spot).some((type) => !small.includes(type) && type !== "DISABLED")
  const missing = forLarge ? measures.filter((name) => spot[name] === undefined || spot[name] === null) : []
  const needsImage = vehicles(spot).includes("DISABLED") && objectsIn(spot["images"]).length === 0
  return [
    ...unless(missing.length === 0, () =>
      wrong(item, place, `the parking place lacks ${missing.join(", ")}`, {
        expected: "all of them, because larger vehicles park there",
        actual: vehicles(spot)
      })
    ),
    ...when(needsImage, () =>
      wrong(item, `${place}/images`, "a parking place for DISABLED has no image", {
        expected: "at least one image",
        actual: spot["images"]
      })
    )
  ]
}
