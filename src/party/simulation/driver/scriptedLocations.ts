/**
 * Scripted locations: what a location asks of the EMSP, by its name. A journey that needs a person at the EMSP tells that
 * person by this name, and a sandbox EMSP does it by itself. Other parties ignore it.
 */
import type { JsonObject } from "../../../findings/json.ts"

/** The names of locations that a sandbox EMSP obeys. */
export const locationWishes = {
  /** Start a charge there from the app, and stop it once energy flows. */
  charge: "plugfest: please charge here",
  /** Set charging preferences for a charge there. */
  prefer: "plugfest: please set preferences here",
  /** Read all our lists, page by page. */
  read: "plugfest: please read our lists",
  /** Issue a card, and push it to us. */
  card: "plugfest: please issue a card"
} as const

/** A key of `locationWishes`. */
export type LocationWish = keyof typeof locationWishes

/** The wish in a location's name; undefined for any other name. */
export const locationWishOf = (location: JsonObject): LocationWish | undefined =>
  Object.entries(locationWishes).flatMap(([wish, name]) =>
    name === location["name"] ? [wish as LocationWish] : []
  )[0]
