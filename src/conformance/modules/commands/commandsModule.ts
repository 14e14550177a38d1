/** mod_commands: its checks, and the probes that they need. */
import type { CheckModule } from "../../model/CheckModule.ts"
import { commandResultsChecks } from "./commandResults.ts"
import { commandsChecks } from "./commands.ts"
import { sentCommandsChecks } from "./emsp/sentCommands.ts"
import { sentResultsChecks } from "./emsp/sentResults.ts"
import { sentResultsProbes } from "./emsp/sentResultsProbes.ts"
import { remoteStartsChecks } from "./remoteStarts.ts"
import { remoteStartProbes } from "./remoteStartsProbes.ts"
import { cancellationsChecks } from "./reservations/cancellations.ts"
import { reservationsChecks } from "./reservations/reservations.ts"
import { reservingProbes } from "./reservations/reservingProbes.ts"
import { secondPartyChecks } from "./secondParty.ts"
import { secondPartyProbes } from "./secondPartyProbes.ts"
import { startedSessionsChecks } from "./startedSessions.ts"
import { stoppedSessionsChecks } from "./stoppedSessions.ts"
import { unlockProbes } from "./unlockingProbes.ts"
import { unwantedResultsChecks } from "./unwantedResults.ts"
import { wrongCommandsChecks } from "./wrong/wrongCommands.ts"
import { wrongCommandProbes } from "./wrong/wrongCommandsProbes.ts"

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
    ...stoppedSessionsChecks,
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
