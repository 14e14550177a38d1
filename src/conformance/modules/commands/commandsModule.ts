/** mod_commands: its checks, and the probes that they need. */
import type { CheckModule } from "../../model/CheckModule.ts"
import { cancellationsChecks } from "./cancellations.ts"
import { commandResultsChecks } from "./commandResults.ts"
import { commandsChecks } from "./commands.ts"
import { remoteStartsChecks } from "./remoteStarts.ts"
import { remoteStartProbes } from "./remoteStartsProbes.ts"
import { reservationsChecks } from "./reservations.ts"
import { reservingProbes } from "./reservingProbes.ts"
import { secondPartyChecks } from "./secondParty.ts"
import { secondPartyProbes } from "./secondPartyProbes.ts"
import { sentCommandsChecks } from "./sentCommands.ts"
import { sentResultsChecks } from "./sentResults.ts"
import { sentResultsProbes } from "./sentResultsProbes.ts"
import { startedSessionsChecks } from "./startedSessions.ts"
import { unlockProbes } from "./unlockingProbes.ts"
import { unwantedResultsChecks } from "./unwantedResults.ts"
import { wrongCommandsChecks } from "./wrongCommands.ts"
import { wrongCommandProbes } from "./wrongCommandsProbes.ts"

/** Checks of commands, with the probes for each role of the partner. */
export const commandsModule: CheckModule = {
  checks: [
    ...cancellationsChecks,
    ...commandResultsChecks,
    ...commandsChecks,
    ...remoteStartsChecks,
    ...reservationsChecks,
    ...secondPartyChecks,
    ...sentCommandsChecks,
    ...sentResultsChecks,
    ...startedSessionsChecks,
    ...unwantedResultsChecks,
    ...wrongCommandsChecks
  ],
  probes: (_, role) => [
    ...(role === "CPO"
      ? [
          ...remoteStartProbes,
          ...reservingProbes,
          ...secondPartyProbes,
          ...unlockProbes,
          ...wrongCommandProbes
        ]
      : [...sentResultsProbes])
  ]
}
