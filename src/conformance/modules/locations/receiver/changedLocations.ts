/** Judges a location that was pushed to an EMSP and then changed, by what GET of it returns. */
import type { Ambiguity } from "../../../../../schema/Assertion.ts"
import { dateTimeMillis } from "../../../../../schema/ocpi/DateTime.ts"
import { dataOf, isServerError, named, statusLine, succeeded } from "../../../../findings/answers.ts"
import type { Finding } from "../../../../findings/Flaw.ts"
import { at } from "../../../../findings/finding.ts"
import { isObject, type JsonObject, objectIn, objectsIn, sameId } from "../../../../findings/json.ts"
import { isEmpty, isNoObject, objectDifferences } from "../../../../findings/objectDifferences.ts"
import { shown } from "../../../../findings/words.ts"
import { inconclusive, type Judgement, noneOf, pass } from "../../../model/Check.ts"
import type { Answered, Evidence } from "../../../model/Evidence.ts"
import { notReadBack } from "../../shared/readBack.ts"
import { judging } from "../../shared/receivers/receiverProofs.ts"
import type { Proof } from "../../shared/receivers/receiverScript.ts"
import { type ScriptEvidence, type ScriptStep, stamp } from "../../shared/receivers/receiverSteps.ts"
import { connectorPart, evsePart, testEvse, uidOf } from "./testLocation.ts"

/** A proof by what is read back. */
const readingBack = (...of: Parameters<typeof judging>) => ({ ...judging(...of), readsBack: true as const })

/** Judges the object that was read; where there is none, that says why. */
const judgingObject = (
  read: ScriptStep,
  judge: (object: JsonObject, seen: Answered, evidence: ScriptEvidence) => Judgement
) =>
  readingBack(read, (seen, evidence) => {
    if (!succeeded(seen)) return notReadBack(seen)
    const data = dataOf(seen)
    return isObject(data)
      ? judge(data, seen, evidence)
      : noneOf([at(seen, "/data", "data is not an object", { expected: "the object", actual: data })])
  })

/** How a part differs from what was sent, without the fields that are lost from a plain location. */
const differencesBelow = (part: string, sent: JsonObject, found: unknown, evidence: ScriptEvidence) => {
  const lost = evidence.lost?.below(part)
  return objectDifferences(sent, found, evidence.profile).filter(({ pointer }) => lost?.has(pointer) !== true)
}

/** What a PUT of a part does not name: it changes with that part. */
const beside = ({ connectors: _, last_updated: __, ...rest }: JsonObject): JsonObject => rest

/** The third EVSE and the second connector of the first one are in the location as they were put, and so is what was there before. */
export const partsAdded = (
  read: ScriptStep,
  name: string,
  added: { readonly evse: ScriptStep; readonly connector: ScriptStep }
): Proof =>
  judgingObject(read, (location, seen, evidence) => {
    const evses = objectsIn(location["evses"])
    const evseOf = (number: number) => evses.find(({ uid }) => sameId(uid, uidOf(evidence, name, number)))
    const connectorOf = (evse: JsonObject | undefined, id: string) =>
      objectsIn(evse?.["connectors"]).find((connector) => sameId(connector["id"], id))
    const [first, second] = [1, 2].map((number) => testEvse(evidence, name, number))
    const compared = [
      ["the EVSE that was put", evsePart, added.evse.json(evidence), evseOf(3)],
      [
        "the connector that was put",
        connectorPart,
        added.connector.json(evidence),
        connectorOf(evseOf(1), "2")
      ],
      [
        "the connector that was there before",
        connectorPart,
        connectorOf(first, "1"),
        connectorOf(evseOf(1), "1")
      ],
      ["the EVSE with the new connector", evsePart, beside(objectIn(first)), evseOf(1)],
      ["the EVSE that was there before", evsePart, objectIn(second), evseOf(2)]
    ] as const
    return noneOf(
      compared.flatMap(([what, part, sent, found]) =>
        found === undefined
          ? [at(seen, "/data/evses", `${what} is not in the location`, { expected: what, actual: "absent" })]
          : differencesBelow(part, objectIn(sent), found, evidence).map(({ actual, expected, pointer }) =>
              at(seen, "/data/evses", `${what} is not what was sent: ${pointer}`, {
                expected: JSON.stringify(expected),
                actual
              })
            )
      )
    )
  })

interface Parent {
  /** JSON Pointer below `data`. */
  readonly pointer: string
  readonly json: JsonObject
}

/** The parts of a location whose `last_updated` moves on with a change below them. */
export type ParentsIn = (location: JsonObject, evidence: Evidence) => ReadonlyArray<Parent>

/** The parents are at least as new as their part, which was changed so many seconds after the start of the run. */
export const movedOn = (read: ScriptStep, seconds: number, parentsIn: ParentsIn): Proof =>
  judgingObject(read, (location, seen, evidence) => {
    const moment = stamp(evidence, seconds)
    const parents = parentsIn(location, evidence).filter(
      ({ pointer }) => evidence.lost?.has(`${pointer}/last_updated`) !== true
    )
    if (parents.length === 0 && evidence.lost !== undefined) return evidence.lost.judgement
    return noneOf(
      parents
        // Later is possible: the receiver may have had a change of its own.
        .filter(({ json }) => !((dateTimeMillis(json["last_updated"]) ?? 0) >= Date.parse(moment)))
        .map(({ json, pointer }) =>
          at(
            seen,
            `/data${pointer}/last_updated`,
            "last_updated was not updated with the change of the EVSE or connector",
            {
              expected: moment,
              actual: json["last_updated"]
            }
          )
        )
    )
  })

