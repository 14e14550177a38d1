/** Types of fields, over all objects of all lists: dates, texts, numbers, and what must be there. */

import type { Schema } from "effect"
import type { ObjectName } from "../../../../schema/ocpi/VersionProfile.ts"
import { versionNumbers } from "../../../../schema/ocpi/versions.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import type { RuledFlaw } from "../../../findings/violations/issueFlaws.ts"
import { FoundFlaws, ruledViolations } from "../../../findings/violations/violations.ts"
import { blocked, type Check, either, inconclusive, type Judgement, noneOf } from "../../model/Check.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { scopeOf } from "../../model/expects.ts"
import { InSteps } from "../../model/InSteps.ts"
import { unreadListOf } from "../../model/unreadList.ts"
import { listsOf, perList } from "../shared/lists.ts"
import { objectsOf } from "../shared/objects/listedObjects.ts"
import type { Placed } from "../shared/objects/Placed.ts"

const objects: Readonly<Record<string, ObjectName>> = {
  locations: "Location",
  sessions: "Session",
  cdrs: "CDR",
  tariffs: "Tariff",
  tokens: "Token",
  hubclientinfo: "ClientInfo"
}

interface Judged {
  readonly count: number
  readonly flaws: ReadonlyArray<RuledFlaw & { readonly finding: Finding }>
}

/** Every object of every list held against its schema, once for these checks. */
const judging = (evidence: Evidence): InSteps<Judged> =>
  evidence.once("fields.flaws", () => {
    const read = listsOf(evidence.profile, evidence.party.counterpart.role).flatMap((list) => {
      const schema = evidence.profile.objects[objects[list] ?? "Location"]
      return schema === undefined ? [] : objectsOf(evidence, list).map((item) => ({ ...item, list, schema }))
    })
    return new InSteps(judged(read))
  })

/** Pauses after each object. */
function* judged(
  read: ReadonlyArray<Placed & { readonly list: string; readonly schema: Schema.Schema.AnyNoContext }>
): Generator<undefined, Judged> {
  const found = new FoundFlaws()
  const flaws: Array<Judged["flaws"][number]> = []
  for (const { json, list, pointer, schema, seen } of read) {
    for (const flaw of ruledViolations(schema, json, [], found))
      flaws.push({
        ...flaw,
        finding: {
          message: `${list}: ${flaw.message}`,
          pointer: `${pointer}${flaw.pointer}`,
          ...(flaw.expected === undefined ? {} : { expected: flaw.expected }),
          ...(flaw.actual === undefined ? {} : { actual: flaw.actual }),
          exchangeId: seen.exchange.id
        }
      })
    yield undefined
  }
  return { count: read.length, flaws }
}

const onFlaws =
  (own: (flaw: RuledFlaw) => boolean) =>
  (evidence: Evidence): Judgement => {
    const { count, flaws } = judging(evidence).result()
    const unread = count === 0 ? unreadListOf(base.needs(scopeOf(evidence)), evidence) : undefined
    if (unread !== undefined) return blocked(unread)
    return count === 0
      ? inconclusive("unobservable", "the partner lists no objects to look at")
      : noneOf(
          flaws.filter(own).map(({ finding }) => finding),
          `${count} objects looked at`
        )
  }

const isDate = ({ expected }: RuledFlaw) => /date and time/.test(expected ?? "")
const isText = ({ actual }: RuledFlaw) => actual?.startsWith('"') === true
const wantsNoText = ({ expected }: RuledFlaw) => /number|true or false/.test(expected ?? "")

const base = {
  module: "transport",
  versions: versionNumbers,
  roles: either,
  mode: "RO",
  strength: "must",
  sends: "GET each list page by page",
  needs: perList("list", "crawl"),
  partial: true,
  prepare: judging
} as const

/** Judge types of fields over all objects of all lists (types; terminology, Cardinality). */
export const fieldTypesChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "TRANS-045",
    title: "DateTime: every value is valid for the version",
    reference: "types, DateTime type",
    passes: "every DateTime is valid for the version, in UTC without offset, and a date that exists",
    hint: "Write times in UTC, with or without Z at the end: 2026-01-31T23:59:59Z.",
    judge: onFlaws((flaw) => isDate(flaw) && isText(flaw))
  },
  {
    ...base,
    id: "TRANS-046",
    title: "Texts: no longer than the field allows, and printable",
    reference: "types, CiString type and string type",
    passes: "no text is longer than its field allows, and none has control characters",
    hint: "Cut or refuse texts where they are entered; no field may hold a line break.",
    judge: onFlaws(
      (flaw) => !isDate(flaw) && /characters long|cannot be printed|not printable ASCII/.test(flaw.message)
    )
  },
  {
    ...base,
    id: "TRANS-047",
    title: "Numbers and booleans: not written as texts",
    reference: "types, number type",
    passes: "every number, integer and boolean is one in JSON, not a text",
    hint: 'Write 1.5 and true, not "1.5" and "true".',
    judge: onFlaws((flaw) => flaw.rule === "type" && isText(flaw) && wantsNoText(flaw))
  },
  {
    ...base,
    id: "TRANS-048",
    title: "Required fields: each is given and not null",
    reference: "terminology, Cardinality",
    passes: "every field with cardinality 1 or + is given, not null and no empty list",
    hint: "Fill in every required field; leave an object out of the list until its required fields are known.",
    judge: onFlaws(({ rule }) => rule === "required" || rule === "not_null" || rule === "cardinality")
  }
]
