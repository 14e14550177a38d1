/** Reading a list twice: objects that are final must be the same, and what others refer to may have come later. */

import { isDeepStrictEqual } from "node:util"
import { minuteMillis } from "../../../../../schema/fields/durations.ts"
import { dateTimeMillis } from "../../../../../schema/ocpi/DateTime.ts"
import { itemsOf } from "../../../../findings/answers.ts"
import type { Finding } from "../../../../findings/Flaw.ts"
import { given } from "../../../../findings/finding.ts"
import type { JsonObject } from "../../../../findings/json.ts"
import { inconclusive, type Judgement, noneOf } from "../../../model/Check.ts"
import { asAnswered, type Evidence } from "../../../model/Evidence.ts"
import { readAgain } from "../lists.ts"
import { type ListedKind, readingOf } from "../objects/ListedKind.ts"
import { judgedOf, objectsOf, wholeList } from "../objects/listedObjects.ts"
import { wrong } from "../objects/objectRules.ts"
import { type Placed, placedIn } from "../objects/Placed.ts"
import { byOwnKey } from "./sharedIds.ts"

/** What was changed this recently may still be on its way to its final state. */
export const quietMinutes = 10

/** Judges `<module>.again` beside the list that was read before. `what` names one such object. */
export const changedSince = (
  evidence: Evidence,
  { module, plural }: ListedKind,
  isFinal: (json: JsonObject) => boolean,
  what: string
): Judgement => {
  const quietBefore = Date.parse(evidence.startedAt) - quietMinutes * minuteMillis
  const isJudged = ({ json }: Placed) =>
    isFinal(json) && (dateTimeMillis(json["last_updated"]) ?? Number.POSITIVE_INFINITY) < quietBefore
  const before = byOwnKey(objectsOf(evidence, module), evidence)
  const again = byOwnKey(placedIn(evidence.answered(`${module}.again`)), evidence)
  const pairs = [...again].flatMap(([key, later]) => {
    const earlier = before.get(key)
    return earlier !== undefined && isJudged(earlier) ? [{ earlier: earlier.json, later }] : []
  })
  if (pairs.length === 0)
    return inconclusive("unobservable", `no ${what} of at least ${quietMinutes} minutes ago was listed twice`)
  return noneOf(
    pairs.flatMap(({ earlier, later }) => {
      const field = [...new Set([...Object.keys(earlier), ...Object.keys(later.json)])].find(
        (name) => !isDeepStrictEqual(earlier[name], later.json[name])
      )
      return given(field, (field) =>
        wrong(later, field, `a ${what} changed between two reads`, {
          expected: JSON.stringify(earlier[field]) ?? "absent",
          actual: later.json[field]
        })
      )
    }),
    `${pairs.length} ${plural} read twice`
  )
}

/** A rule about the objects of one list that refer to another one, which was read at another moment. */
interface Referral {
  /** Unique among those of the two lists. */
  readonly name: string
  /** The objects that refer. */
  readonly from: ListedKind
  /** What they refer to. */
  readonly to: ListedKind
  /** What is wrong with the references, by one reading of the list that they refer to. */
  readonly findings: (known: ReadonlyArray<Placed>, evidence: Evidence) => ReadonlyArray<Finding>
}

/** The whole list, and what it has since the run began; undefined when the list was not read to its end. */
export const knownOf = (evidence: Evidence, kind: ListedKind): ReadonlyArray<Placed> | undefined =>
  wholeList(evidence, kind.module) === undefined
    ? undefined
    : judgedOf(evidence, kind).filter(({ pushed }) => pushed !== true)

/** Was the list asked for, and not answered with objects? */
const isUnread = (evidence: Evidence, probe: string): boolean =>
  evidence.seen(probe).some((seen) => asAnswered(seen).every((page) => itemsOf(page) === undefined))

/**
 * The probe, the needs and the findings of such a rule. Where the first reading shows something wrong, the list is read
 * again: what changed between the two readings of the lists is no fault, so that only what both show counts. Findings are
 * undefined when the list was not read to its end.
 */
export const referring = ({ findings, from, name, to }: Referral) => {
  const id = `${from.module}.${to.module}-again.${name}`
  const needs = [...readingOf(from.module), ...readingOf(to.module)]
  const probe = readAgain(to.module, id, {
    after: needs,
    behind: [from, to].flatMap(({ toldBy }) => toldBy ?? []),
    operation: "list, read again",
    isAsked: (evidence) => {
      const known = knownOf(evidence, to)
      return known !== undefined && findings(known, evidence).length > 0
    }
  })
  return {
    probe,
    needs: [...needs, id],
    findings: (evidence: Evidence): ReadonlyArray<Finding> | undefined => {
      const known = knownOf(evidence, to)
      if (known === undefined) return undefined
      const first = findings(known, evidence)
      const later = placedIn(evidence.answered(id))
      // What is missing may stand on a page of a later reading that was not answered with objects.
      if (first.length > 0 && [id, `${to.module}.told`].some((probe) => isUnread(evidence, probe)))
        return undefined
      if (first.length === 0 || later.length === 0) return first
      const still = findings(later, evidence)
      return first.filter((one) =>
        still.some(({ exchangeId, pointer }) => exchangeId === one.exchangeId && pointer === one.pointer)
      )
    }
  }
}
