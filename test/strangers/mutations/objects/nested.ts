/** Faults in the ids of EVSEs and connectors, while the ids of their locations stay (mod_locations, EVSE and Connector objects). */
import type { Bend } from "../../partner/Bend.ts"
import { afterwards, change, type Edit, every, inTurn, lastOf, within, withinAll, without } from "../bends.ts"
import { fault, type Mutation, withAll } from "../Mutation.ts"

/** The id with another ending, which fits into 36 characters. */
const other = (field: "id" | "uid", ending: () => unknown): Edit =>
  change(field, (id: string) => `${id.slice(0, 24)}-${ending()}`)

/** Ids that are made anew whenever a location is shown. */
const ofEachReading = (edit: (number: () => number) => Edit) => (): Bend => {
  let shown = 0
  const bend = every(
    "Location",
    edit(() => shown)
  )
  return {
    shows: (...given) => {
      shown += 1
      return bend.shows!(...given)
    }
  }
}
const connectors = (edit: Edit) => withinAll("connectors", edit)
const plain: Edit = without("evse_id")

/** Rows of ids that are other ones at each reading, or since the run began. */
export const nestedFaults: ReadonlyArray<Mutation> = withAll({ needs: { objects: 6, changesEach: 0 } }, [
  // The location that is read by its id has other ids than the listed one already: LOC-034 tells that of the two readings, LOC-047
  // of those at the beginning and at the end of the run.
  fault(
    "nested.uids-of-each-reading",
    "LOC-047",
    ofEachReading((number) => withinAll("evses", other("uid", number))),
    { follows: "LOC-034" }
  ),
  fault(
    "nested.uids-of-each-reading-unnamed",
    "LOC-047",
    ofEachReading((number) => withinAll("evses", inTurn(plain, other("uid", number)))),
    { follows: "LOC-034" }
  ),
  fault(
    "nested.connectors-of-each-reading",
    "LOC-034",
    ofEachReading((number) => withinAll("evses", connectors(other("id", number)))),
    { follows: "LOC-047" }
  ),
  // The run itself charges at the first ones, which get another stamp by that.
  ...withAll({ order: { part: "full", listenSeconds: 900 } }, [
    fault(
      "nested.other-connectors",
      "LOC-047",
      afterwards(lastOf("Location", within("evses", connectors(other("id", () => "new")))))
    ),
    fault("nested.other-uids-unnamed", "LOC-047", () => {
      const bend = afterwards(
        lastOf(
          "Location",
          withinAll(
            "evses",
            other("uid", () => "new")
          )
        )
      )()
      const unnamed = every("Location", withinAll("evses", plain))
      return {
        shows: (json, name, place, now) =>
          bend.shows!(unnamed.shows!(json, name, place, now), name, place, now)
      }
    })
  ])
])
