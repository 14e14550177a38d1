/** Version details: the endpoints that a partner announces, and whether they fit together. */
import type { Role } from "../../../schema/Connection.ts"
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import { versionNumbers, versionsWhere } from "../../../schema/ocpi/versions.ts"
import { dataOf, isObject, shown } from "../answers.ts"
import { type Check, either, type Finding, type Judgement, noneOf, undecided } from "../Check.ts"
import type { Answered, Evidence } from "../Evidence.ts"
import { detailsSeen, type EndpointEntry, endpointsOf, urlFlaw } from "./details.ts"
import { at, notSuccess, repeated, wrongData } from "./findings.ts"

const chapter = "version_information_endpoint"
const base = { module: "versions", versions: versionNumbers, roles: either, mode: "RO" } as const
const inspect = {
  ...base,
  sends: "GET the details URL of the agreed version",
  needs: () => ["details"]
} as const

/** Its enums of names may be extended by the parties: the version that brings payments opened them. */
const openEnums = (profile: VersionProfile) => profile.modules.includes("payments")

/** Judges the endpoints of the agreed version; not tested when there are none to look at. */
const onEndpoints =
  (
    judge: (
      seen: Answered,
      endpoints: ReadonlyArray<EndpointEntry>,
      evidence: Evidence
    ) => ReadonlyArray<Finding> | Judgement
  ) =>
  (evidence: Evidence): Judgement => {
    const seen = detailsSeen(evidence)
    const endpoints = endpointsOf(seen)
    if (seen === undefined || endpoints.length === 0)
      return undecided("not_tested", `no endpoints were read for version ${evidence.profile.version}`)
    const result = judge(seen, endpoints, evidence)
    return "is" in result ? result : noneOf(result)
  }

const place = ({ index }: EndpointEntry, field: string) => `/data/endpoints/${index}/${field}`
const has = (endpoints: ReadonlyArray<EndpointEntry>, identifier: string, role?: string) =>
  endpoints.some(
    (entry) => entry["identifier"] === identifier && (role === undefined || entry["role"] === role)
  )

