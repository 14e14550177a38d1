/** What checks need beside a partner that answers. Pure. */
import type { Need } from "../../../schema/Need.ts"
import type { Check, SuiteScope } from "../model/Check.ts"
import { probeOf } from "../model/Evidence.ts"
import type { Probe } from "../model/Probe.ts"
import { phaseOf } from "../model/stages.ts"
import { probesOf } from "./probes.ts"

const isOfDrivers = (probe: Probe) => "steps" in probe && probe.ofActs === true

/**
 * What a check of that scope needs. It follows from its probes: calls of the partner need acts at the partner; what is
 * sent by our second connection needs that one; any other check can lack objects of the partner only.
 */
export const needsOf = ({ profile, role }: SuiteScope): ((check: Check) => Need) => {
  const probes = probesOf(profile, role)
  /** The probes of a check, with those that are run for their sake. */
  const withEarlier = (ids: ReadonlyArray<string>): ReadonlyArray<Probe> => {
    const found = new Map<string, Probe>()
    const visit = (id: string) => {
      const probe = probes.get(id)
      if (probe === undefined || found.has(id)) return
      found.set(id, probe)
      probe.after?.forEach(visit)
    }
    for (const id of ids) visit(probeOf(id))
    return [...found.values()]
  }
  return (check) => {
    if (phaseOf(check) === "risk") return "risk"
    if (check.second === true) return "second_registration"
    const used = withEarlier(check.needs({ profile, role }))
    const isOfActs =
      check.mode === "OBS" ||
      used.some((probe) => ("source" in probe && probe.after === undefined) || isOfDrivers(probe))
    return isOfActs ? "partner_acts" : "partner_data"
  }
}
