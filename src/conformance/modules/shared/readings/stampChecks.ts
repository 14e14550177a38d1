/** Whether `last_updated` moves with the object: objects of a list, read early and late in a run. */

import { minuteMillis } from "../../../../../schema/fields/durations.ts"
import { unknownFields } from "../../../../../schema/ocpi/unknownFields.ts"
import { at } from "../../../../findings/finding.ts"
import { type JsonObject, objectsIn, sameId } from "../../../../findings/json.ts"
import { idInWords } from "../../../../findings/objectNames.ts"
import { inWords } from "../../../../findings/words.ts"
import { type Check, inconclusive, type Judgement, noneOf, pass } from "../../../model/Check.ts"
import type { Evidence } from "../../../model/Evidence.ts"
import type { ListedKind } from "../objects/ListedKind.ts"
import { baseOf } from "../objects/objectRules.ts"
import { type Placed, stampOf } from "../objects/Placed.ts"
import { otherFields, sameContent } from "./contents.ts"
import { type ListedTwice, listedTwice, readTwice, secondsBetween } from "./laterReads.ts"
import { hasRenamedEvses } from "./newIds.ts"
import { quietMinutes } from "./rereading.ts"

/** Two readings that are closer say nothing: a time stamp may have whole seconds. */
const leastSeconds = 5
/** One object alone may have been stored again by hand. */
const leastObjects = 2
/** How many ids a message names. */
const namedIds = 3

const idOf = ({ json }: Placed): string => idInWords(json)

/** Why the readings of a list cannot be compared; undefined: they can. */
function incomparable(
  evidence: Evidence,
  { module, plural }: ListedKind,
  pairs: ReadonlyArray<ListedTwice>
): Judgement | undefined {
  if (pairs.length === 0) return inconclusive("unobservable", `no ${plural} were listed twice`)
  const seconds = secondsBetween(evidence, module)
  return seconds >= leastSeconds
    ? undefined
    : inconclusive(
        "unobservable",
        `the two readings of the list are only ${Math.round(seconds)} s apart: order more checks with it, or listenSeconds`
      )
}

/**
 * An EVSE has a newer stamp and its connectors have not: its status may have changed and be as before again. Not where the
 * third reading, seconds later, has a newer one still.
 */
const mayHaveChangedAndBack = ({ after, before, confirmed }: ListedTwice): boolean =>
  objectsIn(after.json["evses"]).some((now) => {
    const [then, later] = [before, confirmed].map((placed) =>
      objectsIn(placed?.json["evses"]).find(({ uid }) => sameId(uid, now["uid"]))
    )
    const isMoving = later !== undefined && isNewer(now, later)
    return then !== undefined && isNewer(then, now) && !hasNewerPart(then, now) && !isMoving
  })

const isNewer = (then: JsonObject, now: JsonObject) => (stampOf(now) ?? 0) > (stampOf(then) ?? 0)
const hasNewerPart = (then: JsonObject, now: JsonObject) =>
  objectsIn(now["connectors"]).some((plug) => {
    const former = objectsIn(then["connectors"]).find(({ id }) => sameId(id, plug["id"]))
    return former !== undefined && isNewer(former, plug)
  })

/** Nothing shows that a value of it changed in between. */
const isUnchanged = (pair: ListedTwice): boolean => {
  const { after, before, confirmed } = pair
  return (
    sameContent(before.json, after.json) &&
    (confirmed === undefined || sameContent(before.json, confirmed.json)) &&
    !mayHaveChangedAndBack(pair)
  )
}

/** At least half of the objects that did not change have a newer stamp. */
function stampsMoved(evidence: Evidence, kind: ListedKind): Judgement {
  const pairs = listedTwice(evidence, kind.module)
  const reason = incomparable(evidence, kind, pairs)
  if (reason !== undefined) return reason
  const still = pairs.filter(isUnchanged)
  if (still.length < leastObjects)
    return inconclusive(
      "unobservable",
      `fewer than ${leastObjects} ${kind.plural} were listed twice with the same values`
    )
  const moved = still.filter(
    ({ after, before, confirmed }) => confirmed !== undefined && isNewer(before.json, after.json)
  )
  const share = `${moved.length} of ${still.length} ${kind.plural} without another change`
  const [first] = moved
  if (first === undefined || moved.length * 2 < still.length)
    return pass(`${share} have a newer last_updated`)
  const ids = moved.slice(0, namedIds).map(({ after }) => idOf(after))
  return noneOf([
    {
      ...at(
        first.after.seen,
        `${first.after.pointer}/last_updated`,
        `${share} have a newer last_updated than ${Math.round(secondsBetween(evidence, kind.module))} s before (${ids.join(", ")}${moved.length > ids.length ? ", …" : ""})`,
        {
          expected: inWords(first.before.json["last_updated"]),
          actual: first.after.json["last_updated"]
        }
      ),
      ambiguous: {
        readings: [
          "last_updated is the time at which a value of the object was last changed",
          "last_updated is the time at which the object was last stored, also by an import of the same data"
        ],
        section: `${kind.chapter}, last_updated of the object`
      }
    }
  ])
}

