/** The evidence of a run with a stranger, to be bent and judged again. */
import { assert, vi } from "vitest"
import { allChecks } from "../../../../src/conformance/catalogue/suites.ts"
import type { Check, SuiteScope } from "../../../../src/conformance/model/Check.ts"
import {
  type Evidence,
  type Gathered,
  isWithheld,
  type Observation
} from "../../../../src/conformance/model/Evidence.ts"
import type { Met } from "../../../strangers/meeting.ts"

/** The evidence of the run that `meets` orders, as its first check was given it: a ledger has it in part alone. */
export async function evidenceOf(
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
export class Gatherings extends Map<string, Gathered> {
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
