/** The objects of a list, taken apart once: each with its place, and what breaks the version's schema. */

import { isDeepStrictEqual } from "node:util"
import type { Schema } from "effect"
import type { Role } from "../../../../schema/ocpi/Role.ts"
import type { ObjectName, VersionProfile } from "../../../../schema/ocpi/VersionProfile.ts"
import { versionNumbers } from "../../../../schema/ocpi/versions.ts"
import { itemsOf } from "../../../findings/answers.ts"
import { dataIs, opened, success } from "../../../findings/expectations.ts"
import type { Finding, Flaw } from "../../../findings/Flaw.ts"
import { at, type Compared, repeated } from "../../../findings/finding.ts"
import { indexed, isObject, type JsonObject } from "../../../findings/json.ts"
import { atPointer } from "../../../findings/pointer.ts"
import { FoundFlaws, violations } from "../../../findings/violations.ts"
import { shown } from "../../../findings/words.ts"
import { dateTimeMillis } from "../../../ocpi/dateTime.ts"
import { type Check, inconclusive, type Judgement, noneOf } from "../../model/Check.ts"
import { type Answered, type Evidence, isWithheld } from "../../model/Evidence.ts"
import { expects } from "../../model/expects.ts"
import { InSteps } from "../../model/InSteps.ts"
import { madeAt, pagesOf, totalOf } from "./lists.ts"

/** A list that a role serves, and what its objects are. */
export interface ListedKind {
  readonly module: "locations" | "sessions" | "cdrs" | "tariffs" | "tokens"
  readonly object: ObjectName
  /** For readers, plural. */
  readonly plural: string
  readonly roles: ReadonlyArray<Role>
  /** The OCPI document. */
  readonly chapter: string
  /** The check that reports what breaks the schema of the object, where no more specific one does. */
  readonly form: string
  /** Objects that the partner pushed during the run, or listed after its start: judged by the same rules as the first reading of the list. */
  readonly told?: (evidence: Evidence) => ReadonlyArray<Placed>
  /** The probes that gather those. */
  readonly toldBy?: ReadonlyArray<string>
}

/** Locations, served by a CPO. */
export const locations: ListedKind = {
  module: "locations",
  object: "Location",
  plural: "locations",
  roles: ["CPO"],
  chapter: "mod_locations",
  form: "LOC-002"
}
/** Sessions, served by a CPO. */
export const sessions: ListedKind = {
  module: "sessions",
  object: "Session",
  plural: "sessions",
  roles: ["CPO"],
  chapter: "mod_sessions",
  form: "SESS-002"
}
/** CDRs, served by a CPO. */
export const cdrs: ListedKind = {
  module: "cdrs",
  object: "CDR",
  plural: "CDRs",
  roles: ["CPO"],
  chapter: "mod_cdrs",
  form: "CDR-002"
}
/** Tariffs, served by a CPO. */
export const tariffs: ListedKind = {
  module: "tariffs",
  object: "Tariff",
  plural: "tariffs",
  roles: ["CPO"],
  chapter: "mod_tariffs",
  form: "TAR-002"
}
/** Tokens, served by an EMSP. */
export const tokens: ListedKind = {
  module: "tokens",
  object: "Token",
  plural: "tokens",
  roles: ["EMSP"],
  chapter: "mod_tokens",
  form: "TOK-002"
}

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
    sends: `${base.sends}; where the run has seen a charge, also what was pushed of it and is listed since`,
    ifGathered: () => kind.toldBy ?? []
  } as const satisfies Partial<Check>
}

/** The probes that read a whole list. */
export const readingOf = (module: string): ReadonlyArray<string> => [`${module}.list`, `${module}.crawl`]

/** An object, and where it stands in which answer. */
export interface Placed {
  readonly seen: Answered
  readonly pointer: string
  readonly json: JsonObject
  /** It was pushed to us, as a whole or in parts: its schema is judged by the checks of pushes. */
  readonly pushed?: true
  /** Schema flaws that the checks of pushes report of the same object, by `flawKey`. */
  readonly reported?: ReadonlySet<string>
}

/** A flaw of an object by the version's schema. */
export interface SchemaFlaw {
  readonly finding: Finding
  /** Inside the object. */
  readonly pointer: string
  /** The last name in the pointer. */
  readonly field: string
  /** Does the field have a value? Otherwise it is missing, not wrong. */
  readonly present: boolean
}

