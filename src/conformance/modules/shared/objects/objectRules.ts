/** Rules about the objects of a list: about each, about all, about their form. */

import type { VersionProfile } from "../../../../../schema/ocpi/VersionProfile.ts"
import { versionNumbers } from "../../../../../schema/ocpi/versions.ts"
import { dataIs, hintOfFlaw, opened, success } from "../../../../findings/expectations.ts"
import type { Finding } from "../../../../findings/Flaw.ts"
import { at, type Compared, repeated } from "../../../../findings/finding.ts"
import { isObject, type JsonObject } from "../../../../findings/json.ts"
import { blocked, type Check, inconclusive, type Judgement, noneOf } from "../../../model/Check.ts"
import type { Evidence } from "../../../model/Evidence.ts"
import { expects } from "../../../model/expects.ts"
import { type ListedKind, readingOf } from "./ListedKind.ts"
import { entriesOf, judgedOf, unreadOf } from "./listedObjects.ts"
import { flawSearch, flawsOf, reportedFlaw, type SchemaFlaw } from "./objectFlaws.ts"
import { idKey, keyIn, type Placed } from "./Placed.ts"

/** What the checks of a list's objects have in common. */
export const baseOf = (kind: ListedKind) =>
  ({
    module: kind.module,
    versions: versionNumbers,
    roles: kind.roles,
    mode: "RO",
    strength: "must",
    sends: `GET ${kind.module}, page by page to the last one`,
    needs: () => readingOf(kind.module),
    prepare: (evidence) => flawSearch(evidence, kind)
  }) as const satisfies Partial<Check>

/**
 * The same, of objects that the partner told later in the run as well: where other checks of the run gather those, they are
 * judged too.
 */
export const withTold = (kind: ListedKind) => {
  const base = baseOf(kind)
  return {
    ...base,
    phase: "watch",
    sends: `${base.sends}; also the objects that a charge during the run has pushed or added to the list`,
    ifGathered: () => kind.toldBy ?? []
  } as const satisfies Partial<Check>
}

/** Judges all objects of the list at once; unobservable when there are none. */
export const onAll =
  (
    kind: ListedKind,
    judge: (items: ReadonlyArray<Placed>, evidence: Evidence) => ReadonlyArray<Finding> | Judgement
  ) =>
  (evidence: Evidence): Judgement => {
    const items = judgedOf(evidence, kind)
    if (evidence.profile.objects[kind.object] === undefined)
      return inconclusive("error", `we have no schema of this version's ${kind.plural}`)
    if (items.length === 0 && entriesOf(evidence, kind.module).length === 0)
      return inconclusive("unobservable", `the partner lists no ${kind.plural} to look at`)
    const result = judge(items, evidence)
    return "is" in result
      ? result
      : noneOf(
          result,
          `${countOf(items, evidence)} ${kind.plural} looked at${unreadOf(evidence, kind.module)}`
        )
  }

/** How many objects these are: one that was pushed several times, or pushed and listed, is one. */
const countOf = (items: ReadonlyArray<Placed>, evidence: Evidence): number => {
  const listed = items.filter(({ pushed }) => pushed !== true)
  const keys = new Set(listed.map(({ json }) => keyIn(json, evidence)))
  const pushed = new Set(items.filter((item) => item.pushed).map(({ json }) => keyIn(json, evidence)))
  return listed.length + [...pushed].filter((key) => !keys.has(key)).length
}

/** The findings about each of the objects; what is wrong at one place of an object is found once, however often it was told. */
const eachPlaceOnce = (
  results: ReadonlyArray<readonly [item: Placed, findings: ReadonlyArray<Finding>]>,
  evidence: Evidence
): ReadonlyArray<Finding> => {
  const met = new Set<string>()
  return results.flatMap(([item, findings]) => {
    const placeOf = ({ pointer }: Finding) =>
      `${keyIn(item.json, evidence)} ${(pointer ?? "").slice(item.pointer.length)}`
    const own = item.pushed === true ? findings.filter((finding) => !met.has(placeOf(finding))) : findings
    for (const finding of own) met.add(placeOf(finding))
    return own
  })
}

/** Findings about one object; undefined: the rule is about nothing in it. */
type OfOne = (item: Placed, evidence: Evidence) => ReadonlyArray<Finding> | undefined