export const endpointsChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "VERS-006",
    title: "Serves the details of every listed version",
    strength: "must",
    reference: `${chapter}, Version details endpoint`,
    sends: "GET every listed details URL",
    passes: "HTTP 200, status_code 1000, data is one object with version and non-empty endpoints",
    needs: () => ["details"],
    judge: (evidence) =>
      noneOf(
        evidence.answered("details").flatMap((seen) => {
          const early = [...notSuccess(seen), ...wrongData(seen, "an object")]
          if (early.length > 0) return early.slice(0, 1)
          const data = dataOf(seen) as Readonly<Record<string, unknown>> // an object, tested above
          const { endpoints, version } = data
          return [
            ...(typeof version === "string"
              ? []
              : [at(seen, "/data/version", "version is missing", { expected: "a string", actual: version })]),
            ...(Array.isArray(endpoints) && endpoints.length > 0
              ? []
              : [
                  at(seen, "/data/endpoints", "endpoints is not a non-empty array", {
                    expected: "a non-empty array",
                    actual: endpoints
                  })
                ])
          ]
        })
      )
  },
  {
    ...base,
    id: "VERS-007",
    title: "The details are of the version that pointed to them",
    strength: "must",
    reference: `${chapter}, Version details endpoint`,
    sends: "GET every listed details URL",
    passes: "version in the details equals the list entry",
    needs: () => ["details"],
    judge: (evidence) => {
      const read = evidence.answered("details").flatMap((seen) => {
        const data = dataOf(seen)
        return isObject(data) && data["version"] !== undefined ? [{ seen, version: data["version"] }] : []
      })
      if (read.length === 0) return undecided("not_tested", "no version details were read")
      return noneOf(
        read
          .filter(({ seen, version }) => version !== seen.about)
          .map(({ seen, version }) =>
            at(seen, "/data/version", `the entry for ${seen.about} leads to other details`, {
              expected: seen.about,
              actual: version
            })
          )
      )
    }
  },
  {
    ...inspect,
    id: "VERS-008",
    title: "Offers the credentials module",
    strength: "must",
    reference: `${chapter}, Endpoint class`,
    passes: "an endpoint with identifier credentials exists",
    judge: onEndpoints((seen, endpoints) =>
      has(endpoints, "credentials")
        ? []
        : [
            at(seen, "/data/endpoints", "there is no credentials endpoint", {
              expected: "an endpoint with identifier credentials",
              actual: endpoints.map((entry) => entry["identifier"])
            })
          ]
    )
  },
  {
    ...inspect,
    id: "VERS-009",
    versions: versionsWhere((profile) => profile.endpointRoles),
    title: "Gives each endpoint its interface role",
    strength: "must",
    reference: `${chapter}, InterfaceRole enum`,
    passes: "every endpoint has role SENDER or RECEIVER (any value for credentials)",
    judge: onEndpoints((seen, endpoints) =>
      endpoints
        .filter((entry) => entry["identifier"] !== "credentials")
        .filter((entry) => entry["role"] !== "SENDER" && entry["role"] !== "RECEIVER")
        .map((entry) =>
          at(seen, place(entry, "role"), `${shown(entry["identifier"])} has no legal role`, {
            expected: "SENDER or RECEIVER",
            actual: entry["role"]
          })
        )
    )
  },
  {
    ...inspect,
    id: "VERS-010",
    title: "Announces each interface once",
    strength: "should",
    reference: `${chapter}, Endpoint class`,
    passes: "identifier is unique; with interface roles, the pair of identifier and role",
    judge: onEndpoints((seen, endpoints, { profile }) =>
      repeated(
        endpoints.filter((entry) => !profile.endpointRoles || entry["identifier"] !== "credentials"),
        (entry) => shown(profile.endpointRoles ? [entry["identifier"], entry["role"]] : entry["identifier"])
      ).map((entry) =>
        at(seen, place(entry, "identifier"), "the interface is announced twice", {
          expected: "each interface once",
          actual: profile.endpointRoles ? `${entry["identifier"]} ${entry["role"]}` : entry["identifier"]
        })
      )
    )
  },
  {
    ...inspect,
    id: "VERS-011",
    title: "Announces usable endpoint URLs",
    strength: "must",
    reference: `${chapter}, Endpoint class; types, URL type`,
    passes: "every url is absolute, parseable and at most 255 characters long",
    judge: onEndpoints((seen, endpoints) =>
      endpoints.flatMap((entry) => {
        const flaw = urlFlaw(entry["url"])
        return flaw === undefined
          ? []
          : [
              at(seen, place(entry, "url"), `the url of ${shown(entry["identifier"])} ${flaw}`, {
                expected: "an absolute URL of at most 255 characters",
                actual: entry["url"]
              })
            ]
      })
    )
  },
  {
    ...inspect,
    id: "VERS-012",
    versions: versionsWhere((profile) => !openEnums(profile)),
    title: "Announces modules of the version only",
    strength: "should",
    reference: `${chapter}, ModuleID enum`,
    passes: "every identifier is a module of the version; others need an agreement",
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
    id: "VERS-013",
    title: "Announces the modules that others depend on",
    strength: "should",
    reference: "mod_locations, mod_commands, mod_charging_profiles: module dependencies",
    passes:
      "locations receiver implies tariffs receiver; commands implies locations and sessions; chargingprofiles implies sessions",
    judge: onEndpoints((seen, endpoints, { profile, party }) => {
      const receives = profile.endpointRoles ? "RECEIVER" : undefined
      const receiver = profile.endpointRoles || party.counterpart.role === "EMSP"
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
        .map(([, message]) =>
          at(seen, "/data/endpoints", `announced: ${message}`, {
            expected: "the modules that a module depends on",
            actual: endpoints.map((entry) => entry["identifier"])
          })
        )
    })
  },
  {
    ...base,
    id: "VERS-016",
    versions: versionsWhere((profile) => profile.endpointRoles && profile.credentialsRoles),
    title: "Announces interfaces that fit its roles",
    strength: "should",
    reference: `${chapter}, InterfaceRole enum; credentials, CredentialsRole class`,
    sends: "GET the details URL and GET credentials",
    passes: "an interface that only one role plays is announced by a partner that has this role",
    needs: () => ["details", "credentials"],
    judge: onEndpoints((seen, endpoints, evidence) => {
      const roles = rolesOf(evidence)
      if (roles.length === 0) return undecided("not_tested", "the credentials list no roles")
      if (roles.some((role) => role !== "CPO" && role !== "EMSP"))
        return undecided("not_applicable", `the partner is more than a CPO or an EMSP: ${roles.join(", ")}`)
      return endpoints.flatMap((entry) => {
        const wanted = playedBy(evidence.profile, entry)
        return wanted === undefined || roles.includes(wanted)
          ? []
          : [
              at(
                seen,
                place(entry, "role"),
                `${entry["identifier"]} ${entry["role"]} is the side of a ${wanted}`,
                {
                  expected: `role ${wanted} in credentials`,
                  actual: roles
                }
              )
            ]
      })
    })
  }
]

/** The only role that plays an interface; undefined when both do, or none. */
function playedBy(profile: VersionProfile, entry: EndpointEntry): Role | undefined {
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