const entries = (evidence: Evidence, module: string) =>
  evidence.once(`${module}.entries`, () =>
    pagesOf(evidence, module).flatMap((seen) =>
      (itemsOf(seen) ?? []).map((json, index) => ({ seen, pointer: `/data/${index}`, json }))
    )
  )

/** The objects on those pages of a list, in their order. */
export const placedIn = (pages: ReadonlyArray<Answered>): ReadonlyArray<Placed> =>
  pages.flatMap((seen) =>
    (itemsOf(seen) ?? []).flatMap((json, index) =>
      isObject(json) ? [{ seen, pointer: `/data/${index}`, json }] : []
    )
  )

/** The objects of a list as far as it was read, each once where it moved from one page to another meanwhile. */
export const objectsOf = (evidence: Evidence, module: string): ReadonlyArray<Placed> =>
  evidence.once(`${module}.objects`, () =>
    withoutRepeats(
      entries(evidence, module).flatMap(({ json, ...place }) => (isObject(json) ? [{ ...place, json }] : [])),
      evidence
    )
  )

const byId = new WeakMap<ReadonlyArray<Placed>, (id: unknown) => Placed | undefined>()

/** The first object with that `id`. A list is indexed when it is first searched: it may be long, and so may be what refers to it. */
export const withId = (items: ReadonlyArray<Placed>, id: unknown): Placed | undefined => {
  const known = byId.get(items) ?? indexed(items, ({ json }) => [json["id"]])
  byId.set(items, known)
  return known(id)
}

/** The objects of the first reading of the list, then those of `told`. */
export const judgedOf = (evidence: Evidence, { module, told }: ListedKind): ReadonlyArray<Placed> =>
  told === undefined
    ? objectsOf(evidence, module)
    : evidence.once(`${module}.judged`, () => [...objectsOf(evidence, module), ...told(evidence)])

/** Without the objects that moved from one page to a later one while the pages were read. */
export const withoutRepeats = (items: ReadonlyArray<Placed>, evidence: Evidence): ReadonlyArray<Placed> => {
  const first = new Map<string, Placed>()
  return items.filter((item) => {
    const key = keyIn(item.json, evidence)
    const earlier = first.get(key)
    if (earlier !== undefined) return !isRepeat(earlier, item)
    if ((item.json["id"] ?? item.json["uid"]) !== undefined) first.set(key, item)
    return true
  })
}

/** What tells the objects of a list apart: owner and id; of a token its uid and type. */
export const keyIn = ({ country_code, id, party_id, type, uid }: JsonObject, { profile }: Evidence): string =>
  idKey([country_code ?? null, party_id ?? null, id ?? uid, uid === undefined ? null : type], profile)

/** `last_updated` of an object in milliseconds since 1970; undefined if it has none. */
export const stampOf = (json: JsonObject): number | undefined => dateTimeMillis(json["last_updated"])

/**
 * The same object on a later page, as it was, or as it is since a change after the earlier page was made; that a list
 * repeats it is judged as pagination. Otherwise it is another object of the same id.
 */
const isRepeat = (earlier: Placed, later: Placed): boolean =>
  earlier.seen.exchange.id !== later.seen.exchange.id &&
  (isDeepStrictEqual(earlier.json, later.json) || (stampOf(later.json) ?? 0) >= madeAt(earlier.seen) - 1000)

/** The whole list; undefined when it was not read to its end, so that nothing can be said of absent objects. */
export const wholeList = (evidence: Evidence, module: string): ReadonlyArray<Placed> | undefined => {
  const [first, crawl] = readingOf(module).map((probe) => evidence.gathered(probe))
  if (first === undefined || isWithheld(first) || crawl === undefined || isWithheld(crawl)) return undefined
  const pages = pagesOf(evidence, module)
  const broken = pages.length === 0 || pages.some((page) => itemsOf(page) === undefined)
  const objects = objectsOf(evidence, module)
  return broken || crawl.stopped !== undefined ? undefined : objects
}

/**
 * What a run has left of a list that is longer than it reads, in words that follow a number of objects; empty where it was read
 * to its end, or ends otherwise.
 */
const unreadOf = (evidence: Evidence, module: string): string => {
  const crawl = evidence.gathered(`${module}.crawl`)
  if (crawl === undefined || isWithheld(crawl) || crawl.stopped !== "cap") return ""
  const total = totalOf(evidence, module)
  const of = total === undefined ? "" : ` of the ${total} of the list`
  return `, the first ones${of}: the run reads ${pagesOf(evidence, module).length} pages of it`
}

