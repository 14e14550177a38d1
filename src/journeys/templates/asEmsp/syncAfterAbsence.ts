import { versionNumbers } from "../../../../schema/ocpi/versions.ts"
import { textIn } from "../../../findings/json.ts"
import type { JourneyStage, JourneyTemplate, Rule } from "../../model/JourneyTemplate.ts"
import { listGoesOn } from "../../model/RunHistory.ts"
import { wasFound } from "../../model/rulings.ts"
import { forRemoteStart, startSession, stopping } from "../../stages/asEmsp/commands/remoteControl.ts"
import { type Listed, listedIn, listRules, ofListed, readList } from "../../stages/asEmsp/lists.ts"
import { pushToken, readLocations } from "../../stages/asEmsp/preparation.ts"
import { forACharge } from "../../stages/asEmsp/templateDefaults.ts"
import { differs } from "../../stages/charge/driver.ts"

const missed = (module: Listed) => ({
  title: `GET ${module} with date_from returns what we missed`,
  checkId: "JRN-013"
})

const away = (id: string, instruction: string): JourneyStage => ({
  id,
  name: "We ignore pushes",
  actor: "clock",
  module: null,
  description: "Wait, while plugfest ignores everything that the partner pushes.",
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
      title: "The partner lists the running session as ACTIVE",
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
      title: "The partner lists the stopped session as COMPLETED",
      strength: "must",
      reference: "mod_sessions, SessionStatus enum",
      judge: ofListed("read-over", "sessions", ({ status }) =>
        differs("The status", "/status", status, "COMPLETED")
      )
    }
  ],
  "Read the session that is over"
)

/** A session that goes on has no CDR yet: that it does is a rule of the stage before. */
const ifOver =
  ({ judge }: Rule): Rule["judge"] =>
  (history) =>
    wasFound(history, "read-over.status")
      ? { notTested: "The partner does not list the session as COMPLETED" }
      : judge(history)

const billed = readList(
  "read-billed",
  "cdrs",
  // OCPI allows a CDR to come much later than the session's end.
  listRules("read-billed", "cdrs", missed("cdrs")).map((rule) =>
    rule.id === "read-billed.listed" ? { ...rule, strength: "should" as const, judge: ifOver(rule) } : rule
  ),
  "Read the CDR"
)

/** We miss everything that the partner pushes, and catch up by reading its lists. We are the EMSP. */
export const syncAfterAbsence: JourneyTemplate = {
  ...forACharge,
  id: "sync-after-absence",
  packs: ["resilience"],
  name: "Catching up after an absence",
  description:
    "A driver charges while plugfest ignores all pushes; it reads session and CDR from the partner's lists with date_from.",
  outcome:
    "The partner's lists contain everything that we missed: the session while it ran and after its end, and its CDR.",
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
          ? `The session is not ${listGoesOn(history, "read-running") ? "on the pages of the list that were read" : "in the list"}, so it cannot be stopped`
          : undefined
    },
    stopping((history) => textIn(listedIn(history, "read-running", "sessions")?.["id"])),
    away("away-ending", "The session ends and is billed while we are away."),
    over,
    billed
  ]
}
