/** What checks of commands at a CPO have in common. */

import { versionNumbers } from "../../../../schema/ocpi/versions.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { inconclusive, type Judgement, noneOf } from "../../model/Check.ts"
import type { Answered, Evidence } from "../../model/Evidence.ts"
import { blockedByLegs, type LegChecks } from "../shared/commandLegs.ts"
import { stepOf } from "../shared/stepAnswers.ts"
import { start } from "./remoteStartsProbes.ts"

/** What the checks of commands at a CPO have in common. */
export const commandsBase = {
  module: "commands",
  versions: versionNumbers,
  roles: ["CPO"],
  mode: "MUT",
  strength: "must",
  reference: "mod_commands, Receiver Interface"
} as const

/** The step that starts a session. */
export const started = `${start}#start`

/** `sends` of the checks that are judged by `started`. */
const sent = "START_SESSION at a free EVSE that can be started remotely"

/** What checks that are judged by `started` have in common. */
export const startedBase = { ...commandsBase, sends: sent, needs: () => [started] } as const

/** Checks that report a START_SESSION of `started` that was not answered as it should be. */
const startChecks: LegChecks = { refused: "CMD-001", unheard: "CMD-004" }

/** No judgement of what follows from the START_SESSION of `started`, because of how it was answered. */
export const notStarted = (evidence: Evidence): Judgement => blockedByLegs(evidence, started, startChecks)

/** Judges the answer to the START_SESSION of `started`. */
export const onStart =
  (judge: (seen: Answered, evidence: Evidence) => ReadonlyArray<Finding> | Judgement) =>
  (evidence: Evidence): Judgement => {
    const seen = stepOf(evidence, started)
    if (seen === undefined) return inconclusive("not_tested", "no answer to START_SESSION is known")
    const result = judge(seen, evidence)
    return "is" in result ? result : noneOf(result)
  }
