/** We miss everything that the partner pushes, and catch up by reading its lists. We are the EMSP. */

import { versionNumbers } from "../../../schema/ocpi/versions.ts"
import { textIn } from "../../findings/json.ts"
import type { JourneyStage, JourneyTemplate } from "../model/JourneyTemplate.ts"
import { type Listed, listedIn, listRules, ofListed, readList } from "../stages/asEmsp/lists.ts"
import { pushToken, readLocations } from "../stages/asEmsp/preparation.ts"
import { forRemoteStart, startSession, stopping } from "../stages/asEmsp/remoteControl.ts"
import { forACharge } from "../stages/asEmsp/templateDefaults.ts"
import { differs } from "../stages/charge/driver.ts"

const missed = (module: Listed) => ({
  title: `What we missed of the ${module} can be read with date_from`,
  checkId: "JRN-013"
})

const away = (id: string, instruction: string): JourneyStage => ({
  id,
  name: "We are away",
  actor: "clock",
  module: null,
  description: "Let time pass in which nothing counts that the partner pushes.",
  timeoutSeconds: 30,
  act: { act: "wait", seconds: () => 30, instruction: () => instruction },
  writes: false,
  idempotent: true,
  optionalForLater: false,
  expect: []
})

const running = readList(
  "read-running",
  "sessions",
  [
    ...listRules("read-running", "sessions", missed("sessions")),
    {
      id: "read-running.status",
      title: "The session that was started is listed as ACTIVE",
      strength: "must",
      reference: "mod_sessions, SessionStatus enum",
      judge: ofListed("read-running", "sessions", ({ status }) =>
        differs("The status", "/status", status, "ACTIVE")
      )
    }
  ],
  "Read the session that runs"
)

const over = readList(
  "read-over",
  "sessions",
  [
    ...listRules("read-over", "sessions", missed("sessions")),
    {
      id: "read-over.status",
      title: "The session that was stopped is listed as COMPLETED",
      strength: "must",
      reference: "mod_sessions, SessionStatus enum",
      judge: ofListed("read-over", "sessions", ({ status }) =>
        differs("The status", "/status", status, "COMPLETED")
      )
    }
  ],
  "Read the session that is over"
)

const billed = readList(
  "read-billed",
  "cdrs",
  // A CDR may lawfully come much later than the session ends.
  listRules("read-billed", "cdrs", missed("cdrs")).map((rule) =>
    rule.id === "read-billed.listed" ? { ...rule, strength: "should" as const } : rule
  ),
  "Read the CDR"
)

export const syncAfterAbsence: JourneyTemplate = {
  ...forACharge,
  id: "sync-after-absence",
  packs: ["resilience"],
  name: "Catching up after an absence",
  description:
    "A driver charges while we look at nothing that is pushed; session and CDR are read from the partner's lists with date_from.",
  outcome: "All that we missed could be read: the session while it ran and when it was over, and its CDR.",
  supportedVersions: versionNumbers,
  needs: [...forACharge.needs, ["cdrs", "SENDER"]],
  expectedDurationSeconds: 120,
  stages: [
    readLocations(forRemoteStart),
    pushToken,
    startSession(),
    away("away-charging", "The session begins while we are away."),
    {
      ...running,
      optionalForLater: false,
      stopsIf: (history) =>
        listedIn(history, "read-running", "sessions") === undefined
          ? "The session is not in the list, so it cannot be stopped"
          : undefined
    },
    stopping((history) => textIn(listedIn(history, "read-running", "sessions")?.["id"])),
    away("away-ending", "The session ends and is billed while we are away."),
    over,
    billed
  ]
}
