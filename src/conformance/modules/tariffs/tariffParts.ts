/** Elements of tariffs: dimensions of reservations, dimensions without a fallback, and elements that never apply. */

import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { unless, when } from "../../../findings/finding.ts"
import { type JsonObject, keyText, objectIn, objectsIn } from "../../../findings/json.ts"
import type { Check } from "../../model/Check.ts"
import { tariffs } from "../shared/objects/ListedKind.ts"
import { baseOf, onEach, wrong } from "../shared/objects/objectRules.ts"
import type { Placed } from "../shared/objects/Placed.ts"

const base = baseOf(tariffs)
const elementReference = "mod_tariffs, TariffElement class"

/** Price components with their places in the tariff. */
export const componentsOf = ({
  json
}: Placed): ReadonlyArray<{ readonly at: string; readonly component: JsonObject }> =>
  objectsIn(json["elements"]).flatMap((element, index) =>
    objectsIn(element["price_components"]).map((component, place) => ({
      at: `elements/${index}/price_components/${place}`,
      component
    }))
  )

/** Restrictions with at least one value, with their places in the tariff. */
export const restrictionsOf = ({
  json
}: Placed): ReadonlyArray<{ readonly at: string; readonly restrictions: JsonObject }> =>
  objectsIn(json["elements"]).flatMap((element, index) =>
    isRestricted(element)
      ? [{ at: `elements/${index}/restrictions`, restrictions: objectIn(element["restrictions"]) }]
      : []
  )

const isRestricted = (element: JsonObject) =>
  Object.values(objectIn(element["restrictions"])).some(
    (value) => value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0)
  )

const forReservation = (element: JsonObject) => {
  const { reservation } = objectIn(element["restrictions"])
  return reservation !== undefined && reservation !== null
}

/** Values of the TariffDimensionType enum. */
const dimensions = ["ENERGY", "FLAT", "PARKING_TIME", "TIME"]

const typesOf = (element: JsonObject) =>
  objectsIn(element["price_components"]).map(({ type }) => keyText(type))

/**
 * Judge the elements of tariffs: reservations, dimensions without a fallback, and elements that never apply
 * (mod_tariffs, TariffElement class and ReservationRestrictionType enum).
 */
export const tariffPartsChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "TAR-015",
    versions: versionsWhere(({ reservationSession }) => reservationSession),
    title: "TariffElement: only FLAT and TIME components for reservations",
    reference: "mod_tariffs, ReservationRestrictionType enum",
    passes: "elements for reservations have only FLAT and TIME components",
    hint: "Price a reservation by FLAT and TIME only: there is no energy and no parking while an EVSE is reserved.",
    judge: onEach(tariffs, "has an element for reservations", (item) => {
      const elements = objectsIn(item.json["elements"])
      if (!elements.some(forReservation)) return undefined
      return elements.flatMap((element, index) =>
        forReservation(element)
          ? typesOf(element).flatMap((type, place) =>
              // TAR-006 reports a type that there is not.
              when(["ENERGY", "PARKING_TIME"].includes(type), () =>
                wrong(
                  item,
                  `elements/${index}/price_components/${place}/type`,
                  `a component for reservations has type ${type}`,
                  {
                    expected: "FLAT or TIME",
                    actual: type
                  }
                )
              )
            )
          : []
      )
    })
  },
  {
    ...base,
    id: "TAR-016",
    consequenceOf: ["TAR-014", "TAR-013"],
    title: "TariffElement: each dimension has a price when no restriction applies",
    strength: "should",
    reference: elementReference,
    passes: "each dimension that has restricted prices has a later one without restrictions",
    hint: "Add a last element without restrictions; a dimension that no element covers is free.",
    judge: onEach(tariffs, "has restricted elements", withoutFallback)
  },
  {
    ...base,
    id: "TAR-017",
    title: "TariffElement: the one without restrictions is the last one for its dimensions",
    strength: "should",
    reference: elementReference,
    passes: "no element follows one without restrictions that prices the same dimension",
    hint: "Put elements with restrictions before those without: the first element that applies counts.",
    judge: onEach(tariffs, "has several elements", shadowed)
  },
  {
    ...base,
    id: "TAR-018",
    consequenceOf: ["TAR-005"],
    title: "Tariff: a free tariff has a FLAT component of price 0",
    strength: "should",
    reference: "mod_tariffs, Tariff Object",
    passes: "a tariff whose prices are all 0 has a FLAT price of 0",
    hint: "Write a free tariff as one element with a FLAT component of price 0.",
    judge: onEach(tariffs, "is free of charge", (item) => {
      const components = componentsOf(item)
      if (components.length === 0 || components.some(({ component }) => component["price"] !== 0))
        return undefined
      if (components.some(({ component }) => !dimensions.includes(keyText(component["type"]))))
        return undefined
      return unless(
        components.some(({ component }) => component["type"] === "FLAT"),
        () =>
          wrong(item, "elements", "a free tariff has no FLAT component", {
            expected: "FLAT with price 0",
            actual: "none"
          })
      )
    })
  }
]

function withoutFallback(item: Placed): ReadonlyArray<Finding> | undefined {
  const elements = objectsIn(item.json["elements"])
  const priced = elements
    .map((element, index) => ({ element, index }))
    .filter(({ element }) => !forReservation(element))
  const restricted = priced.filter(({ element }) => isRestricted(element))
  if (restricted.length === 0) return undefined
  const missing = new Map<string, number>()
  for (const { element, index } of restricted)
    for (const type of typesOf(element)) {
      const covered = priced.some(
        (later) =>
          later.index > index && !isRestricted(later.element) && typesOf(later.element).includes(type)
      )
      if (!covered) missing.set(type, index)
    }
  return [...missing].map(([type, index]) =>
    wrong(item, `elements/${index}/restrictions`, `${type} is free when no restriction applies`, {
      expected: `a later element with ${type} and without restrictions`,
      actual: "none"
    })
  )
}

function shadowed(
  item: Placed,
  { profile }: Parameters<Check["judge"]>[0]
): ReadonlyArray<Finding> | undefined {
  const elements = objectsIn(item.json["elements"])
  if (elements.length < 2) return undefined
  const covered = new Set<string>()
  let closed = false
  return elements.flatMap((element, index) => {
    const types = typesOf(element)
    // Where only the first element that applies counts, an element behind one without restrictions never does.
    const hidden =
      profile.tariffElements === "first"
        ? closed
        : types.length > 0 && types.every((type) => covered.has(type))
    if (!isRestricted(element)) {
      closed = true
      for (const type of types) covered.add(type)
    }
    return when(hidden && !forReservation(element), () =>
      wrong(item, `elements/${index}`, "the element never applies", {
        expected: "before the one without restrictions",
        actual: `behind it: ${types.join(", ")}`
      })
    )
  })
}
