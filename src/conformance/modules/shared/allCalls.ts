/** Judgements by what the partner has not sent, or not sent again. */
import type { ModuleId } from "../../../../schema/ocpi/VersionProfile.ts"
import { type Check, inconclusive } from "../../model/Check.ts"
import { type Evidence, isWithheld, type noModule } from "../../model/Evidence.ts"

/** Why a call that is missing among those of a module is not held against the partner. */
export const notAllKept =
  "more calls of one module came than are kept, and what is missing may have been among them"

/** Did more calls of that module come than that probe keeps? */
export const isCut = (evidence: Evidence, probe: string, module: string): boolean => {
  const calls = evidence.gathered(probe)
  return calls !== undefined && !isWithheld(calls) && calls.cut?.includes(module) === true
}

/**
 * As `judge`, for a check that can fail for want of a call of these modules: where more of them came than that probe keeps, the one
 * that is missing may have been among the others, and no failure is held against the partner.
 */
export const onAllCalls =
  (
    probe: string,
    modules: ReadonlyArray<ModuleId | typeof noModule>,
    judge: Check["judge"]
  ): Check["judge"] =>
  (evidence) => {
    const judged = judge(evidence)
    return judged.is === "fail" && modules.some((module) => isCut(evidence, probe, module))
      ? inconclusive("not_tested", notAllKept, "ours")
      : judged
  }
