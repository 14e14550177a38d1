/** What a CPO's lists say after its pushes: are the two the same story? */

import { dateTimeMillis } from "../../../../schema/ocpi/DateTime.ts"
import { dataOf, succeeded } from "../../../findings/answers.ts"
import { isPush } from "../../../findings/calledPath.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { at, finding, given, unless } from "../../../findings/finding.ts"
import { indexed, isObject, type JsonObject, keyText, objectsIn, sameId } from "../../../findings/json.ts"
import { inWords, shown } from "../../../findings/words.ts"
import { blocked, inconclusive, type Judgement, noneOf } from "../../model/Check.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { changedAt, type PushedObject, plainEvseId, pushedObjects } from "../shared/pushedObjects.ts"
import { evsesOf, goneSince, listedAfter } from "./afterwardsProbes.ts"
import { keptEvses } from "./keptIds.ts"
import { readLocations } from "./readLocations.ts"

/** What the operator can do so that locations are pushed. */
export const provoke =
  "the partner has pushed nothing of that: change the status of an EVSE, or edit a location, while the run goes on (listenSeconds)"

/** To push is left to each party (transport_and_format, Pull and Push). */
const pullOnly =
  "the partner pushed no object of any module: OCPI does not require parties to implement push, so that changes of an EVSE may be left to be read"

/** A status may take so long until it is pushed. */
const pushMillis = 60_000

/** Each change of an EVSE was pushed, and GET by its uid has the status that was pushed. */
export function statusTold(evidence: Evidence): Judgement {
  const pushes = pushedObjects(evidence, "locations")
  const now = listedAfter(evidence, "locations").flatMap((item) =>
    evsesOf(item.json).map((evse) => ({ ...evse, item }))
  )
  const before = indexed(
    readLocations(evidence).locations.flatMap(({ json }) => evsesOf(json)),
    ({ uid }) => [uid]
  )
  const changed = now.flatMap((evse) => {
    const then = before(evse.uid)
    const [was, is] = [then?.json, evse.json].map((json) => dateTimeMillis(json?.["last_updated"]))
    if (was === undefined || is === undefined || is <= was) return []
    // It may still be on its way.
    return Date.parse(evse.item.seen.exchange.startedAt) - is > pushMillis ? [{ evse, changed: is }] : []
  })
  const told = pushes.filter(({ body, ids }) => ids.length === 2 && body["status"] !== undefined)
  if (changed.length === 0 && told.length === 0) return inconclusive("unobservable", provoke)
  if (!evidence.seen("inbound").some(({ exchange }) => isPush(exchange)))
    return inconclusive("unobservable", pullOnly)
  const about = (push: PushedObject, uid: string) =>
    push.ids[1] === undefined
      ? evsesOf(push.body).some((one) => sameId(one.uid, uid))
      : sameId(push.ids[1], uid)
  // By its own stamp as well as by our clock: the two clocks need not agree.
  const tells = (push: PushedObject, changed: number) =>
    push.came >= changed || (changedAt(push) ?? 0) >= changed
  const secret = changed
    .filter(({ changed, evse }) => !pushes.some((push) => about(push, evse.uid) && tells(push, changed)))
    .map(({ evse }) =>
      at(evse.item.seen, evse.item.pointer, `the EVSE ${evse.uid} changed, and no push came`, {
        expected: `a push of ${inWords(evse.json["status"])}, since ${inWords(evse.json["last_updated"])}`,
        actual: "none"
      })
    )
  const others = otherStatus(evidence, told)
  const own = others.filter(({ isBehind }) => !isBehind)
  const behind = others.find(({ isBehind }) => isBehind)
  return secret.length + own.length === 0 && behind !== undefined
    ? blocked({
        check: "LOC-045",
        ...(behind.finding.exchangeId === undefined ? {} : { exchangeId: behind.finding.exchangeId }),
        what: "what was pushed is not in the list: the EVSE and its location are there as they were before"
      })
    : noneOf([...secret, ...own.map(({ finding }) => finding)], `${told.length} pushes of a status`)
}

/** What is wrong with an EVSE by its uid; `isBehind`: it is as it was before the push, and so is its location in the list. */
interface OtherStatus {
  readonly finding: Finding
  readonly isBehind: boolean
}

