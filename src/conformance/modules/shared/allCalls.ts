/** Judgements by what the partner has not sent, or not sent again. */
import type { ModuleId } from "../../../../schema/ocpi/VersionProfile.ts"
import { type Check, inconclusive } from "../../model/Check.ts"
import { isWithheld } from "../../model/Evidence.ts"

/**
 * As `judge`, for a check that can fail for want of a call of these modules: where more of them came than that probe keeps, the one
 * that is missing may have been among the others, and no failure is held against the partner.
 */
export const onAllCalls =
  (probe: string, modules: ReadonlyArray<ModuleId>, judge: Check["judge"]): Check["judge"] =>
  (evidence) => {
    const judged = judge(evidence)
    const calls = evidence.gathered(probe)
    const cut = calls === undefined || isWithheld(calls) ? [] : (calls.cut ?? [])
    return judged.is === "fail" && modules.some((module) => cut.includes(module))
      ? inconclusive(
          "not_tested",
          "more calls of one module came than are kept, and what is missing may have been among them",
          "ours"
        )
      : judged
  }
