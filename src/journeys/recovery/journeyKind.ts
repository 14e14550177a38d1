import { journeyRun } from "../../../machines/journeyRun.ts"
import type { JourneyRunContext } from "../../../machines/journeyRunContext.ts"
import type { JourneyRunAction } from "../../../machines/journeyRunSetup.ts"
import { stagesEnded } from "../../../machines/runProgress.ts"
import { partyOf } from "../../../schema/Ids.ts"
import { actionsOfTypes, type RunKindOf, type TopStateOf } from "../../ledger/run/RunKind.ts"
import { templateById } from "../catalogue/catalogue.ts"
import { machineInput } from "../catalogue/plan.ts"
import { stagesChange } from "../catalogue/registrationStages.ts"
import { recoveryOptions } from "./recovery.ts"

/** Journey runs: their machine, how to read its state, and how to read their facts. */
export const journeyKind: RunKindOf<JourneyRunAction, TopStateOf<typeof journeyRun>, JourneyRunContext> = {
  name: "journey",
  machine: journeyRun,
  isAction: actionsOfTypes<JourneyRunAction>({
    begin: true,
    runStage: true,
    recover: true,
    cleanUp: true,
    finishRun: true
  }),
  statuses: {
    queued: "queued",
    running: "running",
    waiting: "waiting",
    interrupted: "interrupted",
    recovering: "recovering",
    cancelling: "cancelling",
    completed: "completed",
    cancelled: "cancelled",
    failed: "failed"
  },
  input: machineInput,
  progress: ({ context: { progress, recoveryVersion } }) => ({ ...progress, recoveryVersion }),
  options: recoveryOptions,
  stepsDone: stagesEnded,
  partiesOf: ({ connectionId }) => [partyOf(connectionId)],
  changesRegistration: ({ subjectId }) => stagesChange(templateById(subjectId)?.stages ?? []),
  describe: ({ subjectId }) => {
    const template = templateById(subjectId)
    if (template === undefined) return { name: subjectId, theirRole: null }
    return { name: template.name, theirRole: template.ourRole === "CPO" ? "EMSP" : "CPO" }
  },
  whyItMatters: () => undefined,
  groupOf: (stageId) => stageId,
  groupName: ({ subjectId }, group) => templateById(subjectId)?.stages.find(({ id }) => id === group)?.name,
  // Each template has rules of its own.
  isComparable: false
}
