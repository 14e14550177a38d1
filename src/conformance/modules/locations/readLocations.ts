/** The locations of a crawl, taken apart once more: into EVSEs and connectors, each with its place. */

import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { isObject } from "../../../findings/json.ts"
import { inconclusive, type Judgement, noneOf } from "../../model/Check.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { locations } from "../shared/objects/ListedKind.ts"
import { objectsOf } from "../shared/objects/listedObjects.ts"
import { flawsIn, type SchemaFlaw } from "../shared/objects/objectFlaws.ts"
import { baseOf, onAll } from "../shared/objects/objectRules.ts"
import type { Placed } from "../shared/objects/Placed.ts"

/** The document about locations. */
export const locationsChapter = locations.chapter

/** What the checks of locations have in common. */
export const locationsBase = baseOf(locations)

/** The locations that were read, and their EVSEs and connectors, each with its parent. */
export interface LocationParts {
  readonly locations: ReadonlyArray<Placed>
  readonly evses: ReadonlyArray<Placed & { readonly location: Placed }>
  readonly connectors: ReadonlyArray<Placed & { readonly evse: Placed }>
}

const children = (parent: Placed, field: string): ReadonlyArray<Placed> => {
  const list = parent.json[field]
  return Array.isArray(list)
    ? list.flatMap((json: unknown, index) =>
        isObject(json) ? [{ seen: parent.seen, pointer: `${parent.pointer}/${field}/${index}`, json }] : []
      )
    : []
}

/** The locations as far as they were read, taken apart. */
export const readLocations = (evidence: Evidence): LocationParts =>
  evidence.once("locations.read", () => {
    const read = objectsOf(evidence, locations.module)
    const evses = read.flatMap((location) =>
      children(location, "evses").map((evse) => ({ ...evse, location }))
    )
    return {
      locations: read,
      evses,
      connectors: evses.flatMap((evse) => children(evse, "connectors").map((one) => ({ ...one, evse })))
    }
  })

/** Judges the locations that were read; unobservable when there are none. */
export const onLocations = (
  judge: (read: LocationParts, evidence: Evidence) => ReadonlyArray<Finding> | Judgement
) => onAll(locations, (_, evidence) => judge(readLocations(evidence), evidence))

/** The schema flaws of a location that are a check's own. */
export const flawsOfLocation = (
  location: Placed,
  own: (flaw: SchemaFlaw) => boolean,
  evidence: Evidence
): ReadonlyArray<Finding> =>
  flawsIn(evidence, locations, location)
    .filter(own)
    .map(({ finding }) => finding)

/**
 * Judges each part that the rule is about (undefined: it is not); unobservable when it is about none. `about` completes
 * "none of them …".
 */
export const onParts = <Part extends Placed>(
  partsOf: (read: LocationParts) => ReadonlyArray<Part>,
  about: string,
  judge: (part: Part, evidence: Evidence) => ReadonlyArray<Finding> | undefined
) => {
  const among = (read: LocationParts, evidence: Evidence): ReadonlyArray<Finding> | Judgement => {
    const parts = partsOf(read)
    const results = parts.flatMap((part) => {
      const findings = judge(part, evidence)
      return findings === undefined ? [] : [findings]
    })
    return results.length === 0
      ? inconclusive(
          "unobservable",
          parts.length === 0
            ? `nothing in the list of locations ${about}`
            : `none of the ${parts.length} ${nounOf(parts)} ${about}`
        )
      : noneOf(results.flat(), `${results.length} of ${parts.length} ${nounOf(parts)} looked at`)
  }
  return onLocations(among)
}

/** What the parts are, by their places: `EVSEs`, `locations and EVSEs`. */
function nounOf(parts: ReadonlyArray<Placed>): string {
  const nouns = parts.map(({ pointer }) =>
    /\/connectors\/\d+$/.test(pointer) ? "connectors" : /\/evses\/\d+$/.test(pointer) ? "EVSEs" : "locations"
  )
  return nouns.length === 0 ? "parts" : [...new Set(nouns)].join(" and ")
}

/** Does the version say whose a location is, and whether it may be published? Those before it have other fields. */
export const laterLocations = versionsWhere(({ ownerFields }) => ownerFields)