/** After a change of the first EVSE the location is still there, with its second EVSE as it was put. */
export const otherEvseStays = (read: ScriptStep, name: string): Proof => {
  const stays = judgingObject(read, (location, seen, evidence) => {
    const uid = uidOf(evidence, name, 2)
    const other = objectsIn(location["evses"]).find((evse) => sameId(evse["uid"], uid))
    const expected = `EVSE ${uid} as it was put`
    return noneOf(
      other === undefined
        ? [at(seen, "/data/evses", "the other EVSE is gone", { expected, actual: "absent" })]
        : differencesBelow(evsePart, testEvse(evidence, name, 2), other, evidence).map((one) =>
            at(seen, "/data/evses", `the other EVSE is changed, too: ${one.pointer}`, {
              expected: shown(one.expected),
              actual: one.actual
            })
          )
    )
  })
  return readingBack(read, (seen, evidence) =>
    seen.response.httpStatus === 404 && evidence.mustReturn(seen)
      ? noneOf([
          at(seen, "", "the whole location is gone", {
            expected: "HTTP 200 with the location",
            actual: statusLine(seen)
          })
        ])
      : stays.judge(seen, evidence)
  )
}

/** An EVSE that was taken out of use is REMOVED, or not found. */
export const outOfUse = (read: ScriptStep): Proof => {
  const removed = judgingObject(read, ({ status }, seen, evidence) => {
    if (evidence.lost?.below(evsePart).has("/status") === true) return evidence.lost.judgement
    // Every EVSE has a status: what has none is another object, or a part of one.
    if (isEmpty(status))
      return inconclusive(
        "unobservable",
        `${named(seen)} brings an object without a status, which is no EVSE`
      )
    return noneOf(
      status === "REMOVED"
        ? []
        : [
            at(seen, "/data/status", "the EVSE is still returned, with another status than REMOVED", {
              expected: "REMOVED, or HTTP 404",
              actual: status
            })
          ]
    )
  })
  return readingBack(read, (seen, evidence) =>
    seen.response.httpStatus === 404 || (succeeded(seen) && isNoObject(dataOf(seen)))
      ? pass("not found any more")
      : removed.judge(seen, evidence)
  )
}

const notPatched = "no answer to the PATCH is known"

/** Records what became of a PATCH that is older than what is kept. `read` expects the location with the change applied. */
export const lateChange = (patch: ScriptStep, read: ScriptStep): Proof =>
  readingBack(read, (seen, evidence) => {
    const patched = evidence.answerTo(patch)
    const location = succeeded(seen) ? dataOf(seen) : undefined
    if (patched === undefined) return inconclusive("not_tested", notPatched)
    if (!isObject(location)) return notReadBack(seen)
    if (evidence.lost?.has("/name") === true) return evidence.lost.judgement
    const applied = location["name"] === read.json(evidence)["name"]
    const what = !succeeded(patched) ? "was refused" : applied ? "was applied" : "was ignored"
    return noneOf([
      {
        message: `a change with an older last_updated ${what}; the specification does not say what is due`,
        expected: "applied, ignored or refused",
        actual: what,
        exchangeId: patched.exchange.id
      }
    ])
  })

/** How a PATCH of a location is read whose `evses` has one of its two EVSEs. */
const nestedReadings: Ambiguity = {
  readings: [
    "objects that the request does not name stay as they are (merged)",
    "a field that the request names gets the value of the request (replaced)"
  ],
  section: "mod_locations, PATCH Method; transport_and_format, PATCH"
}

/**
 * Records what became of a PATCH of a location whose `evses` has the first of its two EVSEs with this status. Merging,
 * replacing and refusing are readings of the text; success without the change, and an EVSE that is listed twice, are none.
 */
export const nestedChange = (
  patch: ScriptStep,
  read: ScriptStep,
  { name, status }: { readonly name: string; readonly status: string }
): Proof =>
  readingBack(read, (seen, evidence) => {
    const patched = evidence.answerTo(patch)
    const location = succeeded(seen) ? dataOf(seen) : undefined
    if (patched === undefined) return inconclusive("not_tested", notPatched)
    if (!isObject(location)) return notReadBack(seen)
    if (evidence.lost?.below(evsePart).has("/status") === true) return evidence.lost.judgement
    const evses = objectsIn(location["evses"])
    const [first = [], second = []] = [1, 2].map((number) =>
      evses.filter(({ uid }) => sameId(uid, uidOf(evidence, name, number)))
    )
    const changed = first.some((evse) => evse["status"] === status)
    const found = (
      what: string,
      more: Pick<Finding, "strength" | "expected" | "hint" | "ambiguous">
    ): Judgement =>
      noneOf([
        {
          message: `PATCH of a location with one of its two EVSEs in evses ${what}`,
          actual: what,
          pointer: "/data/evses",
          exchangeId: seen.exchange.id,
          ...more
        }
      ])
    const broken = (what: string, hint: string) =>
      found(what, { expected: "merged, replaced or refused", hint })
    const noted = (what: string) =>
      found(what, { strength: "may", expected: "merged, replaced or refused", ambiguous: nestedReadings })
    if (isServerError(patched))
      return broken(`was answered HTTP ${patched.response.httpStatus}`, "Refuse with status_code 2001.")
    if (!succeeded(patched))
      return changed
        ? broken("was refused and applied all the same", "Do not keep what you refuse.")
        : noted("was refused")
    if (first.length > 1)
      return broken("was taken for another EVSE of the same uid", "An EVSE is known by its uid: change it.")
    if (!changed)
      return broken(
        "was accepted and changed nothing",
        "Change the EVSE that the request names, or refuse the request."
      )
    return noted(
      second.length > 0 ? "was merged: the other EVSE stayed" : "was replaced: the other EVSE is gone"
    )
  })