/** Tells the schema flaws of one object apart. */
export const flawKey = ({ message, pointer }: Flaw): string => `${pointer ?? ""} ${message}`

/** All schema flaws of the objects, computed once; each check reports those that are its own. */
export const flawsOf = (evidence: Evidence, kind: ListedKind): ReadonlyArray<SchemaFlaw> =>
  flawSearch(evidence, kind).result()

const flawSearch = (evidence: Evidence, kind: ListedKind): InSteps<ReadonlyArray<SchemaFlaw>> =>
  evidence.once(`${kind.module}.flaws${kind.told === undefined ? "" : ", told"}`, () => {
    const schema = evidence.profile.objects[kind.object]
    return new InSteps(searched(schema, judgedOf(evidence, kind)))
  })

/** Pauses after each object. */
function* searched(
  schema: Schema.Schema.AnyNoContext | undefined,
  items: ReadonlyArray<Placed>
): Generator<undefined, ReadonlyArray<SchemaFlaw>> {
  const kept = new FoundFlaws()
  const found: Array<SchemaFlaw> = []
  if (schema === undefined) return found
  for (const { json, pointer, pushed, reported, seen } of items) {
    if (pushed === true) continue
    for (const flaw of violations(schema, json, [], kept)) {
      if (reported?.has(flawKey(flaw)) === true) continue
      const inside = flaw.pointer ?? ""
      const value = atPointer(json, inside)
      found.push({
        finding: { ...flaw, pointer: `${pointer}${inside}`, exchangeId: seen.exchange.id },
        pointer: inside,
        field: inside.split("/").findLast((step) => step !== "" && !/^\d+$/.test(step)) ?? "",
        present: value !== undefined && value !== null
      })
    }
    yield undefined
  }
  return found
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
    if (items.length === 0 && entries(evidence, kind.module).length === 0)
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
export type OfOne = (item: Placed, evidence: Evidence) => ReadonlyArray<Finding> | undefined

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
  onAll(kind, (items, evidence) => [
    ...flawsOf(evidence, kind)
      .filter(own)
      .map(({ finding }) => finding),
    ...eachPlaceOnce(
      items.map((item) => [item, more(item, evidence) ?? []]),
      evidence
    )
  ])

/** Entries that are no objects, and the schema flaws that no more specific check reports. */
export const onForm = (kind: ListedKind, told: (flaw: SchemaFlaw) => boolean) =>
  onAll(kind, (_, evidence) => [
    ...entries(evidence, kind.module)
      .filter(({ json }) => !isObject(json))
      .map(({ json, pointer, seen }) =>
        at(seen, pointer, "the entry is not an object", { expected: `a ${kind.object}`, actual: json })
      ),
    ...flawsOf(evidence, kind)
      .filter((flaw) => !told(flaw))
      .map(({ finding }) => finding)
  ])

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
  onAll(kind, (items, { profile }) =>
    repeated(
      items.filter(({ json, pushed }) => pushed !== true && typeof json[field] === "string"),
      ({ json }) => idKey(keyOf(json, profile), profile)
    ).map(({ json, pointer, seen }) =>
      at(seen, `${pointer}/${field}`, `the ${field} is used twice`, {
        expected: `each ${field} once`,
        actual: json[field]
      })
    )
  )

/** Ids are compared without regard to case where the version's ids are CiStrings. */
export const idKey = (value: unknown, profile: VersionProfile): string =>
  profile.credentialsRoles ? shown(value).toLowerCase() : shown(value)

/** A finding about a field of an object. */
export const wrong = ({ pointer, seen }: Placed, field: string, message: string, values: Compared): Finding =>
  at(seen, `${pointer}${field === "" ? "" : `/${field}`}`, message, values)

/** Is it a wrong value of one of these fields, and not a missing one? */
export const inFields =
  (...fields: ReadonlyArray<string>) =>
  ({ field, present }: SchemaFlaw): boolean =>
    present && fields.includes(field)

/** Is the flaw in one of these parts of the object? */
export const below =
  (...names: ReadonlyArray<string>) =>
  ({ pointer }: SchemaFlaw): boolean =>
    names.some((name) => pointer === `/${name}` || pointer.startsWith(`/${name}/`))

/** Is the flaw any of these? */
export const anyOf =
  (...owns: ReadonlyArray<(flaw: SchemaFlaw) => boolean>) =>
  (flaw: SchemaFlaw): boolean =>
    owns.some((own) => own(flaw))
