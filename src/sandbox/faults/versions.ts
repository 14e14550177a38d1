/** Faults of version discovery: the list of versions and the details of one. */
import { profileOf, versionNumbers, versionsWhere } from "../../../schema/ocpi/versions.ts"
import { isObject, type JsonObject, objectsIn } from "../../findings/json.ts"
import { allVersions, bothRoles, cpo, emsp, type Fault, withRoles } from "./Fault.ts"
import { aboutDetails, aboutVersions, type EditReply, editData, unlocked, when } from "./replies.ts"

const base = { module: "versions", versions: allVersions, roles: bothRoles, strength: "must" } as const

const list = (edit: (entries: ReadonlyArray<JsonObject>) => unknown): EditReply =>
  when(
    aboutVersions,
    editData((data) => edit(objectsIn(data)))
  )
const endpoints = (edit: (entries: ReadonlyArray<JsonObject>) => ReadonlyArray<JsonObject>): EditReply =>
  when(
    aboutDetails,
    editData((data) => (isObject(data) ? { ...data, endpoints: edit(objectsIn(data["endpoints"])) } : data))
  )
const relative = (url: unknown) => (URL.canParse(String(url)) ? new URL(String(url)).pathname : url)
const moreModules = [
  ...new Set(
    versionNumbers.flatMap((version) => profileOf(version).otherModules.map(({ identifier }) => identifier))
  )
]
const isNot = (identifier: string) => (entry: JsonObject) => entry["identifier"] !== identifier

/** Faults in the versions list, the version details, their access control and their response time. */
export const versionsFaults: ReadonlyArray<Fault> = [
  {
    ...base,
    id: "versions.empty-list",
    description: "Lists no version at all",
    caughtBy: ["VERS-001"],
    behaviour: { reply: list(() => []) }
  },
  {
    ...base,
    id: "versions.relative-url",
    description: "Gives the details URLs as paths, without scheme and host",
    caughtBy: ["VERS-002"],
    behaviour: {
      reply: list((entries) => entries.map((entry) => ({ ...entry, url: relative(entry["url"]) })))
    }
  },
  {
    ...base,
    id: "versions.entry-twice",
    strength: "should",
    description: "Lists its first version twice",
    caughtBy: ["VERS-003"],
    behaviour: { reply: list((entries) => [...entries.slice(0, 1), ...entries]) }
  },
  {
    ...base,
    id: "versions.open-without-token",
    description: "Answers the versions list to callers without a token",
    caughtBy: ["VERS-004"],
    behaviour: {
      reply: when(
        (request) => aboutVersions(request) && request.headers["authorization"] === undefined,
        unlocked([])
      )
    }
  },
  {
    ...base,
    id: "versions.any-token",
    description: "Answers the versions list to any token",
    caughtBy: ["VERS-005"],
    behaviour: {
      reply: when(
        (request) => aboutVersions(request) && request.headers["authorization"] !== undefined,
        unlocked([])
      )
    }
  },
  {
    ...base,
    id: "versions.details-as-list",
    description: "Wraps the version details in a list",
    caughtBy: ["VERS-006"],
    behaviour: {
      reply: when(
        aboutDetails,
        editData((data) => [data])
      )
    }
  },
  {
    ...base,
    id: "versions.details-of-other-version",
    description: "Names another version in the details than in the list",
    caughtBy: ["VERS-007"],
    behaviour: {
      reply: when(
        aboutDetails,
        editData((data) => (isObject(data) ? { ...data, version: "0.0" } : data))
      )
    }
  },
  {
    ...base,
    id: "versions.no-credentials-endpoint",
    description: "Leaves the credentials endpoint out of the details",
    caughtBy: ["VERS-008"],
    behaviour: { reply: endpoints((entries) => entries.filter(isNot("credentials"))) }
  },
  {
    ...base,
    id: "versions.endpoints-without-role",
    versions: withRoles,
    description: "Leaves the interface role out of every endpoint",
    caughtBy: ["VERS-009"],
    behaviour: { reply: endpoints((entries) => entries.map(({ role: _, ...entry }) => entry)) }
  },
  {
    ...base,
    id: "versions.endpoint-twice",
    strength: "should",
    description: "Lists one functional endpoint twice",
    caughtBy: ["VERS-010"],
    behaviour: {
      reply: endpoints((entries) => [...entries, ...entries.filter(isNot("credentials")).slice(0, 1)])
    }
  },
  {
    ...base,
    id: "versions.relative-endpoint",
    description: "Gives the last endpoint's URL as a path, without scheme and host",
    caughtBy: ["VERS-011"],
    behaviour: {
      reply: endpoints((entries) =>
        entries.map((entry, index) =>
          index === entries.length - 1 ? { ...entry, url: relative(entry["url"]) } : entry
        )
      )
    }
  },
  {
    ...base,
    id: "versions.unknown-module",
    strength: "should",
    description: "Offers a module that OCPI does not know",
    caughtBy: ["VERS-012", "VERS-018"],
    behaviour: {
      reply: endpoints((entries) => [
        ...entries,
        ...entries.slice(0, 1).map((entry) => ({ ...entry, identifier: "parkingspaces" }))
      ])
    }
  },
  {
    ...base,
    id: "versions.more-modules",
    versions: versionsWhere(({ otherModules }) => otherModules.length > 0),
    strength: "may",
    description: "Offers the modules of the version that plugfest has no checks of",
    caughtBy: ["VERS-018"],
    behaviour: {
      reply: endpoints((entries) => [
        ...entries,
        ...entries
          .slice(0, 1)
          .flatMap((entry) =>
            moreModules.flatMap((identifier) =>
              ["SENDER", "RECEIVER"].map((role) => ({ ...entry, identifier, role }))
            )
          )
      ])
    }
  },
  {
    ...base,
    id: "versions.commands-without-sessions",
    roles: cpo,
    strength: "should",
    description: "Offers the commands module but no sessions",
    caughtBy: ["VERS-013"],
    behaviour: { reply: endpoints((entries) => entries.filter(isNot("sessions"))) }
  },
  {
    ...base,
    id: "versions.locations-without-tariffs",
    roles: emsp,
    strength: "should",
    description: "Offers the locations module but no tariffs",
    caughtBy: ["VERS-013"],
    behaviour: { reply: endpoints((entries) => entries.filter(isNot("tariffs"))) }
  },
  {
    ...base,
    id: "versions.open-details",
    description: "Answers the version details to any token, and to callers without one",
    caughtBy: ["VERS-014"],
    behaviour: { reply: when(aboutDetails, unlocked({ version: "0.0", endpoints: [] })) }
  },
  {
    ...base,
    id: "versions.slow",
    strength: "should",
    description: "Takes three seconds to answer the versions list and the details",
    caughtBy: ["VERS-017"],
    behaviour: {
      reply: when(
        (request) => aboutVersions(request) || aboutDetails(request),
        (_, reply) => ({ ...reply, delayMillis: 3_000 })
      )
    }
  }
]
