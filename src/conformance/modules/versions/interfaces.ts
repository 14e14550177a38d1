/** Whether the announced interfaces fit the version, one another, and the roles of the partner. */

import type { Ambiguity } from "../../../../schema/Assertion.ts"
import type { Role } from "../../../../schema/ocpi/Role.ts"
import type { VersionProfile } from "../../../../schema/ocpi/VersionProfile.ts"
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { dataOf } from "../../../findings/answers.ts"
import { at, given } from "../../../findings/finding.ts"
import { isObject } from "../../../findings/json.ts"
import { inWords, withArticle } from "../../../findings/words.ts"
import { type Check, either, inconclusive } from "../../model/Check.ts"
import type { Evidence } from "../../model/Evidence.ts"
import {
  discovery,
  type Entry,
  has,
  inspect,
  onEndpoints,
  place,
  versionsBase,
  versionsChapter
} from "./details.ts"

/** What an EMSP reads from its partners needs no endpoint of its own. */
const mayPull = {
  readings: [
    "who serves a module also serves those that it depends on",
    "an EMSP that reads locations, sessions and tariffs from the CPO has these modules without an endpoint of its own"
  ],
  section: "mod_locations; mod_commands; mod_charging_profiles: Module dependency"
} as const satisfies Ambiguity

/**
 * Judge the roles of the endpoints in the version details (version_information_endpoint, InterfaceRole enum and
 * ModuleID enum).
 */
export const interfacesChecks: ReadonlyArray<Check> = [
  {
    ...inspect,
    ...discovery,
    id: "VERS-012",
    versions: versionsWhere(({ openEnums }) => !openEnums),
    title: "Endpoints: each identifier is a module of the version",
    strength: "should",
    reference: `${versionsChapter}, ModuleID enum`,
    passes: "each identifier is a module of the version; custom modules need an agreement",
    hint: "Use the identifiers of the ModuleID enum; agree with each partner on modules of your own.",
    judge: onEndpoints((seen, endpoints, { profile }) =>
      endpoints
        .filter((entry) => !profile.modules.some((module) => module === entry["identifier"]))
        .map((entry) =>
          at(seen, place(entry, "identifier"), "the version has no such module", {
            expected: profile.modules.join(", "),
            actual: entry["identifier"]
          })
        )
    )
  },
  {
    ...inspect,
    ...discovery,
    id: "VERS-013",
    title: "Endpoints: a module comes with the modules that it depends on",
    strength: "should",
    reference: "mod_locations; mod_commands; mod_charging_profiles",
    passes:
      "locations receiver implies tariffs receiver; commands implies locations and sessions; chargingprofiles implies sessions",
    hint: "Serve the modules that a module depends on, or leave that module out of the version details.",
    judge: onEndpoints((seen, endpoints, { profile, party }) => {
      const receives = profile.endpointRoles ? "RECEIVER" : undefined
      const isEmsp = party.counterpart.role === "EMSP"
      const receiver = profile.endpointRoles || isEmsp
      const rules: ReadonlyArray<readonly [boolean, string, boolean]> = [
        [
          receiver && has(endpoints, "locations", receives),
          "locations (receiver) without tariffs (receiver)",
          has(endpoints, "tariffs", receives)
        ],
        [has(endpoints, "commands"), "commands without locations", has(endpoints, "locations")],
        [has(endpoints, "commands"), "commands without sessions", has(endpoints, "sessions")],
        [has(endpoints, "chargingprofiles"), "chargingprofiles without sessions", has(endpoints, "sessions")]
      ]
      return rules
        .filter(([applies, , kept]) => applies && !kept)
        .map(([, message]) => ({
          ...at(seen, "/data/endpoints", `announced: ${message}`, {
            expected: "the modules that a module depends on",
            actual: endpoints.map((entry) => entry["identifier"])
          }),
          ...(isEmsp ? { ambiguous: mayPull } : {})
        }))
    })
  },
  {
    ...versionsBase,
    id: "VERS-016",
    versions: versionsWhere((profile) => profile.endpointRoles && profile.credentialsRoles),
    title: "Endpoints: each interface belongs to one of the partner's roles",
    strength: "should",
    reference: `${versionsChapter}, InterfaceRole enum; credentials, CredentialsRole class`,
    sends: "GET the details URL and GET credentials",
    passes: "an interface that only one role plays is announced by a partner that has this role",
    hint: "Name in your credentials each role whose interfaces you serve, or leave those interfaces out.",
    requires: () => [
      { answers: "credentials", what: "GET credentials", check: "CRED-039" },
      { check: "CRED-039" }
    ],
    needs: () => ["details", "credentials"],
    judge: onEndpoints((seen, endpoints, evidence) => {
      const roles = rolesOf(evidence)
      if (roles.length === 0) return inconclusive("not_tested", "the credentials list no roles")
      if (roles.some((role) => role !== "CPO" && role !== "EMSP"))
        return inconclusive(
          "not_applicable",
          `the partner is more than a CPO or an EMSP: ${roles.join(", ")}`
        )
      return endpoints.flatMap((entry) => {
        const wanted = playedBy(evidence.profile, entry)
        return given(wanted === undefined || roles.includes(wanted) ? undefined : wanted, (wanted) =>
          at(
            seen,
            place(entry, "role"),
            `${inWords(entry["identifier"])} ${inWords(entry["role"])} is the side of ${withArticle(wanted)}`,
            {
              expected: `role ${wanted} in credentials`,
              actual: roles
            }
          )
        )
      })
    })
  }
]

/** The only role that plays an interface; undefined when both do, or none. */
function playedBy(profile: VersionProfile, entry: Entry): Role | undefined {
  const players = either.filter((role) =>
    profile.interfaces[role].some(
      ([module, side]) => module === entry["identifier"] && side === entry["role"]
    )
  )
  return entry["identifier"] === "credentials" || players.length !== 1 ? undefined : players[0]
}

function rolesOf(evidence: Evidence): ReadonlyArray<string> {
  const data = evidence.answered("credentials").map(dataOf)[0]
  const roles = isObject(data) ? data["roles"] : undefined
  return Array.isArray(roles)
    ? roles.flatMap((one) => (isObject(one) && typeof one["role"] === "string" ? [one["role"]] : []))
    : []
}