/** EVSEs whose status by uid is not the one that was pushed last, though nothing changed since. */
function otherStatus(evidence: Evidence, told: ReadonlyArray<PushedObject>): ReadonlyArray<OtherStatus> {
  const behind = datedParts(evidence).filter(isLate)
  return evidence.answered("locations.evses-after").flatMap((seen) => {
    const last = told.findLast(({ ids }) => sameId(ids[1], seen.about))
    const data = dataOf(seen)
    if (last === undefined || !succeeded(seen) || !isObject(data)) return []
    const [pushed, listed] = [changedAt(last), dateTimeMillis(data["last_updated"])]
    // Of a stamp that is none other checks tell; which of the two is newer is not known then.
    const later = pushed === undefined || listed === undefined || listed > pushed
    // Lower case is a finding of the check of enums.
    const same = keyText(data["status"]).toUpperCase() === keyText(last.body["status"]).toUpperCase()
    return unless(later || same, () =>
      finding(seen, `${seen.about} has another status than was pushed, and no later last_updated`, {
        expected: `${shown(last.body["status"])}, or last_updated after ${inWords(last.body["last_updated"])}`,
        actual: `${shown(data["status"])}, last_updated ${inWords(data["last_updated"])}`,
        pointer: "/data/status"
      })
    ).map((finding) => ({
      finding,
      isBehind:
        pushed !== undefined &&
        listed !== undefined &&
        listed < pushed &&
        behind.some(({ push }) => sameId(push.ids[0], last.ids[0]))
    }))
  })
}

/** Two changes of an EVSE within so many milliseconds may have one stamp: stamps may have whole seconds. */
const coarseMillis = 2000

/** A status of an EVSE as it was told, by a list or a push. */
interface ToldStatus {
  readonly status: string
  readonly stamp: number | undefined
  /** When we were told, in milliseconds. */
  readonly came: number
}

const keyOf = (...ids: ReadonlyArray<string>) => ids.join(" ").toUpperCase()

const toldStatus = (json: JsonObject, came: number): ToldStatus => ({
  // Lower case is a finding of the check of enums.
  status: keyText(json["status"]).toUpperCase(),
  stamp: dateTimeMillis(json["last_updated"]),
  came
})

/** Each pushed status that another one came before has a later last_updated than that one. */
export function statusStamped(evidence: Evidence): Judgement {
  const { locations } = readLocations(evidence)
  const told = new Map<string, ToldStatus>(
    locations.flatMap(({ json, seen }) =>
      evsesOf(json).map((evse) => [
        keyOf(evse.location, evse.uid),
        toldStatus(evse.json, Date.parse(seen.exchange.startedAt))
      ])
    )
  )
  const changes = pushedObjects(evidence, "locations").flatMap((push) =>
    evsesIn(push).flatMap(({ json, pointer, uid }) => {
      const now = toldStatus(json, push.came)
      const key = keyOf(push.ids[0], uid)
      const before = told.get(key)
      if (before !== undefined && before.came > now.came) return []
      told.set(key, now)
      const isChange =
        before !== undefined && before.status !== now.status && before.came + coarseMillis < now.came
      return isChange ? [{ before, json, now, pointer, push, uid }] : []
    })
  )
  const dated = changes.filter(({ before, now }) => before.stamp !== undefined && now.stamp !== undefined)
  if (dated.length === 0) return inconclusive("unobservable", provoke)
  return noneOf(
    // What is older may have been held up on its way.
    dated
      .filter(({ before, now }) => before.stamp === now.stamp)
      .map(({ before, json, now, pointer, push, uid }) =>
        finding(
          push.seen,
          `the status of EVSE ${uid} changed from ${before.status} to ${now.status}, and last_updated is as before`,
          {
            expected: `later than ${inWords(json["last_updated"])}`,
            actual: shown(json["last_updated"]),
            pointer: `${pointer}/last_updated`
          }
        )
      ),
    `${dated.length} changes looked at`
  )
}

/** EVSEs whose status a push tells: that of its URL, or those of the location. */
function evsesIn({ body, ids: [, uid, connector] }: PushedObject) {
  if (connector !== undefined) return []
  const evses =
    uid === undefined
      ? objectsIn(body["evses"]).map((json, index) => ({
          json,
          pointer: `/evses/${index}`,
          uid: keyText(json["uid"])
        }))
      : [{ json: body, pointer: "", uid }]
  return evses.filter(({ json }) => json["status"] !== undefined)
}

