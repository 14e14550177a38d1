/** Reading again what a CPO has, after its pushes were observed. */

import { itemsOf } from "../../../findings/answers.ts"
import { indexed, isObject, type JsonObject, objectsIn, textIn } from "../../../findings/json.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { type Probe, withheld } from "../../model/Probe.ts"
import type { Placed } from "../shared/objects/Placed.ts"
import { pushedObjects } from "../shared/pushedObjects.ts"
import { readLocations } from "./readLocations.ts"

/** EVSEs that are read by their uids. */
const mostEvses = 10

/** The objects of a list as it was after the pushes. */
export const listedAfter = (evidence: Evidence, module: "locations" | "tariffs"): ReadonlyArray<Placed> =>
  evidence.once(`${module}.listed-after`, () =>
    evidence
      .answered(`${module}.after`)
      .flatMap((seen) =>
        (itemsOf(seen) ?? []).flatMap((json, index) =>
          isObject(json) ? [{ seen, pointer: `/data/${index}`, json }] : []
        )
      )
  )

/** An EVSE with its uid and the id of its location. */
export interface KnownEvse {
  readonly location: string
  readonly uid: string
  readonly json: JsonObject
}

/** EVSEs of a location, with its id. */
export const evsesOf = (location: JsonObject): ReadonlyArray<KnownEvse> =>
  objectsIn(location["evses"]).flatMap((json) => {
    const [id, uid] = [textIn(location["id"]), textIn(json["uid"])]
    return id === undefined || uid === undefined ? [] : [{ location: id, uid, json }]
  })

/** EVSEs that were listed when the run began, or pushed whole. */
export const knownBefore = (evidence: Evidence): ReadonlyArray<KnownEvse> =>
  evidence.once("evses.known-before", () => [
    ...readLocations(evidence).locations.flatMap(({ json }) => evsesOf(json)),
    ...pushedObjects(evidence, "locations").flatMap(({ body, ids: [id, evse, connector], method }) => {
      if (method !== "PUT" || connector !== undefined) return []
      return evse === undefined ? evsesOf(body) : [{ location: id, uid: evse, json: body }]
    })
  ])

/** EVSEs of `knownBefore` that are not in the list any more. */
export const goneSince = (evidence: Evidence): ReadonlyArray<KnownEvse> =>
  evidence.once("evses.gone", () => {
    const now = listedAfter(evidence, "locations").flatMap(({ json }) => evsesOf(json))
    if (now.length === 0) return []
    const isListed = indexed(now, ({ uid }) => [uid])
    return ofOwnUid(knownBefore(evidence).filter(({ uid }) => isListed(uid) === undefined))
  })

/** The first of each uid. */
const ofOwnUid = <A extends { readonly uid: string }>(evses: ReadonlyArray<A>): ReadonlyArray<A> => {
  const first = indexed(evses, ({ uid }) => [uid])
  return evses.filter((one) => first(one.uid) === one)
}

/** GET locations and GET tariffs again after the pushes, and GET of EVSEs by uid that were pushed or are not listed any more. */
export const afterwardsProbes: ReadonlyArray<Probe> = [
  {
    id: "locations.evses-after",
    after: ["inbound", "locations.list", "locations.crawl", "locations.after"],
    asks: (evidence) => {
      const told = pushedObjects(evidence, "locations").flatMap(
        ({ body, ids: [location, uid, connector] }) =>
          uid === undefined || connector !== undefined || body["status"] === undefined
            ? []
            : [{ location, uid }]
      )
      const once = ofOwnUid([...told.toReversed(), ...goneSince(evidence)])
      return once.length === 0
        ? withheld("unobservable", "no EVSE has changed or gone")
        : once.slice(0, mostEvses).map(({ location, uid }) => ({
            module: "locations",
            interfaceRole: "SENDER" as const,
            operation: "GET evse, afterwards",
            path: [location, uid],
            about: uid,
            again: true
          }))
    }
  }
]
