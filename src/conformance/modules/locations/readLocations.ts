/** The locations of a crawl, taken apart once: objects with their places, and what breaks the version's schema. */

import { versionNumbers, versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { itemsOf } from "../../../findings/answers.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { at } from "../../../findings/finding.ts"
import { isObject, type JsonObject } from "../../../findings/json.ts"
import { atPointer } from "../../../findings/pointer.ts"
import { FoundFlaws, violations } from "../../../findings/violations.ts"
import { inconclusive, type Judgement, noneOf } from "../../model/Check.ts"
import type { Answered, Evidence } from "../../model/Evidence.ts"
import { pagesOf } from "../shared/lists.ts"

/** The document about locations. */
export const locationsChapter = "mod_locations"

/** What the checks of locations have in common. */
export const locationsBase = {
  module: "locations",
  versions: versionNumbers,
  roles: ["CPO"],
  mode: "RO",
  strength: "must",
  sends: "GET locations, and follows the links to the last page",
  needs: () => ["locations.list", "locations.crawl"]
} as const

/** Locations that are looked at in detail; a larger network is judged by its first ones. */
export const locationsCap = 2000

/** An object, and where it stands in which answer. */
export interface PlacedPart {
  readonly seen: Answered
  readonly pointer: string
  readonly json: JsonObject
}

export interface Read {
  readonly locations: ReadonlyArray<PlacedPart>
  readonly evses: ReadonlyArray<PlacedPart & { readonly location: PlacedPart }>
  readonly connectors: ReadonlyArray<PlacedPart & { readonly evse: PlacedPart }>
  /** Entries of the list that are no objects. */
  readonly strays: ReadonlyArray<Finding>
}

const children = (parent: PlacedPart, field: string): ReadonlyArray<PlacedPart> => {
  const list = parent.json[field]
  return Array.isArray(list)
    ? list.flatMap((json: unknown, index) =>
        isObject(json) ? [{ seen: parent.seen, pointer: `${parent.pointer}/${field}/${index}`, json }] : []
      )
    : []
}

/** The locations as far as they were read, taken apart. */
export const readLocations = (evidence: Evidence): Read =>
  evidence.once("locations.read", () => {
    const items = pagesOf(evidence, "locations")
      .flatMap((seen) =>
        (itemsOf(seen) ?? []).map((json, index) => ({ seen, pointer: `/data/${index}`, json }))
      )
      .slice(0, locationsCap)
    const locations = items.flatMap(({ json, ...place }) => (isObject(json) ? [{ ...place, json }] : []))
    const evses = locations.flatMap((location) =>
      children(location, "evses").map((evse) => ({ ...evse, location }))
    )
    return {
      locations,
      evses,
      connectors: evses.flatMap((evse) => children(evse, "connectors").map((one) => ({ ...one, evse }))),
      strays: items
        .filter(({ json }) => !isObject(json))
        .map(({ json, pointer, seen }) =>
          at(seen, pointer, "the entry is no object", { expected: "a Location", actual: json })
        )
    }
  })

/** A flaw of a location by the version's schema. `field` is the last name in its pointer. */
export interface LocationFlaw {
  readonly finding: Finding
  readonly pointer: string
  readonly field: string
  /** Is there a value at all? A missing field is another mistake than a wrong one. */
  readonly present: boolean
}

/** Everything that breaks the schema, computed once for all checks that divide it among themselves. */
export const schemaFlaws = (evidence: Evidence): ReadonlyArray<LocationFlaw> =>
  evidence.once("locations.flaws", () => {
    const schema = evidence.profile.objects.Location
    const found = new FoundFlaws()
    return schema === undefined
      ? []
      : readLocations(evidence).locations.flatMap(({ json, pointer, seen }) =>
          violations(schema, json, [], found).map((flaw) => {
            const inside = flaw.pointer ?? ""
            return {
              finding: {
                message: flaw.message,
                pointer: `${pointer}${inside}`,
                ...(flaw.expected === undefined ? {} : { expected: flaw.expected }),
                ...(flaw.actual === undefined ? {} : { actual: flaw.actual }),
                exchangeId: seen.exchange.id
              },
              pointer: inside,
              field: inside.split("/").findLast((step) => step !== "" && !/^\d+$/.test(step)) ?? "",
              present: atPointer(json, inside) !== undefined && atPointer(json, inside) !== null
            }
          })
        )
  })

/** Judges the locations that were read; unobservable when there are none. */
export const onLocations =
  (judge: (read: Read, evidence: Evidence) => ReadonlyArray<Finding> | Judgement) =>
  (evidence: Evidence): Judgement => {
    const all = readLocations(evidence)
    if (evidence.profile.objects.Location === undefined)
      return inconclusive("error", "we have no schema of this version's locations")
    if (all.locations.length === 0 && all.strays.length === 0)
      return inconclusive("unobservable", "the partner lists no locations to look at")
    const result = judge(all, evidence)
    return "is" in result ? result : noneOf(result, `${all.locations.length} locations looked at`)
  }

/** The schema flaws that are a check's own. */
export const flawsWhere = (
  own: (flaw: LocationFlaw) => boolean,
  evidence: Evidence
): ReadonlyArray<Finding> =>
  schemaFlaws(evidence)
    .filter(own)
    .map(({ finding }) => finding)

/** Judges by schema flaws only. */
export const onFlaws = (own: (flaw: LocationFlaw) => boolean) =>
  onLocations((_, evidence) => flawsWhere(own, evidence))

/**
 * Judges each part that the rule is about (undefined: it is not); unobservable when it is about none. `about` completes
 * "none of them …".
 */
export const onParts = <Part extends PlacedPart>(
  partsOf: (read: Read) => ReadonlyArray<Part>,
  about: string,
  judge: (part: Part, evidence: Evidence) => ReadonlyArray<Finding> | undefined
) => {
  const among = (read: Read, evidence: Evidence): ReadonlyArray<Finding> | Judgement => {
    const parts = partsOf(read)
    const results = parts.flatMap((part) => {
      const findings = judge(part, evidence)
      return findings === undefined ? [] : [findings]
    })
    return results.length === 0
      ? inconclusive("unobservable", `none of the ${parts.length} looked at ${about}`)
      : noneOf(results.flat(), `${results.length} of ${parts.length} looked at`)
  }
  return onLocations(among)
}

/** Does the version say whose a location is, and whether it may be published? Those before it have other fields. */
export const laterLocations = versionsWhere(({ ownerFields }) => ownerFields)
