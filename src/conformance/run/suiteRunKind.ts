import { Schema } from "effect"
import { recordedIn } from "../../../machines/runCounts.ts"
import { type SuiteRunAction, type SuiteRunContext, suiteRun } from "../../../machines/suiteRun.ts"
import { partyOf } from "../../../schema/Ids.ts"
import { SuitePlan } from "../../../schema/ledger/SuitePlan.ts"
import { actionsOfTypes, type RunKindOf, type TopStateOf } from "../../ledger/run/RunKind.ts"
import { risksChange } from "../catalogue/registrationChecks.ts"
import { suiteById } from "../catalogue/suites.ts"
import { whyItMatters } from "../catalogue/whyItMatters.ts"

const stagesIn = Schema.decodeUnknownSync(SuitePlan.pick("stages"))
const secondIn = Schema.decodeUnknownSync(SuitePlan.pick("secondConnectionId"))
const risksIn = Schema.decodeUnknownSync(SuitePlan.pick("risks"))

/**
 * Conformance runs: their machine, how to read its state, and how to read their facts. It offers no recovery decisions: it never
 * repeats a write and resumes without one.
 */
export const suiteRunKind: RunKindOf<SuiteRunAction, TopStateOf<typeof suiteRun>, SuiteRunContext> = {
  name: "conformance",
  machine: suiteRun,
  isAction: actionsOfTypes<SuiteRunAction>({ begin: true, runModule: true, conclude: true, stop: true }),
  statuses: {
    queued: "queued",
    running: "running",
    interrupted: "interrupted",
    cancelling: "cancelling",
    completed: "completed",
    cancelled: "cancelled",
    failed: "failed"
  },
  input: ({ plan }) => stagesIn(plan),
  progress: ({ context }) => ({ ...context.progress, recoveryVersion: 0 }),
  options: () => [],
  stepsDone: (_, counts) => recordedIn(counts),
  partiesOf: ({ connectionId, plan }) =>
    [connectionId, secondIn(plan).secondConnectionId].flatMap((id) =>
      id === undefined ? [] : [partyOf(id)]
    ),
  changesRegistration: ({ plan, subjectId }) => risksChange(subjectId, risksIn(plan).risks ?? []),
  describe: ({ subjectId }) => {
    const suite = suiteById(subjectId)?.detail
    return { name: suite?.name ?? subjectId, theirRole: suite?.theirRole ?? null }
  },
  whyItMatters,
  // A module may have several stages.
  groupOf: (stageId, module = stageId.split(".")[0]!) => module,
  groupName: () => undefined,
  isComparable: true
}
