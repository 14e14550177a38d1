/** Faults in `last_updated` of listed objects: it moves without a change, or a change does not move it. */
import { dateTimeMillis, dateTimeOf } from "../../../schema/ocpi/DateTime.ts"
import type { JsonObject } from "../../findings/json.ts"
import { allVersions, cpo, emsp, type Fault } from "./Fault.ts"
import { aboutList, editObjects, when } from "./replies.ts"

interface Kind {
  readonly module: string
  readonly roles: Fault["roles"]
  /** Catalogue ids of the checks of changes without a stamp, and of stamps without a change. */
  readonly changed: string
  readonly still: string
  /** Another value in a field of the object at each reading. */
  readonly change: (object: JsonObject, now: string) => JsonObject
}

const kinds: ReadonlyArray<Kind> = [
  {
    module: "locations",
    roles: cpo,
    changed: "LOC-049",
    still: "LOC-050",
    change: (location, now) => ({ ...location, name: `As of ${now}` })
  },
  {
    module: "tariffs",
    roles: cpo,
    changed: "TAR-034",
    still: "TAR-035",
    change: (tariff, now) => ({ ...tariff, tariff_alt_text: [{ language: "en", text: `As of ${now}` }] })
  },
  {
    module: "tokens",
    roles: emsp,
    changed: "TOK-030",
    still: "TOK-031",
    change: (token, now) => ({ ...token, issuer: `As of ${now}` })
  }
]

/** What a charge that is simulated fast has stamped is ahead of the clock, and stays. */
const stamped = (object: JsonObject, now: number): JsonObject => ({
  ...object,
  last_updated: dateTimeOf(Math.max(now, dateTimeMillis(object["last_updated"]) ?? 0))
})

/** Faults in the time stamps of the lists of locations, tariffs and tokens. */
export const stampsFaults: ReadonlyArray<Fault> = kinds.flatMap(
  ({ change, changed, module, roles, still }): ReadonlyArray<Fault> => [
    {
      module,
      versions: allVersions,
      roles,
      id: `${module}.changed-without-stamp`,
      strength: "must",
      description: `Lists ${module} with another text at each reading and the same last_updated`,
      caughtBy: [changed],
      behaviour: {
        reply: when(
          aboutList(module),
          editObjects((object, { receivedAt }) => change(object, receivedAt))
        )
      }
    },
    {
      module,
      versions: allVersions,
      roles,
      id: `${module}.stamped-anew`,
      strength: "should",
      description: `Lists ${module} with the time of the answer as last_updated, unless it is later`,
      caughtBy: [still],
      behaviour: {
        reply: when(
          aboutList(module),
          editObjects((object, { receivedAt }) => stamped(object, Date.parse(receivedAt)))
        )
      }
    }
  ]
)