/** Objects that say something else under the same stamp, in both later readings. */
function changedUnstamped(evidence: Evidence, kind: ListedKind): Judgement {
  // What was changed just before the run may change again within the same second, or by another clock than ours.
  const quietBefore = Date.parse(evidence.startedAt) - quietMinutes * minuteMillis
  const all = listedTwice(evidence, kind.module)
  const reason = incomparable(evidence, kind, all)
  if (reason !== undefined) return reason
  const pairs = all.filter(({ before }) => (stampOf(before.json) ?? Number.POSITIVE_INFINITY) < quietBefore)
  if (pairs.length === 0)
    return inconclusive(
      "unobservable",
      `all ${kind.plural} that were listed twice have a last_updated of less than ${quietMinutes} minutes before the run`
    )
  const schema = evidence.profile.objects[kind.object]
  const known = (json: JsonObject) => [json, schema === undefined ? [] : unknownFields(schema, json)] as const
  const changed = pairs.flatMap(({ after, before, confirmed }) => {
    const namesIn = (later: Placed): ReadonlyArray<string> =>
      otherFields(known(before.json), known(later.json))
    const names = namesIn(after)
    if (names.length === 0 || areIdsOfEvses(names, before, after)) return []
    const isStamped =
      isNewer(before.json, after.json) || (confirmed !== undefined && isNewer(before.json, confirmed.json))
    const still = confirmed === undefined ? [] : namesIn(confirmed)
    return [{ after, before, isStamped, lasting: names.filter((name) => still.includes(name)) }]
  })
  const unstamped = changed.filter(
    ({ after, before, isStamped, lasting }) =>
      !isStamped && lasting.length > 0 && !areIdsOfEvses(lasting, before, after)
  )
  const stamped = changed.filter(({ isStamped }) => isStamped).length
  if (unstamped.length === 0 && stamped === 0)
    return inconclusive("unobservable", `no ${kind.plural} were seen to change between the two readings`)
  return noneOf(
    unstamped.map(({ after, before, lasting }) =>
      at(
        after.seen,
        `${after.pointer}/last_updated`,
        `${idOf(after)}: the second reading shows another value of ${lasting.join(" and of ")} than the first, and the same last_updated`,
        {
          expected: `last_updated after ${inWords(before.json["last_updated"])}`,
          actual: after.json["last_updated"]
        }
      )
    ),
    `${stamped} of ${pairs.length} ${kind.plural} changed, with a newer last_updated`
  )
}

/** That EVSEs have other ids, and nothing else differs, is the finding of another check. */
const areIdsOfEvses = (names: ReadonlyArray<string>, before: Placed, after: Placed): boolean =>
  names.every((name) => name === "evses") && hasRenamedEvses(before.json, after.json)

/** The two checks of `last_updated` for a list: `still` has it move without a change, `changed` has a change without it. */
export const stampChecks = (
  kind: ListedKind,
  ids: { readonly still: string; readonly changed: string }
): ReadonlyArray<Check> => {
  const { chapter, module, object } = kind
  const base = {
    ...baseOf(kind),
    // As late in the run as possible: nothing is to be compared with itself.
    phase: "watch",
    sends: `GET ${module} early and late in the run, and once more where the two readings differ`,
    needs: () => readTwice(module)
  } as const
  return [
    {
      ...base,
      id: ids.changed,
      title: `${object}: a change updates last_updated`,
      reference: `${chapter}, ${object} object; GET Method of the Sender Interface`,
      passes: "each object with a changed value has a newer last_updated",
      hint: "Set last_updated with every change: otherwise a partner that reads with date_from does not get the change.",
      judge: (evidence) => changedUnstamped(evidence, kind)
    },
    {
      ...base,
      id: ids.still,
      title: `${object}: last_updated stays while nothing changes`,
      strength: "should",
      reference: `${chapter}, ${object} object`,
      passes: "of the objects without a changed value, fewer than half have a newer last_updated",
      hint: "Set last_updated when a value changes, and not when the same values are stored or sent again: otherwise a partner that reads with date_from gets every object each time.",
      judge: (evidence) => stampsMoved(evidence, kind)
    }
  ]
}
