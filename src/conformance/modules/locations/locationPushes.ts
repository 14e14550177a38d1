/** How a CPO tells us of its locations as they change (mod_locations, Receiver Interface on our side). */

import { unknownFields } from "../../../../schema/ocpi/unknownFields.ts"
import type { ObjectName, VersionProfile } from "../../../../schema/ocpi/VersionProfile.ts"
import { mismatches } from "../../../findings/expectations.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { finding } from "../../../findings/finding.ts"
import { sameId } from "../../../findings/json.ts"
import { shown } from "../../../findings/words.ts"
import { type Check, inconclusive, type Judgement, noneOf } from "../../model/Check.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { onAllCalls } from "../shared/allCalls.ts"
import { readingOf } from "../shared/objects/ListedKind.ts"
import { noObject, type PushedObject, pushedObjects, strayPushes } from "../shared/pushedObjects.ts"
import { goneSilently, parentsMoved, provoke, statusStamped, statusTold } from "./afterPushes.ts"
import { idsKept } from "./keptIds.ts"
import { laterLocations, locationsBase } from "./readLocations.ts"

const base = {
  ...locationsBase,
  mode: "OBS",
  reference: "mod_locations, Receiver Interface",
  sends: "no request: the check looks at the locations that the partner pushes to us",
  needs: () => ["inbound"]
} as const
const rereads = "GET locations again after the pushes, and of some EVSEs by their uids"
const afterwards = () => ["inbound", ...readingOf("locations"), "locations.after"]

const objectAt = ({ ids }: PushedObject): ObjectName =>
  ids.length === 3 ? "Connector" : ids.length === 2 ? "EVSE" : "Location"

const orNoObject = ({ seen }: PushedObject, flaws: ReadonlyArray<Finding>): ReadonlyArray<Finding> => {
  const unreadable = noObject(seen)
  return unreadable.length > 0 ? unreadable : flaws
}

const onPushes =
  (method: "PUT" | "PATCH", judge: (push: PushedObject, profile: VersionProfile) => ReadonlyArray<Finding>) =>
  (evidence: Evidence): Judgement => {
    const all = pushedObjects(evidence, "locations")
    const own = all.filter((push) => push.method === method)
    // What is neither PUT nor PATCH of an object was to be a PUT.
    const strays = method === "PUT" ? strayPushes(evidence, "locations", ["PUT", "PATCH"]) : []
    if (own.length + strays.length > 0)
      return noneOf(
        [...own.flatMap((push) => orNoObject(push, judge(push, evidence.profile))), ...strays],
        `${own.length} calls looked at`
      )
    const near = all.length === 0 ? "" : `. Near misses: ${all.length} calls of other methods`
    return inconclusive("unobservable", `${provoke}${near}`)
  }

const inPush = (
  { seen }: PushedObject,
  pointer: string,
  message: string,
  { actual, expected }: { readonly expected: string; readonly actual: unknown }
) =>
  finding(
    seen,
    `${seen.exchange.request.method} ${seen.exchange.operation.replace(/^\w+ /, "")}: ${message}`,
    { expected, actual: shown(actual), pointer }
  )

/** Ids of the body that are not those of the path. */
const otherIds = (push: PushedObject, profile: VersionProfile): ReadonlyArray<Finding> => {
  const id = push.ids.at(-1)
  const wanted: ReadonlyArray<readonly [string, string | undefined]> =
    push.ids.length === 2
      ? [["uid", id]]
      : push.ids.length === 1 && profile.ownerFields
        ? [
            ["id", id],
            ["country_code", push.country],
            ["party_id", push.party]
          ]
        : [["id", id]]
  return wanted
    .filter(([name, value]) => push.body[name] !== undefined && !sameId(push.body[name], value))
    .map(([name, value]) =>
      inPush(push, `/${name}`, `${name} is not the one of the path`, {
        expected: shown(value),
        actual: push.body[name]
      })
    )
}

const schemaFlaws = (push: PushedObject, { objects }: VersionProfile) =>
  mismatches(push.seen, objects[objectAt(push)], push.seen.json)

/**
 * Judge how a CPO pushes locations, EVSEs and connectors, and what its list says afterwards (mod_locations, Receiver
 * Interface).
 */