/** EVSEs and connectors that were pushed, with their locations as they are listed. */
const partsOf = (evidence: Evidence) => {
  const listed = listedAfter(evidence, "locations")
  return pushedObjects(evidence, "locations").flatMap((push) => {
    const pushed = push.ids.length > 1 ? changedAt(push) : undefined
    const item = listed.find(({ json }) => sameId(json["id"], push.ids[0]))
    return pushed === undefined || item === undefined ? [] : [{ push, pushed, item }]
  })
}

/** Those of locations with a DateTime: what is none is before nothing. */
const datedParts = (evidence: Evidence) =>
  partsOf(evidence).flatMap((part) => {
    const moved = dateTimeMillis(part.item.json["last_updated"])
    return moved === undefined ? [] : [{ ...part, moved }]
  })

type DatedPart = ReturnType<typeof datedParts>[number]

/** The listed location was last updated before its part. */
const isLate = ({ moved, pushed }: DatedPart): boolean => moved < pushed

/** The EVSE of the push is listed with an earlier last_updated, too. */
const isStale = ({ item, push, pushed }: DatedPart): boolean =>
  evsesOf(item.json).some(
    ({ json, uid }) =>
      sameId(uid, push.ids[1]) && (dateTimeMillis(json["last_updated"]) ?? Number.POSITIVE_INFINITY) < pushed
  )

/** The listed location is as new as the parts of it that were pushed. */
export function parentsMoved(evidence: Evidence): Judgement {
  const [first] = partsOf(evidence)
  if (first === undefined) return inconclusive("unobservable", provoke)
  const dated = datedParts(evidence)
  if (dated.length === 0)
    return blocked({
      check: "LOC-002",
      exchangeId: first.item.seen.exchange.id,
      what: "last_updated of the listed location is no DateTime"
    })
  return noneOf(
    dated.filter(isLate).map((part) =>
      at(
        part.item.seen,
        `${part.item.pointer}/last_updated`,
        isStale(part)
          ? "a change that was pushed is not in the list: last_updated of the EVSE and of its location is before that of the push"
          : "last_updated of the location is before that of an EVSE or connector that was pushed",
        {
          expected: `not before ${inWords(part.push.body["last_updated"])}`,
          actual: part.item.json["last_updated"],
          ...(isStale(part)
            ? {
                hint: "Serve in GET what you push: the EVSE as it was pushed, and a location that is as new."
              }
            : {})
        }
      )
    ),
    `${dated.length} pushes looked at`
  )
}

/** EVSEs that are not listed any more were REMOVED before. Those of a location that is gone as a whole belong to LOC-048. */
export function goneSilently(evidence: Evidence): Judgement {
  const listed = listedAfter(evidence, "locations")
  const isListed = indexed(listed, ({ json }) => [json["id"]])
  const now = indexed(
    listed.flatMap(({ json }) => evsesOf(json)),
    ({ json }) => [plainEvseId(json)]
  )
  // The same EVSE under another uid is a finding of LOC-047.
  const kept = new Set(keptEvses(evidence).map(({ then }) => then.uid.toUpperCase()))
  const gone = goneSince(evidence).filter(
    ({ json, location, uid }) =>
      isListed(location) !== undefined && !kept.has(uid.toUpperCase()) && now(plainEvseId(json)) === undefined
  )
  if (gone.length === 0) return inconclusive("unobservable", "no EVSE that was known before is gone")
  const pushes = pushedObjects(evidence, "locations")
  const isRemoved = (uid: string) =>
    pushes.some(
      ({ body, ids }) =>
        (sameId(ids[1], uid) && body["status"] === "REMOVED") ||
        objectsIn(body["evses"]).some((evse) => sameId(evse["uid"], uid) && evse["status"] === "REMOVED")
    )
  const asked = evidence.answered("locations.evses-after")
  return noneOf(
    gone
      .filter(({ json, uid }) => json["status"] !== "REMOVED" && !isRemoved(uid))
      .flatMap(({ location, uid }): ReadonlyArray<Finding> => {
        const seen = asked.find(({ about }) => sameId(about, uid))
        const data = seen === undefined ? undefined : dataOf(seen)
        const isTold = seen !== undefined && succeeded(seen) && isObject(data) && data["status"] === "REMOVED"
        return given(isTold ? undefined : seen, (seen) =>
          finding(seen, `the EVSE ${uid} of ${location} is not listed any more and was not REMOVED`, {
            expected: "REMOVED, pushed or by its uid",
            actual: `HTTP ${seen.response.httpStatus}${isObject(data) ? `, status ${shown(data["status"])}` : ""}`
          })
        )
      }),
    `${gone.length} EVSEs looked at`
  )
}
