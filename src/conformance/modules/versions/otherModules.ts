/** Modules that a partner announces and this suite does not judge: the report must not pass over them in silence. */

import type { Role } from "../../../../schema/ocpi/Role.ts"
import type { VersionProfile } from "../../../../schema/ocpi/VersionProfile.ts"
import { at } from "../../../findings/finding.ts"
import { textIn } from "../../../findings/json.ts"
import { type Check, noneOf } from "../../model/Check.ts"
import { scopeOf } from "../../model/expects.ts"
import { inspect, onEndpoints, place, versionsChapter } from "./details.ts"

/** The module in words: its name and edition where OCPI defines it, else that the partner defines it. */
const inWords = (identifier: string, { modules, otherModules }: VersionProfile): string => {
  const known = otherModules.find((one) => one.identifier.toLowerCase() === identifier.toLowerCase())
  if (known !== undefined) return `${known.name}, OCPI ${known.edition}`
  return modules.some((module) => module === identifier)
    ? "of another role than the suite is for"
    : "no module of this version: a custom one, or one of another version"
}

const isPlayed = (identifier: string, profile: VersionProfile, role: Role): boolean =>
  profile.interfaces[role].some(([module]) => module === identifier)

/** Records the announced modules that no check is about (version_information_endpoint, ModuleID enum). */
export const otherModulesChecks: ReadonlyArray<Check> = [
  {
    ...inspect,
    id: "VERS-018",
    title: "Endpoints: modules that plugfest does not judge",
    strength: "may",
    reference: `${versionsChapter}, ModuleID enum`,
    passes: "recorded: the announced modules without a check",
    hint: "Test these modules by other means: this run does not judge them.",
    judge: onEndpoints((seen, endpoints, evidence) => {
      const { profile, role } = scopeOf(evidence)
      const found = endpoints.flatMap((entry) => {
        const identifier = textIn(entry["identifier"])
        return identifier === undefined || isPlayed(identifier, profile, role) ? [] : [{ entry, identifier }]
      })
      return noneOf(
        found.map(({ entry, identifier }) =>
          at(
            seen,
            place(entry, "identifier"),
            `the module ${identifier} (${inWords(identifier, profile)}) is not judged by plugfest`,
            { expected: "a module that the suite has checks of", actual: identifier }
          )
        ),
        "the suite has checks of every announced module"
      )
    })
  }
]
