/** Judging every answer that a read-only run sees, whatever it was asked for. */
import { versionNumbers } from "../../../../schema/ocpi/versions.ts"
import { either, type SuiteScope } from "../../model/Check.ts"
import type { Answered, Evidence } from "../../model/Evidence.ts"
import { listsOf } from "../shared/lists.ts"

export const transportChapter = "transport_and_format"

/** Answers of every kind that a read-only run sees: good ones, and ones to wrong requests. */
const needs = (scope: SuiteScope) => [
  "versions",
  "details",
  "details.unknown-version",
  "credentials",
  ...listsOf(scope.profile, scope.role).flatMap((list) => [
    `${list}.list`,
    `${list}.limit1`,
    `${list}.future`
  ]),
  "unknown-ids"
]

/** The answers, in the order of the probes. */
export const allAnswers = (evidence: Evidence): ReadonlyArray<Answered> =>
  needs({ profile: evidence.profile, role: evidence.party.counterpart.role }).flatMap(evidence.answered)

/** What the checks of the form of answers have in common. */
export const everyAnswer = {
  module: "transport",
  versions: versionNumbers,
  roles: either,
  mode: "RO",
  strength: "must",
  sends: "nothing of its own: looks at the answers to versions, details, credentials and lists",
  needs,
  partial: true
} as const
