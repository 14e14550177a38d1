/** A full run with a stranger, whose exchanges can be bent and judged again. */
import { assert, vi } from "vitest"
import type { OcpiVersion } from "../../../../schema/ocpi/OcpiVersion.ts"
import { profileOf } from "../../../../schema/ocpi/versions.ts"
import { allChecks } from "../../../../src/conformance/catalogue/suites.ts"
import { grade } from "../../../../src/conformance/grading/grade.ts"
import { everyObservationOf } from "../../../../src/conformance/grading/judgement.ts"
import type { Check, SuiteScope } from "../../../../src/conformance/model/Check.ts"
import {
  type Evidence,
  type Gathered,
  isWithheld,
  makeEvidence,
  type Observation
} from "../../../../src/conformance/model/Evidence.ts"
import { lackingNothing, strangerOf } from "../../../strangers/draw.ts"
import { type Met, meet } from "../../../strangers/meeting.ts"
import type { Freedoms, StrangerRole } from "../../../strangers/partner/Freedoms.ts"

/** The evidence of the run that `meets` orders, as its first check was given it: a ledger has it in part alone. */
async function evidenceOf(
  meets: () => Promise<Met>
): Promise<{ readonly met: Met; readonly evidence: Evidence }> {
  const first = allChecks.find(({ id }) => id === "VERS-001")!
  const judged = vi.spyOn(first, "judge")
  try {
    const met = await meets()
    const [evidence] = judged.mock.lastCall ?? []
    assert.isDefined(evidence, met.broken)
    return { met, evidence }
  } finally {
    judged.mockRestore()
  }
}

/** What the run gathered, by the ids of probes and steps, as any of these checks asks for it. */
class Gatherings extends Map<string, Gathered> {
  readonly #evidence: Evidence
  readonly #change: (gathered: Gathered) => Gathered

  constructor(evidence: Evidence, change: (gathered: Gathered) => Gathered = (gathered) => gathered) {
    super()
    this.#evidence = evidence
    this.#change = change
  }

  override get(id: string): Gathered | undefined {
    const known = super.get(id)
    if (known !== undefined) return known
    const gathered = this.#evidence.gathered(id)
    if (gathered === undefined) return undefined
    const changed = this.#change(gathered)
    this.set(id, changed)
    return changed
  }

  /** With all that these checks name. */
  static of(evidence: Evidence, checks: ReadonlyArray<Check>, scope: SuiteScope): Gatherings {
    const all = new Gatherings(evidence)
    for (const { ifGathered, needs } of checks)
      for (const id of [...needs(scope), ...(ifGathered?.(scope) ?? [])]) all.get(id)
    return all
  }

  /** With other observations in the place of its own. */
  static bent(evidence: Evidence, bend: (one: Observation) => Observation): Gatherings {
    return new Gatherings(evidence, (gathered) =>
      isWithheld(gathered) ? gathered : { ...gathered, seen: gathered.seen.map(bend) }
    )
  }
}

interface PlayedRun {
  /** What the run gathered, by the ids of probes and steps. */
  readonly results: ReadonlyMap<string, Gathered>
  /**
   * Judges again what looks at one of the exchanges with these ids, with each of them bent: the checks that then fail or warn, with what
   * they say.
   */
  readonly judging: (
    ids: ReadonlyMap<string, unknown>
  ) => (bend: (one: Observation) => Observation) => ReadonlyMap<string, string | undefined>
}

/** Plays the full suite with a stranger that has all modules and objects, drivers that act, and these freedoms. */
export async function playedRun(
  role: StrangerRole,
  version: OcpiVersion,
  freedoms: Partial<Freedoms>
): Promise<PlayedRun> {
  const whole = { ...lackingNothing(strangerOf(3)).freedoms, objects: 5, ...freedoms }
  const { evidence: basis, met } = await evidenceOf(() =>
    meet({ version, role, freedoms: whole }, { part: "full", hasDrivers: true, listenSeconds: 60 })
  )
  assert.isUndefined(met.broken)
  const scope = { profile: profileOf(version), role }
  const ran = new Set(met.assertions.map(({ id }) => id))
  const checks = allChecks.filter(
    ({ id, roles, versions }) => ran.has(id) && versions.includes(version) && roles.includes(role)
  )
  const results = Gatherings.of(basis, checks, scope)
  const plain = makeEvidence(basis, results)
  return {
    results,
    judging: (ids) => {
      const looking = checks.filter((check) =>
        everyObservationOf(check, plain, scope).some(({ exchange }) => ids.has(exchange.id))
      )
      return (bend) => {
        const bentIn = (one: Observation) => (ids.has(one.exchange.id) ? bend(one) : one)
        const evidence = makeEvidence(basis, Gatherings.bent(basis, bentIn))
        return new Map(
          looking
            .map((check) => grade(check, evidence, { scope, profile: "strict", checks }))
            .filter(({ outcome }) => /failed|warned|error/.test(outcome))
            .map(({ id, message }) => [id, message])
        )
      }
    }
  }
}
