/** What breaks the version's schema in the objects of a list: found once, in steps. */

import type { Schema } from "effect"
import type { BlockedBy } from "../../../../../schema/Assertion.ts"
import type { Finding, Flaw } from "../../../../findings/Flaw.ts"
import { atPointer } from "../../../../findings/pointer.ts"
import { FoundFlaws, violations } from "../../../../findings/violations/violations.ts"
import type { Evidence } from "../../../model/Evidence.ts"
import { InSteps } from "../../../model/InSteps.ts"
import type { ListedKind } from "./ListedKind.ts"
import { objectSearch } from "./listedObjects.ts"
import type { Placed } from "./Placed.ts"

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

/** Tells the schema flaws of one object apart. */
export const flawKey = ({ message, pointer }: Flaw): string => `${pointer ?? ""} ${message}`

/** All schema flaws of the objects, computed once; each check reports those that are its own. */
export const flawsOf = (evidence: Evidence, kind: ListedKind): ReadonlyArray<SchemaFlaw> =>
  flawSearch(evidence, kind).result()

/**
 * Has the object a schema flaw of that kind? The check that reports it is enough: what a rule would say of a value that is none, or of
 * what is calculated from it, comes of that flaw.
 */
export const isFlawed = (
  evidence: Evidence,
  kind: ListedKind,
  item: Placed,
  about: (flaw: SchemaFlaw) => boolean
): boolean => flawsIn(evidence, kind, item).some(about)

/** The schema flaws of one object. Of one that was pushed they are the findings of other checks. */
export const flawsIn = (evidence: Evidence, kind: ListedKind, item: Placed): ReadonlyArray<SchemaFlaw> =>
  item.pushed === true
    ? flawsOfPush(evidence, kind, item)
    : (flawsByObject(evidence, kind).get(placeOf(item.seen.exchange.id, item.pointer)) ?? [])

const flawsOfPush = ({ profile }: Evidence, kind: ListedKind, item: Placed): ReadonlyArray<SchemaFlaw> => {
  const schema = profile.objects[kind.object]
  return schema === undefined ? [] : violations(schema, item.json).map((flaw) => schemaFlaw(flaw, item))
}

const placeOf = (exchangeId: string | undefined, pointer: string) => `${exchangeId} ${pointer}`

const flawsByObject = (evidence: Evidence, kind: ListedKind) =>
  evidence.once(`${kind.module}.flaws by object${kind.told === undefined ? "" : ", told"}`, () => {
    const found = new Map<string, Array<SchemaFlaw>>()
    for (const flaw of flawsOf(evidence, kind)) {
      const { exchangeId, pointer = "" } = flaw.finding
      const place = placeOf(exchangeId, pointer.slice(0, pointer.length - flaw.pointer.length))
      const known = found.get(place)
      if (known === undefined) found.set(place, [flaw])
      else known.push(flaw)
    }
    return found
  })

/** The search for them, in steps. */
export const flawSearch = (evidence: Evidence, kind: ListedKind): InSteps<ReadonlyArray<SchemaFlaw>> =>
  evidence.once(`${kind.module}.flaws${kind.told === undefined ? "" : ", told"}`, () => {
    const schema = evidence.profile.objects[kind.object]
    return new InSteps(searched(schema, objectSearch(evidence, kind.module), kind.told?.(evidence) ?? []))
  })

/** A flaw of an object, as the checks of its list see it. */
function schemaFlaw(flaw: Flaw, { json, pointer, seen }: Placed): SchemaFlaw {
  const inside = flaw.pointer ?? ""
  const value = atPointer(json, inside)
  return {
    finding: { ...flaw, pointer: `${pointer}${inside}`, exchangeId: seen.exchange.id },
    pointer: inside,
    field: inside.split("/").findLast((step) => step !== "" && !/^\d+$/.test(step)) ?? "",
    present: value !== undefined && value !== null
  }
}

/** A flaw of a listed object that the pushes of it have as well, and what reports it there; undefined: there is none of these. */
export function reportedFlaw(
  evidence: Evidence,
  kind: ListedKind,
  isOwn: (flaw: SchemaFlaw) => boolean
): BlockedBy | undefined {
  const schema = evidence.profile.objects[kind.object]
  if (schema === undefined) return undefined
  for (const item of kind.told?.(evidence) ?? []) {
    if (item.reported === undefined || item.reported.size === 0) continue
    for (const flaw of violations(schema, item.json)) {
      const by = item.reported.get(flawKey(flaw))
      if (by !== undefined && isOwn(schemaFlaw(flaw, item)))
        return {
          ...by,
          what: `what is wrong with ${kind.plural} of the list is wrong with their pushes: ${flaw.message}`
        }
    }
  }
  return undefined
}

/** Pauses after each object that is found, and again after each that is looked at. */
function* searched(
  schema: Schema.Schema.AnyNoContext | undefined,
  listed: InSteps<ReadonlyArray<Placed>>,
  told: ReadonlyArray<Placed>
): Generator<undefined, ReadonlyArray<SchemaFlaw>> {
  const kept = new FoundFlaws()
  const found: Array<SchemaFlaw> = []
  if (schema === undefined) return found
  while (listed.step()) yield undefined
  for (const item of [...listed.result(), ...told]) {
    if (item.pushed === true) continue
    for (const flaw of violations(schema, item.json, [], kept))
      if (item.reported?.has(flawKey(flaw)) !== true) found.push(schemaFlaw(flaw, item))
    yield undefined
  }
  return found
}

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

/** Is the flaw in a field of an entry of one of these lists? What is no list, or no entry of one, is of the form of the object. */
export const inEntriesOf =
  (...lists: ReadonlyArray<string>) =>
  ({ pointer }: SchemaFlaw): boolean =>
    lists.some((list) => pointer.startsWith(`/${list}/`) && /^\d+\/./.test(pointer.slice(list.length + 2)))

/** Is the flaw any of these? */
export const anyOf =
  (...owns: ReadonlyArray<(flaw: SchemaFlaw) => boolean>) =>
  (flaw: SchemaFlaw): boolean =>
    owns.some((own) => own(flaw))
