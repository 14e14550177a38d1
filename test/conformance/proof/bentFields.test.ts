/**
 * One field of one object of a stranger's list is bent, each in turn and in several ways. What breaks the tables of the class, by the
 * stranger's own reading of them, is told by a check of the module; and one check tells it, but for `toldTogether`.
 */
import { assert, describe, it } from "vitest"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import { allChecks } from "../../../src/conformance/catalogue/suites.ts"
import { grade } from "../../../src/conformance/grading/grade.ts"
import type { Check, SuiteScope } from "../../../src/conformance/model/Check.ts"
import { lackingNothing, strangerOf } from "../../strangers/draw.ts"
import { meet } from "../../strangers/meeting.ts"
import { type StrangerRole, strangerVersions } from "../../strangers/partner/Freedoms.ts"
import { flawOf, isJson, type Json } from "../../strangers/partner/objects/validity.ts"
import { partyWith } from "../../support/parties/parties.ts"
import { isPlayed } from "../../support/sampled.ts"
import { answered, evidenceFrom } from "../support/handmade.ts"
import { party } from "../support/honestPartner.ts"
import { bends, bentAt, fieldsOf, listedClasses, pathsIn } from "./support/bending.ts"

type Module = keyof typeof listedClasses
const modules = Object.keys(listedClasses) as ReadonlyArray<Module>
type Lists = Partial<Record<Module, ReadonlyArray<Json>>>

/** Checks of the form of values whatever the object; the report joins them with the check of the object. */
const ofEveryObject = /^TRANS-04[5-8]$/

/** Checks that one bent field breaks together, each with a fact of its own, and at which fields. */
const toldTogether: ReadonlyArray<readonly [checks: string, fields: RegExp]> = [
  // The fields that are missing are those of two checks.
  ["CDR-002 CDR-023", /^(cdr_)?location$/],
  ["CDR-002 CDR-023 CDR-025", /^location$/],
  ["SESS-002 SESS-012", /^location$/],
  ["CDR-002 CDR-006", /^charging_periods$/],
  ["SESS-002 SESS-009", /^charging_periods$/],
  ["CDR-002 CDR-017", /^charging_periods\.dimensions$/],
  ["TAR-002 TAR-007", /^elements\.price_components$/],
  ["LOC-002 LOC-013 LOC-017", /^evses$/],
  // A price with tax that is below the one without, and parts that do not add up.
  ["CDR-012 CDR-032", /_cost\b/],
  ["CDR-012 CDR-013 CDR-032", /^total_cost\b/],
  ["CDR-012 CDR-013", /^total_cost\b/],
  ["CDR-013 CDR-032", /^total_cost\b/],
  // Energy that is not the sum, and a cost that does not follow from it.
  ["CDR-008 CDR-013", /^charging_periods/],
  // A moment that is after others, and beyond the present or a span that is longer than a sum says.
  ["LOC-014 LOC-015", /last_updated$/],
  ["CDR-005 CDR-009", /^(end|stop)_date_time$/],
  ["SESS-005 SESS-006 SESS-008", /^start_date_?time$/]
]

/** The lists of a stranger that keeps every rule and leaves nothing out, as it answered them. */
const listsOf = async (version: OcpiVersion, role: StrangerRole): Promise<Lists> => {
  const { freedoms } = lackingNothing(strangerOf(3))
  const whole = { ...freedoms, objects: 5, optionals: "all", nulls: false, unknownFields: false } as const
  const met = await meet({ version, role, freedoms: whole }, "core")
  assert.isUndefined(met.broken)
  const lists: Partial<Record<Module, ReadonlyArray<Json>>> = {}
  for (const event of met.events) {
    if (event.type !== "exchange.completed") continue
    const { exchange } = event
    if (exchange.direction !== "outbound" || exchange.request.method !== "GET") continue
    const module = modules.find((one) => one === exchange.module)
    const data: unknown = parsed(exchange.response?.body ?? "")["data"]
    if (module === undefined || !Array.isArray(data)) continue
    if (data.length > (lists[module]?.length ?? 0)) lists[module] = data.filter(isJson)
  }
  return lists
}
const parsed = (text: string): Json => {
  try {
    const json: unknown = JSON.parse(text)
    return isJson(json) ? json : {}
  } catch {
    return {}
  }
}

const gatheredFrom = (lists: Lists) =>
  Object.fromEntries(
    modules.flatMap((module) => [
      [`${module}.list`, [answered(module, lists[module] ?? [], { id: `exc_${module}` })]],
      [`${module}.crawl`, []]
    ])
  )

/** The checks that look at the list, and can be judged by lists alone. */
const checksOf = (module: Module, scope: SuiteScope): ReadonlyArray<Check> => {
  const steps = new Set(Object.keys(gatheredFrom({})))
  return allChecks.filter(
    ({ first, hub, needs, roles, second, versions }) =>
      versions.includes(scope.profile.version) &&
      roles.includes(scope.role) &&
      [first, hub, second].every((one) => one === undefined) &&
      needs(scope).includes(`${module}.list`) &&
      needs(scope).every((step) => steps.has(step))
  )
}

const played = strangerVersions
  .flatMap((version) => modules.map((module) => ({ version, module })))
  .filter((_, index, { length }) => isPlayed(index, length))

describe("one bent field of a listed object", () => {
  it.each(played)(
    "is told by one check: $module in $version",
    async ({ module, version }) => {
      const role: StrangerRole = module === "tokens" ? "EMSP" : "CPO"
      const scope: SuiteScope = { profile: profileOf(version), role }
      const { identity } = partyWith({ id: "conn_1", role: role === "CPO" ? "EMSP" : "CPO", version }, false)
      const of = {
        ...party,
        identity,
        counterpart: { ...party.counterpart, role, endpoints: [], parties: [] }
      }
      const checks = checksOf(module, scope)
      const lists = await listsOf(version, role)
      const objects = lists[module] ?? []
      assert.isAbove(objects.length, 1)
      /** Ids of checks with what they say. */
      const off = (bent: Lists): ReadonlyMap<string, string | undefined> => {
        const evidence = evidenceFrom(gatheredFrom(bent), version, of)
        return new Map(
          checks
            .map((check) => grade(check, evidence, { scope, profile: "strict", checks: allChecks }))
            .filter(({ id, outcome }) => /failed|warned|error/.test(outcome) && !ofEveryObject.test(id))
            .map(({ id, message }) => [id, message])
        )
      }
      const before = off(lists)
      const object = objects[1]!
      assert.isUndefined(flawOf(listedClasses[module], object, version))
      const found: Array<string> = []
      for (const path of pathsIn(object))
        for (const [way, bend] of Object.entries(bends)) {
          const bent = bentAt(object, path, bend)
          if (JSON.stringify(bent) === JSON.stringify(object)) continue
          const flaw = flawOf(listedClasses[module], bent, version)
          const after = off({ ...lists, [module]: objects.map((one) => (one === object ? bent : one)) })
          const told = [...after.keys()].filter((id) => before.get(id) !== after.get(id))
          const fields = fieldsOf(path)
          const isOne =
            told.length < 2 || toldTogether.some(([ids, at]) => ids === told.join(" ") && at.test(fields))
          if (flaw !== undefined && told.length === 0)
            found.push(`${fields} ${way}: nobody tells that ${flaw}`)
          else if (!isOne) found.push(`${fields} ${way}: ${told.join(" ")}`)
        }
      assert.deepStrictEqual(found, [], found.join("\n"))
    },
    1_800_000
  )
})