export const locationPushesChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "LOC-042",
    title: "PUT of a location, EVSE or connector: a complete object with the ids of its path",
    passes: "PUT of a full valid object; the ids in the body are those of the path",
    hint: "Send by PUT the whole object that the URL names; use PATCH to change fields of it.",
    judge: onPushes("PUT", (push, profile) => [...schemaFlaws(push, profile), ...otherIds(push, profile)])
  },
  {
    ...base,
    id: "LOC-043",
    title: "PATCH of a location, EVSE or connector: only fields of the object that the URL names",
    reference: "mod_locations, Receiver Interface; transport_and_format, PATCH",
    passes:
      "no field of another of the three objects, each field with a valid value; a field of the partner's own is recorded",
    hint: "Send only fields of the EVSE in a PATCH of an EVSE; change the location by a PATCH of the location.",
    judge: onPushes("PATCH", patchFlaws)
  },
  {
    ...base,
    id: "LOC-044",
    title: "EVSE status: each change is pushed within 60 s, and GET of the EVSE has the same status",
    strength: "should",
    sends: rereads,
    passes: "a push within 60 s of each change; GET of the EVSE by uid has the same status",
    hint: "Push every change of status at once: drivers see only what the EMSP knows.",
    needs: () => [...afterwards(), "locations.evses-after"],
    partial: true,
    judge: onAllCalls("inbound", ["locations"], statusTold)
  },
  {
    ...base,
    id: "LOC-051",
    title: "EVSE: last_updated of a pushed status is later than that of the status before",
    reference: "mod_locations, EVSE object (last_updated)",
    passes: "a push of another status than the one before, listed or pushed, has a later last_updated",
    hint: "Update last_updated of the EVSE with each change of its status: a receiver may take the push for an old one.",
    needs: () => ["inbound", ...readingOf("locations")],
    judge: onAllCalls("inbound", ["locations"], statusStamped)
  },
  {
    ...base,
    id: "LOC-045",
    title: "Location: last_updated is not before that of a pushed EVSE or connector",
    reference: "mod_locations, Location object",
    sends: rereads,
    passes: "last_updated of the listed location is not before that of the EVSE or connector that was pushed",
    hint: "Update last_updated of the location with every change of an EVSE or connector.",
    needs: afterwards,
    judge: parentsMoved
  },
  {
    ...base,
    id: "LOC-046",
    versions: laterLocations,
    title: "EVSE: status REMOVED before it leaves the list",
    reference: "mod_locations, EVSE object",
    sends: rereads,
    passes: "an EVSE that is not listed any more was pushed as REMOVED, or GET by its uid gives REMOVED",
    hint: "Set the status of the EVSE to REMOVED and push it; OCPI has no DELETE of an EVSE.",
    needs: () => [...afterwards(), "locations.evses-after"],
    partial: true,
    judge: onAllCalls("inbound", ["locations"], goneSilently)
  },
  {
    ...base,
    id: "LOC-047",
    mode: "RO",
    phase: "watch",
    title: "Location, EVSE and Connector: ids do not change",
    reference: "mod_locations, Location, EVSE and Connector objects",
    sends: rereads,
    passes: "EVSEs that were listed or pushed before have the same location id, uid and connector ids",
    hint: "Keep location id, EVSE uid and connector ids for good: receivers find the object by them.",
    needs: afterwards,
    judge: idsKept
  }
]

/** Has another of the three objects a field of that name? A name that none of them has is a field of the partner's own. */
const isOfAnother = (name: string, object: ObjectName, { objects }: VersionProfile): boolean =>
  (["Location", "EVSE", "Connector"] as const).some((other) => {
    const schema = other === object ? undefined : objects[other]
    return schema !== undefined && unknownFields(schema, { [name]: null }).length === 0
  })

function patchFlaws(push: PushedObject, profile: VersionProfile): ReadonlyArray<Finding> {
  const object = objectAt(push)
  const schema = profile.objects[object]
  const given = (pointer: string | undefined) => (pointer ?? "").split("/")[1] ?? ""
  const wrong = schemaFlaws(push, profile)
    // What a PATCH leaves out is not wrong; only what it has.
    .filter(({ pointer }) => given(pointer) in push.body)
  const unknown = schema === undefined || profile.openEnums ? [] : unknownFields(schema, push.body)
  return [
    ...wrong,
    ...otherIds(push, profile),
    ...unknown
      .filter((pointer) => pointer.split("/").length === 2)
      .map((pointer) => ({
        ...inPush(push, pointer, `${pointer.slice(1)} is no field of ${object}`, {
          expected: `a field of ${object}`,
          actual: pointer
        }),
        ...(isOfAnother(pointer.slice(1), object, profile) ? {} : { strength: "may" as const })
      }))
  ]
}
