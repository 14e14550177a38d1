/** A list whose objects have other ids at each reading: nothing that is known of them by their ids is found again. */

import type { BlockedBy } from "../../../../../schema/Assertion.ts"
import { isObject, type JsonObject } from "../../../../findings/json.ts"
import type { Evidence } from "../../../model/Evidence.ts"
import { lastReading, madeAt, pagesOf } from "../lists.ts"
import { keyIn, type Placed, placedIn, stampOf } from "../objects/Placed.ts"
import { sameContent } from "./contents.ts"

/** An object as it was first listed, and under another id as it was listed at last. */
export interface Renamed {
  readonly before: Placed
  readonly after: Placed
}

/** The check that reports it. */
const reportedBy = "PAGE-010"

/** The same in all but its ids and those of its parts, changed at the same instant. */
export const isSameButIds = (one: JsonObject, other: JsonObject): boolean =>
  stampOf(one) === stampOf(other) && sameContent(unnamed(one), unnamed(other))

/** Are the EVSEs of a location the same in all but ids, of theirs or of their connectors? */
export const hasRenamedEvses = ({ evses: before }: JsonObject, { evses: after }: JsonObject): boolean => {
  const [one, other] = [{ before }, { before: after }]
  return isSameButIds(one, other) && !sameContent(one, other)
}

/** Without its ids, and without those of the objects in it: they may be new at each reading as well. */
const unnamed = ({ id: _, uid: __, ...rest }: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(rest).map(([field, value]) => [
      field,
      Array.isArray(value) ? value.map((one) => (isObject(one) ? unnamed(one) : one)) : value
    ])
  )

/**
 * The objects that the last reading of a list has under another id, when they are half of the list or more; otherwise
 * undefined. Two objects are one when they differ in nothing but the id, and both changed last before the list was first
 * read: an object that is new has a later `last_updated`.
 */
export const renamedIn = (evidence: Evidence, module: string): ReadonlyArray<Renamed> | undefined =>
  evidence.once(`${module}.renamed`, () => {
    const first = pagesOf(evidence, module)
    const [page] = first
    const [before, after] = [placedIn(first), placedIn(evidence.answered(`${module}.${lastReading}`))]
    if (page === undefined) return undefined
    const keyOf = ({ json }: Placed) => keyIn(json, evidence)
    const [known, now] = [new Set(before.map(keyOf)), new Set(after.map(keyOf))]
    const isOld = ({ json }: Placed) => (stampOf(json) ?? Number.POSITIVE_INFINITY) < madeAt(page)
    const fresh = after.filter((item) => isOld(item) && !known.has(keyOf(item)))
    const renamed = before
      .filter((item) => isOld(item) && !now.has(keyOf(item)))
      .flatMap((item) => {
        const at = fresh.findIndex(({ json }) => isSameButIds(json, item.json))
        return at === -1 ? [] : [{ before: item, after: fresh.splice(at, 1)[0]! }]
      })
    return renamed.length > 0 && renamed.length * 2 >= before.length ? renamed : undefined
  })

/** Why nothing is judged that seeks objects of the list by their ids; undefined: they keep them. */
export const blockedByNewIds = (evidence: Evidence, module: string): BlockedBy | undefined => {
  const [first] = renamedIn(evidence, module) ?? []
  return first === undefined
    ? undefined
    : {
        check: reportedBy,
        exchangeId: first.after.seen.exchange.id,
        what: `${module}: the objects have other ids at each reading`
      }
}
