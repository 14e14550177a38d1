/** Names and marks of locations: words of their own, moments, EVSE ids, and what is left of a location. */

import { dateTimeMillis } from "../../../../schema/ocpi/DateTime.ts"
import { unknownWords } from "../../../../schema/ocpi/unknownWords.ts"
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { at, repeated, unless } from "../../../findings/finding.ts"
import { keyText, textIn } from "../../../findings/json.ts"
import { isEmpty } from "../../../findings/objectDifferences.ts"
import { type Check, inconclusive } from "../../model/Check.ts"
import { clockSkewMillis } from "../../model/clocks.ts"
import { wrong } from "../shared/objects/objectRules.ts"
import { type LocationParts, locationsBase, locationsChapter, onLocations, onParts } from "./readLocations.ts"

/** eMI3 and IDACS: country, party, E and a number; the stars may be left out. */
const evseId = /^[A-Z]{2}\*?[A-Z0-9]{3}\*?E[A-Z0-9][A-Z0-9*]*$/i

const everyPart = ({ connectors, evses, locations }: LocationParts) => [...locations, ...evses, ...connectors]
const inUse = ({ evses }: LocationParts) => evses.filter(({ json }) => json["status"] !== "REMOVED")

/**
 * Judge values of open enums, last_updated, evse_id and locations without an EVSE in use (mod_locations, Location and
 * EVSE objects).
 */
export const locationMarksChecks: ReadonlyArray<Check> = [
  {
    ...locationsBase,
    id: "LOC-005",
    versions: versionsWhere(({ openEnums }) => openEnums),
    title: "Location: values of OpenEnum fields that the version does not list",
    strength: "may",
    reference: "types, OpenEnum type; mod_locations",
    passes: "records the values that the version does not list",
    judge: onLocations(({ locations }, { profile }) => {
      const schema = profile.objects.Location
      return schema === undefined
        ? inconclusive("error", "we have no schema of this version's locations")
        : locations.flatMap((item) =>
            unknownWords(schema, item.json).map(({ known, pointer, word }) =>
              wrong(item, pointer.slice(1), "a value that the version does not list", {
                expected: `one of ${known.join(", ")}, or a value that both parties know`,
                actual: word
              })
            )
          )
    })
  },
  {
    ...locationsBase,
    id: "LOC-015",
    title: "Location, EVSE and Connector: last_updated is not in the future",
    strength: "should",
    reference: `${locationsChapter}, Location object`,
    passes: "no last_updated is more than 5 minutes ahead of our clock",
    hint: "Write last_updated in UTC, from a synchronised clock.",
    judge: onParts(everyPart, "has last_updated", (item) => {
      const changed = dateTimeMillis(item.json["last_updated"])
      if (changed === undefined) return undefined
      const now = Date.parse(item.seen.exchange.startedAt)
      return unless(changed <= now + clockSkewMillis, () =>
        wrong(item, "last_updated", "last_updated is in the future", {
          expected: `not after ${new Date(now).toISOString()}`,
          actual: item.json["last_updated"]
        })
      )
    })
  },
  {
    ...locationsBase,
    id: "LOC-016",
    title: "EVSE: evse_id has the eMI3 form",
    strength: "should",
    reference: `${locationsChapter}, EVSE object`,
    passes: "evse_id is country code, party id, E and an outlet id, such as BE*BEC*E041503001",
    hint: "Put into evse_id the id that drivers and roaming partners see, and into uid that of your own system.",
    judge: onParts(
      ({ evses }) => evses,
      "has an evse_id",
      (item) => {
        const id = textIn(item.json["evse_id"])
        if (id === undefined) return undefined
        return unless(evseId.test(id), () =>
          wrong(item, "evse_id", "evse_id does not have the eMI3 form", {
            expected: "e.g. BE*BEC*E041503001",
            actual: id
          })
        )
      }
    )
  },
  {
    ...locationsBase,
    id: "LOC-017",
    consequenceOf: ["LOC-010"],
    title: "EVSE: evse_id is given and unique unless the EVSE is REMOVED",
    strength: "should",
    reference: `${locationsChapter}, EVSE object`,
    passes: "evse_id is given and unique, unless the EVSE is REMOVED",
    hint: "Give each EVSE an evse_id of its own, and keep it until the EVSE is REMOVED: drivers and bills name the EVSE by it.",
    judge: onLocations((read) => {
      const evses = inUse(read)
      if (evses.length === 0) return inconclusive("unobservable", "the partner lists no EVSE in use")
      // Of another type it is a finding of the schema.
      const missing = evses.filter(({ json }) => json["evse_id"] === "" || isEmpty(json["evse_id"]))
      const named = evses.filter(({ json }) => textIn(json["evse_id"]) !== undefined)
      const plain = (id: unknown) => keyText(id).replaceAll("*", "").toUpperCase()
      return [
        ...missing.map((item) =>
          wrong(item, "evse_id", "the EVSE has no evse_id", { expected: "an evse_id", actual: undefined })
        ),
        ...repeated(named, ({ json }) => plain(json["evse_id"])).map((item) =>
          wrong(item, "evse_id", "the evse_id is used twice", {
            expected: "each evse_id once",
            actual: item.json["evse_id"]
          })
        )
      ]
    })
  },
  {
    ...locationsBase,
    id: "LOC-018",
    title: "Location: one without an EVSE that is not REMOVED",
    // They are no longer displayed, but cannot be deleted: sessions and CDRs name them.
    strength: "may",
    reference: `${locationsChapter}, Flow and Lifecycle`,
    passes: "recorded: locations of which every EVSE is REMOVED, or that have none",
    hint: "Keep such a location listed while sessions or CDRs name it: EMSPs no longer display it.",
    judge: onLocations(({ evses, locations }) => {
      const inUse = new Set(
        evses.flatMap(({ json, location }) => (json["status"] === "REMOVED" ? [] : [location]))
      )
      return locations
        .filter((location) => !inUse.has(location))
        .map(({ json, pointer, seen }) =>
          at(seen, `${pointer}/evses`, "the location has no EVSE in use", {
            expected: "at least one EVSE that is not REMOVED",
            actual: Array.isArray(json["evses"]) ? `${json["evses"].length} REMOVED` : undefined
          })
        )
    })
  }
]
