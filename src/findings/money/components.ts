/** Which price components of a tariff are active in a charging period (mod_tariffs, Tariff and TariffElement objects). */
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import { type JsonObject, objectIn, objectsIn, sameId, textIn } from "../json.ts"
import type { Period } from "./periods.ts"
import { applies, type Circumstances } from "./restrictions.ts"

/** What a price component is about, in the words of tariffs. */
export type Priced = "FLAT" | "ENERGY" | "TIME" | "PARKING_TIME"

/** A price component that applies to a period, with its tariff and element. */
export interface Active {
  readonly type: Priced
  readonly component: JsonObject
  readonly tariff: JsonObject
  /** Place of the element in the tariff. */
  readonly element: number
  /** Of an element for reservations. */
  readonly reservation: boolean
}

/** The components that apply to a period. */
interface ChosenComponents {
  readonly active: ReadonlyArray<Active>
  /** What would have to be known to choose for sure. */
  readonly unknowns: ReadonlyArray<string>
}

const priced: ReadonlyArray<Priced> = ["FLAT", "ENERGY", "TIME", "PARKING_TIME"]

/** The active components of a period, at most one of each type; none: that dimension is free. */
export const activeIn = (
  { tariffElements }: Pick<VersionProfile, "tariffElements">,
  tariff: JsonObject,
  period: Period,
  circumstances: Circumstances
): ChosenComponents => {
  const unknowns: Array<string> = []
  const elements = inOrder(tariff, circumstances).map(({ element, index }) => {
    const verdict = applies(objectIn(element["restrictions"]), period, circumstances)
    if (typeof verdict === "object") unknowns.push(verdict.unknown)
    return { element, index, counts: verdict === true }
  })
  const counting = elements.filter(({ counts }) => counts)
  const looked = tariffElements === "first" ? counting.slice(0, 1) : counting
  const active = priced.flatMap((type): ReadonlyArray<Active> => {
    for (const { element, index } of looked) {
      const component = objectsIn(element["price_components"]).find((one) => one["type"] === type)
      if (component !== undefined)
        return [{ type, component, tariff, element: index, reservation: isForReservation(element) }]
    }
    return []
  })
  return { active, unknowns: [...new Set(unknowns)] }
}

/** The tariff of a period: the one that it names, else the only one. */
export const tariffOf = (
  tariffs: ReadonlyArray<JsonObject>,
  { tariffId }: Period
): JsonObject | { readonly unknown: string } => {
  if (tariffId !== undefined) {
    const named = tariffs.find(({ id }) => sameId(id, tariffId))
    return named ?? { unknown: `tariff ${tariffId}, which is not among the tariffs` }
  }
  const [only, ...others] = tariffs
  if (only === undefined) return { unknown: "a tariff" }
  return others.length === 0 ? only : { unknown: "which of the tariffs counts for the period" }
}

/** Of a reservation that nobody used, what is said for expired ones goes before what is said for all. */
function inOrder(tariff: JsonObject, { expired }: Circumstances) {
  const elements = objectsIn(tariff["elements"]).map((element, index) => ({ element, index }))
  const forExpired = ({ element }: (typeof elements)[number]) =>
    objectIn(element["restrictions"])["reservation"] === "RESERVATION_EXPIRES"
  return expired ? [...elements.filter(forExpired), ...elements.filter((one) => !forExpired(one))] : elements
}

function isForReservation(element: JsonObject): boolean {
  return textIn(objectIn(element["restrictions"])["reservation"]) !== undefined
}
