/** Names and marks of locations: words of their own, moments, EVSE ids, and what is left of a location. */

import { unknownWords } from "../../../../schema/ocpi/unknownWords.ts"
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { at, repeated, unless } from "../../../findings/finding.ts"
import { textIn } from "../../../findings/json.ts"
import { dateTimeMillis } from "../../../ocpi/dateTime.ts"
import { type Check, inconclusive } from "../../model/Check.ts"
import { wrong } from "../shared/readObjects.ts"
import { locationsBase, locationsChapter, onLocations, onParts, type Read } from "./readLocations.ts"

const aheadMillis = 300_000
/** eMI3 and IDACS: country, party, E and a number; the stars may be left out. */
const evseId = /^[A-Z]{2}\*?[A-Z0-9]{3}\*?E[A-Z0-9][A-Z0-9*]*$/i

const everyPart = ({ connectors, evses, locations }: Read) => [...locations, ...evses, ...connectors]
const inUse = ({ evses }: Read) => evses.filter(({ json }) => json["status"] !== "REMOVED")

export const locationMarksChecks: ReadonlyArray<Check> = [
  {
    ...locationsBase,
    id: "LOC-005",
    versions: versionsWhere(({ openEnums }) => openEnums),
    title: "Words of its own in open enumerations",
    strength: "may",
    reference: "types, OpenEnum; mod_locations",
    passes: "records the words that the version does not list",
    judge: onLocations(({ locations }, { profile }) => {
      const schema = profile.objects.Location
      return schema === undefined
        ? inconclusive("error", "we have no schema of this version's locations")
        : locations.flatMap((item) =>
            unknownWords(schema, item.json).map(({ known, pointer, word }) =>
              wrong(item, pointer.slice(1), "a word that the version does not list", {
                expected: `one of ${known.join(", ")}, or a word that both sides know`,
                actual: word
              })
            )
          )
    })
  },
  {
    ...locationsBase,
    id: "LOC-015",
    title: "last_updated: not in the future",
    strength: "should",
    reference: `${locationsChapter}, Location object`,
    passes: "no last_updated is more than 5 minutes ahead of our clock",
    hint: "Stamp changes in UTC, by a clock that is set.",
    judge: onParts(everyPart, "says when it was changed", (item) => {
      const changed = dateTimeMillis(item.json["last_updated"])
      if (changed === undefined) return undefined
      const now = Date.parse(item.seen.exchange.startedAt)
      return unless(changed <= now + aheadMillis, () =>
        wrong(item, "last_updated", "the last change is in the future", {
          expected: `not after ${new Date(now).toISOString()}`,
          actual: item.json["last_updated"]
        })
      )
    })
  },
  {
    ...locationsBase,
    id: "LOC-016",
    title: "EVSE ids have the form of eMI3",
    strength: "should",
    reference: `${locationsChapter}, EVSE object`,
    passes: "evse_id is country, party, E and a number, such as BE*BEC*E041503001",
    hint: "It is the id that drivers and roaming partners see; the id of your own system belongs in uid.",
    judge: onParts(
      ({ evses }) => evses,
      "has an evse_id",
      (item) => {
        const id = textIn(item.json["evse_id"])
        if (id === undefined) return undefined
        return unless(evseId.test(id), () =>
          wrong(item, "evse_id", "evse_id has another form", {
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
    title: "Every EVSE in use has an evse_id of its own",
    strength: "should",
    reference: `${locationsChapter}, EVSE object`,
    passes: "evse_id is there and unique, unless the EVSE is REMOVED",
    hint: "Drivers and bills name the EVSE by its evse_id; keep it until the EVSE is REMOVED.",
    judge: onLocations((read) => {
      const evses = inUse(read)
      if (evses.length === 0) return inconclusive("unobservable", "the partner lists no EVSE in use")
      const missing = evses.filter(({ json }) => textIn(json["evse_id"]) === undefined)
      const named = evses.filter(({ json }) => textIn(json["evse_id"]) !== undefined)
      const plain = (id: unknown) => String(id).replaceAll("*", "").toUpperCase()
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
    title: "Lists no location without an EVSE in use",
    strength: "should",
    reference: `${locationsChapter}, Location object`,
    passes: "each location has an EVSE that is not REMOVED",
    hint: "A location whose last EVSE is gone has expired: leave it out of the list.",
    judge: onLocations(({ evses, locations }) =>
      locations
        .filter(
          (location) => !evses.some((evse) => evse.location === location && evse.json["status"] !== "REMOVED")
        )
        .map(({ json, pointer, seen }) =>
          at(seen, `${pointer}/evses`, "the location has no EVSE in use", {
            expected: "at least one EVSE that is not REMOVED",
            actual: Array.isArray(json["evses"]) ? `${json["evses"].length} REMOVED` : undefined
          })
        )
    )
  }
]
