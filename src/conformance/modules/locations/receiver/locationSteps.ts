/** The steps of scripts about our location, and what some of them need to have gone well. */
import type { Precondition } from "../../../model/Check.ts"
import type { PatchedObject } from "../../shared/receivers/likePatches.ts"
import type { PlainRead } from "../../shared/receivers/lostFields.ts"
import { type Make, type ObjectPart, objectSteps, stamp } from "../../shared/receivers/receiverSteps.ts"
import { evse, location, ourLocations } from "./testLocation.ts"

export const { get, patch, put } = objectSteps(() => ourLocations)

/** A change with a last_updated so many seconds after the start of the run. */
export const stampedAt =
  (seconds: number, change: Make = () => ({})): Make =>
  (evidence) => ({ ...change(evidence), last_updated: stamp(evidence, seconds) })

/** Where a plain location is read back. */
export const plainLocation: PlainRead = {
  check: "LOC-102",
  read: "locations.write#read back",
  object: location("put")
}

/** The PATCH of the script of that name. */
export const patched = (name: string, before: Make | ObjectPart): PatchedObject => ({
  patch: `locations.${name}#patch`,
  read: `locations.${name}#read patched`,
  plain: plainLocation,
  ...(typeof before === "function" ? { before } : { before: before.json, part: before.part })
})
/** The first PATCH: where it changes nothing, others that change nothing are no more news. */
export const patchedStatus = { check: "LOC-104", ...patched("status", evse("status", 1)) }

/** A partner that refuses every PATCH of an EVSE refuses the PATCHes of single rules for that reason. */
export const patchedEvse: Precondition = {
  answers: "locations.status#patch",
  what: "a PATCH of an EVSE",
  check: "LOC-104"
}
/** A partner that refuses every PUT of a part refuses those of single rules for that reason. */
export const putParts = {
  evse: {
    answers: "locations.parts#put evse",
    what: "a PUT of an EVSE",
    check: "LOC-103",
    ofRefusals: true
  },
  connector: { answers: "locations.parts#put connector", what: "a PUT of a connector", check: "LOC-103" }
} as const satisfies Readonly<Record<string, Precondition>>
export const patchedConnector: Precondition = {
  answers: "locations.tariffs#patch",
  what: "a PATCH of a connector",
  check: "LOC-106"
}