/** Judges each object for itself; unobservable when the rule is about none of them. `about` completes "none of them …". */
export const onEach = (kind: ListedKind, about: string, judge: OfOne) =>
  onAll(kind, (items, evidence) => {
    const results = items.flatMap((item) => {
      const findings = judge(item, evidence)
      return findings === undefined ? [] : [[item, findings] as const]
    })
    const all = countOf(items, evidence)
    const judged = countOf(
      results.map(([item]) => item),
      evidence
    )
    return results.length === 0
      ? inconclusive(
          "unobservable",
          `none of the ${all} ${kind.plural} ${about}${unreadOf(evidence, kind.module)}`
        )
      : noneOf(
          eachPlaceOnce(results, evidence),
          `${judged} of ${all} ${kind.plural} looked at${unreadOf(evidence, kind.module)}`
        )
  })

/** Judges by the schema flaws that are a check's own, and by what else it finds. */
export const onFlaws = (kind: ListedKind, own: (flaw: SchemaFlaw) => boolean, more: OfOne = () => []) =>
  unlessReported(
    kind,
    own,
    onAll(kind, (items, evidence) => [
      ...flawsOf(evidence, kind)
        .filter(own)
        .map(({ finding }) => finding),
      ...eachPlaceOnce(
        items.map((item) => [item, more(item, evidence) ?? []]),
        evidence
      )
    ])
  )

/** Entries that are no objects, and the schema flaws that no more specific check reports. */
export const onForm = (kind: ListedKind, told: (flaw: SchemaFlaw) => boolean) =>
  unlessReported(
    kind,
    (flaw) => !told(flaw),
    onAll(kind, (_, evidence) => [
      ...entriesOf(evidence, kind.module)
        .filter(({ json }) => !isObject(json))
        .map(({ json, pointer, seen }) =>
          at(seen, pointer, "the entry is not an object", { expected: `a ${kind.object}`, actual: json })
        ),
      ...flawsOf(evidence, kind)
        .filter((flaw) => !told(flaw))
        .map(({ finding, present }) => ({ ...finding, ...hintOfFlaw(finding, !present) }))
    ])
  )

/** Does not pass objects whose flaws another check reports of their pushes: that check blocks it. */
const unlessReported =
  (kind: ListedKind, isOwn: (flaw: SchemaFlaw) => boolean, judge: (evidence: Evidence) => Judgement) =>
  (evidence: Evidence): Judgement => {
    const judgement = judge(evidence)
    const by = judgement.is === "pass" ? reportedFlaw(evidence, kind, isOwn) : undefined
    return by === undefined ? judgement : blocked(by)
  }

/** HTTP 200, status_code 1000 and an array. That the token does not open the list is reported by CRED-012. */
export const onList = ({ module }: ListedKind): Pick<Check, "judge" | "needs" | "requires"> => ({
  ...expects([`${module}.list`], success, dataIs("an array")),
  requires: () => [{ check: "CRED-012", about: `${module}.list`, rule: opened }]
})

/** No two objects have the same key. */
export const onUnique = (
  kind: ListedKind,
  field: string,
  keyOf: (json: JsonObject, profile: VersionProfile) => unknown
) =>
  onAll(kind, (items, { profile }) => {
    const named = items.filter(({ json, pushed }) => pushed !== true && typeof json[field] === "string")
    const keyIn = ({ json }: Placed) => idKey(keyOf(json, profile), profile)
    const again = repeated(named, keyIn)
    const keys = new Set(again.map(keyIn))
    const wholeOf = (item: Placed) => `${keyIn(item)} ${JSON.stringify(item.json)}`
    const counts = new Map<string, number>()
    for (const item of named)
      if (keys.has(keyIn(item))) counts.set(wholeOf(item), (counts.get(wholeOf(item)) ?? 0) + 1)
    return again.map((item) => {
      const { json, pointer, seen } = item
      const isSame = (counts.get(wholeOf(item)) ?? 0) > 1
      return at(
        seen,
        `${pointer}/${field}`,
        isSame ? "the same object is in the list twice" : `the ${field} is used twice`,
        {
          expected: `each ${field} once`,
          actual: json[field],
          ...(isSame ? { hint: "Bring each object once, whatever it is joined with in your database." } : {})
        }
      )
    })
  })

/** A finding about a field of an object. */
export const wrong = ({ pointer, seen }: Placed, field: string, message: string, values: Compared): Finding =>
  at(seen, `${pointer}${field === "" ? "" : `/${field}`}`, message, values)
