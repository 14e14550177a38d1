/** The ids of locations, EVSEs and connectors that a CPO lists again: are they those that it listed before? */
import type { Ambiguity } from "../../../../schema/Assertion.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { at, unless } from "../../../findings/finding.ts"
import { indexed, type JsonObject, keyText, objectsIn, sameId } from "../../../findings/json.ts"
import { flawedPlaces } from "../../../findings/violations/flawedPlaces.ts"
import { inWords } from "../../../findings/words.ts"
import { inconclusive, type Judgement, noneOf } from "../../model/Check.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { type Placed, stampOf } from "../shared/objects/Placed.ts"
import { plainEvseId } from "../shared/pushedObjects.ts"
import { isSameButIds } from "../shared/readings/newIds.ts"
import { evsesOf, type KnownEvse, knownBefore, listedAfter } from "./afterwardsProbes.ts"
import { readLocations } from "./readLocations.ts"

interface ListedEvse extends KnownEvse {
  readonly item: Placed
}

/** The evse_ids that several EVSEs of one list have: such an id does not tell which EVSE it is. */
function sharedEvseIds(list: ReadonlyArray<KnownEvse>): ReadonlyArray<string> {
  const places = new Map<string, Set<string>>()
  for (const { json, location, uid } of list) {
    const id = plainEvseId(json) ?? ""
    places.set(id, (places.get(id) ?? new Set()).add(`${location} ${uid}`.toUpperCase()))
  }
  return [...places].flatMap(([id, { size }]) => (size > 1 ? [id] : []))
}

const idsOf = ({ location, uid }: KnownEvse): ReadonlyArray<string> => [location, uid]

/**
 * Each EVSE that was known before, and the same one as it is listed now: by an evse_id that no two EVSEs of one list have, by its
 * ids, or by all that it says beside them and has said since before the run.
 */
export function keptEvses(
  evidence: Evidence
): ReadonlyArray<{ readonly then: KnownEvse; readonly now: ListedEvse }> {
  const listed = listedAfter(evidence, "locations").flatMap((item) =>
    evsesOf(item.json).map((evse): ListedEvse => ({ ...evse, item }))
  )
  const earlier = readLocations(evidence).locations.flatMap(({ json }) => evsesOf(json))
  const shared = new Set([...sharedEvseIds(earlier), ...sharedEvseIds(listed)])
  const known = indexed(earlier, idsOf)
  const [byIds, byEvseId] = [idsOf, ({ json }: KnownEvse) => [plainEvseId(json)]].map((ids) =>
    indexed(listed, ids)
  )
  const fresh = listed.filter((now) => known(...idsOf(now)) === undefined)
  const begun = Date.parse(evidence.startedAt)
  const byContent = (then: KnownEvse): ListedEvse | undefined => {
    if (plainEvseId(then.json) !== undefined || !((stampOf(then.json) ?? begun) < begun)) return undefined
    const found = fresh.findIndex(
      (now) => sameId(now.location, then.location) && isSameButIds(now.json, then.json)
    )
    return found === -1 ? undefined : fresh.splice(found, 1)[0]
  }
  return knownBefore(evidence).flatMap((then) => {
    const id = plainEvseId(then.json)
    const isOwn = id !== undefined && !shared.has(id)
    const now = (isOwn ? byEvseId?.(id) : undefined) ?? byIds?.(...idsOf(then)) ?? byContent(then)
    return now === undefined ? [] : [{ then, now }]
  })
}

/** That an id of a connector stays is nowhere said as it is of locations and EVSEs. */
const ofConnectors: Ambiguity = {
  readings: [
    "the id of a connector stays: it is part of the URL under which receivers keep the connector",
    "only the ids of locations and EVSEs are said never to change"
  ],
  section: "mod_locations, Connector object (id)"
}

/** What a connector is, whatever else of it has changed. */
const kindOf = ({ format, power_type, standard }: JsonObject): string =>
  [standard, format, power_type].map(keyText).join(" ")

/** The connectors of the EVSE are of the same kinds as before, and some have other ids. */
function otherConnectorIds(then: KnownEvse, now: ListedEvse, { profile }: Evidence): ReadonlyArray<Finding> {
  // An id that is none, as pushed or listed, is told by the check of its form.
  const isFlawed = [then, now].some(({ json }) => {
    const isFlawedAt = flawedPlaces(profile.objects.EVSE, json)
    return objectsIn(json["connectors"]).some((_, index) => isFlawedAt(`/connectors/${index}/id`))
  })
  if (isFlawed) return []
  const [before, after] = [then, now].map(({ json }) => objectsIn(json["connectors"]))
  const told = (edit: (connector: JsonObject) => string) =>
    [before, after].map((all) => (all ?? []).map(edit).toSorted().join(", "))
  const [was, is] = told(({ id }) => keyText(id).toUpperCase())
  const [kinds, kindsNow] = told(kindOf)
  return unless(was === is || kinds !== kindsNow, () => ({
    ...at(now.item.seen, now.item.pointer, `the connector ids of ${nameOf(now)} have changed`, {
      expected: was ?? "",
      actual: is
    }),
    ambiguous: ofConnectors
  }))
}

const nameOf = ({ json, location }: KnownEvse): string =>
  plainEvseId(json) === undefined ? `an EVSE of ${location}` : inWords(json["evse_id"])

/** The same EVSE has the same ids as before. */
export function idsKept(evidence: Evidence): Judgement {
  const pairs = keptEvses(evidence)
  if (pairs.length === 0)
    return inconclusive("unobservable", "no EVSE was known before of which the list has the same one now")
  return noneOf(
    pairs.flatMap(({ now, then }) => {
      const compared = [
        ["location id", then.location, now.location],
        ["uid", then.uid, now.uid]
      ] as const
      return [
        ...compared
          .filter(([, was, is]) => !sameId(was, is))
          .map(([what, was, is]) =>
            at(now.item.seen, now.item.pointer, `the ${what} of ${nameOf(now)} has changed`, {
              expected: was,
              actual: is
            })
          ),
        ...otherConnectorIds(then, now, evidence)
      ]
    }),
    `${pairs.length} EVSEs compared`
  )
}
