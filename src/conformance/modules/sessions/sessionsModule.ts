/** mod_sessions: its checks, and the probes that they need. */
import type { CheckModule } from "../../model/CheckModule.ts"
import { completedSessionsChecks } from "./completedSessions.ts"
import { preferencesChecks } from "./preferences.ts"
import { preferenceProbes } from "./preferencesProbes.ts"
import { sessionLinksChecks, sessionLinksProbes } from "./sessionLinks.ts"
import { sessionPushesChecks } from "./sessionPushes.ts"
import { sessionsChecks } from "./sessions.ts"
import { sessionTimesChecks } from "./sessionTimes.ts"
import { sessionWrites } from "./sessionWrites.ts"

/** Checks of sessions, with the probes for each role of the partner. */
export const sessionsModule: CheckModule = {
  checks: [
    ...completedSessionsChecks,
    ...preferencesChecks,
    ...sessionLinksChecks,
    ...sessionPushesChecks,
    ...sessionTimesChecks,
    ...sessionWrites.checks,
    ...sessionsChecks
  ],
  probes: (_, role) => (role === "CPO" ? [...preferenceProbes, ...sessionLinksProbes] : sessionWrites.probes)
}
