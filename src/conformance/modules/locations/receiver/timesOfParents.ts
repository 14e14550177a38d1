/** A change of an EVSE or a connector is newer than what it is in: last_updated of that has to follow. */
import { objectsIn, sameId } from "../../../../findings/json.ts"
import { blocked, pass } from "../../../model/Check.ts"
import { judgeRead } from "../../shared/readBack.ts"
import { isIdle } from "../../shared/receivers/likePatches.ts"
import { taken } from "../../shared/receivers/receiverProofs.ts"
import { type Proof, rule, script } from "../../shared/receivers/receiverScript.ts"
import type { Make, ObjectPart } from "../../shared/receivers/receiverSteps.ts"
import { laterLocations } from "../readLocations.ts"
import { movedOn, type ParentsIn } from "./changedLocations.ts"
import {
  get,
  patch,
  patchedConnector,
  patchedEvse,
  patchedStatus,
  put,
  putParts,
  stampedAt
} from "./locationSteps.ts"
import { connector, evse, location, uidOf } from "./testLocation.ts"

/** Changes a part of a location by PATCH and by PUT, and reads the location after each. */
const changes = (
  name: string,
  part: (change?: Make) => ObjectPart,
  parentsIn: ParentsIn
): ReadonlyArray<Proof> => [
  taken(patch("patch", part(), stampedAt(10))),
  unlessIdle(movedOn(get("read patched", location(name)), 10, parentsIn)),
  taken(put("put part", part(stampedAt(20)))),
  movedOn(get("read put", location(name)), 20, parentsIn)
]

/** Where the receiver takes each PATCH and changes nothing, this one shows nothing else: LOC-104 reports it. */
const unlessIdle = ({ judge, ...proof }: Proof): Proof => ({
  ...proof,
  judge: (seen, evidence) =>
    isIdle(evidence, patchedStatus) &&
    judgeRead(seen, proof.step.json(evidence), evidence.profile, {
      except: evidence.lost?.has ?? (() => false)
    }).is === "pass"
      ? blocked({
          check: patchedStatus.check,
          exchangeId: seen.exchange.id,
          what: "the PATCH before it was taken and changed nothing"
        })
      : (judge?.(seen, evidence) ?? pass())
})

/** The scripts of LOC-107 and LOC-108. */
export const timesOfParents = [
  script("evse-times", [
    put("put", location("evse-times")),
    rule("LOC-107", {
      requires: () => [patchedEvse, putParts.evse],
      proofs: changes(
        "evse-times",
        (change) => evse("evse-times", 1, change),
        (json) => [{ pointer: "", json }]
      ),
      versions: laterLocations,
      title: "A change of an EVSE updates last_updated of its location",
      sends: "PATCH and PUT of an EVSE with a newer last_updated, GET of the location after each",
      passes: "the location's last_updated is that of the EVSE",
      hint: "Update last_updated of everything above the part that was changed."
    })
  ]),
  script("plug-times", [
    put("put", location("plug-times")),
    rule("LOC-108", {
      requires: () => [patchedConnector, putParts.connector],
      proofs: changes(
        "plug-times",
        (change) => connector("plug-times", "1", change),
        (json, evidence) => [
          { pointer: "", json },
          ...objectsIn(json["evses"]).flatMap((one, index) =>
            sameId(one["uid"], uidOf(evidence, "plug-times", 1))
              ? [{ pointer: `/evses/${index}`, json: one }]
              : []
          )
        ]
      ),
      versions: laterLocations,
      title: "A change of a connector updates last_updated of its EVSE and location",
      sends: "PATCH and PUT of a connector with a newer last_updated, GET of the location after each",
      passes: "last_updated of the EVSE and of the location is that of the connector",
      hint: "Update last_updated of everything above the part that was changed."
    })
  ])
]
