/** Judgements by what the partner has not sent. */
import { type Check, inconclusive } from "../../model/Check.ts"
import { isWithheld } from "../../model/Evidence.ts"

/**
 * As `judge`, for a check that fails for want of a call: where more calls of a module came than are kept by that probe, the one that
 * is missing may have been among the others, and nothing is held against the partner.
 */
export const onAllCalls =
  (probe: string, judge: Check["judge"]): Check["judge"] =>
  (evidence) => {
    const judged = judge(evidence)
    const calls = evidence.gathered(probe)
    const isCut = calls !== undefined && !isWithheld(calls) && calls.stopped === "cap"
    return isCut && judged.is === "fail"
      ? inconclusive(
          "not_tested",
          "more calls of one module came than are kept, and what is missing may have been among them",
          "ours"
        )
      : judged
  }
