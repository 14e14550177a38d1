/** Locations and their parts: identity, completeness and time. */

import { dateTimeMillis } from "../../../../schema/ocpi/DateTime.ts"
import type { VersionProfile } from "../../../../schema/ocpi/VersionProfile.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { at, repeated, unless } from "../../../findings/finding.ts"
import { inWords, shown } from "../../../findings/words.ts"
import type { Check } from "../../model/Check.ts"
import { isHub } from "../shared/hubs.ts"
import { keyIn, type Placed } from "../shared/objects/Placed.ts"
import { locationsBase, locationsChapter, onLocations } from "./readLocations.ts"

const twice = <Item extends Placed>(
  items: ReadonlyArray<Item>,
  field: string,
  keyOf: (item: Item) => string,
  what: string
): ReadonlyArray<Finding> =>
  repeated(
    items.filter(({ json }) => typeof json[field] === "string"),
    keyOf
  ).map(({ json, pointer, seen }) =>
    at(seen, `${pointer}/${field}`, what, { expected: "each id once", actual: json[field] })
  )

/** Ids are compared without regard to case where the version's ids are CiStrings. */
const idOf = (value: unknown, profile: VersionProfile) =>
  profile.credentialsRoles ? shown(value).toLowerCase() : shown(value)

/**
 * Judge ids, completeness and the order of last_updated of locations, EVSEs and connectors (mod_locations, Location,
 * EVSE and Connector objects).
 */
export const locationPartsChecks: ReadonlyArray<Check> = [
  {
    ...locationsBase,
    id: "LOC-010",
    title: "Location: id is unique within a party",
    reference: `${locationsChapter}, Location object`,
    passes: "no two locations of one party share an id",
    hint: "Give each location an id of its own, and list each location once.",
    judge: onLocations(({ locations }, { profile }) =>
      twice(
        locations,
        "id",
        ({ json }) => idOf([json["country_code"], json["party_id"], json["id"]], profile),
        "the location id is used twice"
      )
    )
  },
  {
    ...locationsBase,
    id: "LOC-011",
    title: "EVSE: uid is unique on the CPO's platform",
    reference: `${locationsChapter}, EVSE object`,
    passes: "no two EVSEs share a uid; behind a hub, no two of one CPO",
    hint: "Give each EVSE a uid of its own over all locations, and never use the uid of a removed EVSE again.",
    judge: onLocations(({ evses, locations }, evidence) => {
      // That a location's id is used twice is the finding of LOC-010: its EVSEs count once.
      const keyOf = ({ json }: Placed) => keyIn(json, evidence)
      const again = new Set(repeated(locations, keyOf))
      // Behind a hub there is a platform of each CPO.
      const platformOf = ({ json }: Placed) =>
        isHub(evidence) ? [json["country_code"], json["party_id"]] : []
      return twice(
        evses.filter(({ location }) => !again.has(location)),
        "uid",
        ({ json, location }) => idOf([...platformOf(location), json["uid"]], evidence.profile),
        "the EVSE uid is used twice"
      )
    })
  },
  {
    ...locationsBase,
    id: "LOC-012",
    title: "Connector: id is unique within the EVSE",
    reference: `${locationsChapter}, Connector object`,
    passes: "no two connectors of an EVSE share an id",
    hint: "Number the connectors of each EVSE: an id is used once within the EVSE.",
    judge: onLocations(({ connectors }, { profile }) =>
      twice(
        connectors,
        "id",
        // The connector's pointer without its own index identifies the EVSE.
        ({ json, pointer, seen }) =>
          `${seen.exchange.id}${pointer.replace(/\/\d+$/, "")} ${idOf(json["id"], profile)}`,
        "the connector id is used twice in the EVSE"
      )
    )
  },
  {
    ...locationsBase,
    id: "LOC-013",
    title: "EVSE: connectors has at least one entry",
    reference: `${locationsChapter}, EVSE object`,
    passes: "connectors has at least one entry",
    hint: "Add at least one connector to each EVSE, or leave the EVSE out until its connectors are known.",
    judge: onLocations(({ evses }) =>
      evses.flatMap(({ json, pointer, seen }) =>
        unless(Array.isArray(json["connectors"]) && json["connectors"].length > 0, () =>
          at(seen, `${pointer}/connectors`, "the EVSE has no connector", {
            expected: "at least one connector",
            actual: json["connectors"]
          })
        )
      )
    )
  },
  {
    ...locationsBase,
    id: "LOC-014",
    title: "Location and EVSE: last_updated is not before that of their EVSEs and connectors",
    reference: `${locationsChapter}, Location, EVSE and Connector objects`,
    passes: "Connector.last_updated <= EVSE.last_updated <= Location.last_updated",
    hint: "Update last_updated of the EVSE and the location with every change of a connector, and of the location with every change of an EVSE.",
    judge: onLocations(({ connectors, evses }) => [
      ...evses.flatMap((evse) => younger(evse, evse.location, "EVSE", "location")),
      ...connectors.flatMap((one) => younger(one, one.evse, "connector", "EVSE"))
    ])
  }
]

function younger(child: Placed, parent: Placed, what: string, above: string): ReadonlyArray<Finding> {
  const [own, theirs] = [
    dateTimeMillis(child.json["last_updated"]),
    dateTimeMillis(parent.json["last_updated"])
  ]
  return unless(own === undefined || theirs === undefined || own <= theirs, () =>
    at(
      child.seen,
      `${child.pointer}/last_updated`,
      `last_updated of the ${what} is after that of its ${above}`,
      {
        expected: `not after ${inWords(parent.json["last_updated"])}`,
        actual: child.json["last_updated"]
      }
    )
  )
}
