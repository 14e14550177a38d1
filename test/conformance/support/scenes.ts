/** Where a check can see what it is about: what the partner does of its own accord, and what else the run has to do. */
import { Effect } from "effect"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import type { Role } from "../../../schema/ocpi/Role.ts"
import { profileOf, versionNumbers } from "../../../schema/ocpi/versions.ts"
import { probesOf } from "../../../src/conformance/catalogue/probes.ts"
import { suiteById } from "../../../src/conformance/catalogue/suites.ts"
import type { Check, SuiteScope } from "../../../src/conformance/model/Check.ts"
import type { Probe } from "../../../src/conformance/model/Probe.ts"
import { phaseOf } from "../../../src/conformance/model/stages.ts"
import { bothRoles } from "../../../src/sandbox/faults/Fault.ts"
import type { Scene } from "../../support/parties/quickWorld.ts"
import { cardsAt, drivers, itsTurn, spokenTo } from "./speaking.ts"

/**
 * `reading`: requests without effect. `writing <module>`: what the run writes there and what it sees of that.
 * `charges`: told while the run begins a charge. `lively`: the registration, and what a busy partner pushes.
 * `speaking`: the partner begins. `behind a hub`: we are one. `registering` with it, or `invited` to register with us; `renewing`
 * and `ending` that.
 */
export type SceneName =
  | "reading"
  | "charges"
  | "lively"
  | "speaking"
  | "registering"
  | "invited"
  | "renewing"
  | "ending"
  | "behind a hub"
  | `writing ${string}`

export const isCommanded = (scene: SceneName): boolean =>
  scene === "writing commands" || scene === "writing chargingprofiles"

/** After these there is no registration to go on with. */
const endings: ReadonlyArray<string> = ["CRED-035", "CRED-036", "CRED-038"]
/** Seen when the partner registers with us. */
export const theirs: ReadonlyArray<string> = [
  ...["CRED-041", "CRED-042", "CRED-043", "CRED-044", "CRED-045", "CRED-046"]
]
/**
 * Wants a partner that calls all the while, each another, or a second registration with it: checks/renewing.test.ts,
 * checks/ourFaults.test.ts and checks/secondParty.test.ts have them.
 */
export const apart: ReadonlyArray<string> = [
  ...["CRED-031", "CRED-032", "CRED-033", "CRED-037", "TRANS-056", "TRANS-057", "TRANS-058"],
  ...["CMD-027", "CMD-036"]
]
/** Looks for tokens of ours, as a connection has them. */
const ownTokens: ReadonlyArray<string> = ["CRED-040"]
/** Asks the URLs that were given to us with commands. */
const followsCommands: ReadonlyArray<string> = ["CMD-110"]

/** Looks at redirects, which only the engine follows. */
const seesRedirects: ReadonlyArray<string> = ["TRANS-059"]

/** Needs an interface that the partner announces when it registers, and other partners do not have. */
const ofHubs: ReadonlyArray<string> = ["HUB-001", "HUB-002", "HUB-106", "HUB-107"]

/** Compares what was pushed with what is listed since then. */
const ofPushes: ReadonlyArray<string> = ["PAGE-028"]

const isOfAnswers = (probe: Probe | undefined): boolean =>
  probe !== undefined && "source" in probe && probe.source === "answers"

const suiteOf = (version: OcpiVersion, role: Role, part: string): ReadonlyArray<Check> =>
  suiteById(`ocpi-${version}-${role.toLowerCase()}-${part}`)?.checks ?? []

export const fullSuite = (version: OcpiVersion, role: Role): ReadonlyArray<Check> =>
  suiteOf(version, role, "full")

/** The full suite, and those for a first registration and for a partner behind a hub. */
export const everyCheck = (version: OcpiVersion, role: Role): ReadonlyArray<Check> => [
  ...new Set([
    ...fullSuite(version, role),
    ...suiteOf(version, role, "registration"),
    ...suiteOf(version, role, "hub")
  ])
]

function sceneFrom(
  check: Check,
  role: Role,
  probes: ReadonlyMap<string, Probe>,
  scope: SuiteScope
): SceneName {
  const phase = phaseOf(check)
  const { id, module } = check
  if (theirs.includes(id)) return "invited"
  if (check.hub === true) return "behind a hub"
  if (check.first === true) return "registering"
  if (phase === "risk") return endings.includes(id) ? "ending" : "renewing"
  if (followsCommands.includes(id)) return "speaking"
  if (ofHubs.includes(id) || ofPushes.includes(id)) return "lively"
  const looksAtAnswers = check.needs(scope).some((need) => isOfAnswers(probes.get(need)))
  const onlyReads = check.needs(scope).every((need) => {
    const probe = probes.get(need)
    return probe === undefined || "asks" in probe || isOfAnswers(probe)
  })
  // What is to stay as it is needs no story: the list that is read again is enough.
  const isReadAgain = check.needs(scope).some((need) => need.endsWith(".again"))
  const isOfSteps = check.needs(scope).some((need) => need.includes("#"))
  const isOfLists = phase === "read" || (check.ifGathered !== undefined && !isOfSteps) || isReadAgain
  if ((isOfLists || looksAtAnswers) && onlyReads && !seesRedirects.includes(id))
    return ownTokens.includes(id) ? "writing credentials" : "reading"
  if (phase === "read") return "lively"
  if (role === "EMSP" && (module === "commands" || module === "chargingprofiles")) return "speaking"
  if (phase === "write") return `writing ${module}`
  if (module === "tokens") return "speaking"
  if (module === "sessions" || module === "cdrs") return "charges"
  if (module === "commands" || module === "chargingprofiles") return `writing ${module}`
  return "lively"
}

/** The checks of each version and role, by scene. */
const table: ReadonlyMap<string, ReadonlyMap<SceneName, ReadonlyArray<Check>>> = new Map(
  versionNumbers.flatMap((version) =>
    bothRoles.map((role) => {
      const scope = { profile: profileOf(version), role }
      const probes = probesOf(scope.profile, role)
      const checks = everyCheck(version, role).filter(({ id }) => !apart.includes(id))
      const named = checks.map((check) => ({ check, name: sceneFrom(check, role, probes, scope) }))
      const names = [...new Set(named.map(({ name }) => name))]
      const within = (scene: SceneName) => named.flatMap(({ check, name }) => (name === scene ? [check] : []))
      return [`${version} ${role}`, new Map(names.map((name) => [name, within(name)]))] as const
    })
  )
)

/** Every scene of a version and role, with the checks that are graded together there. */
export const scenesOf = (version: OcpiVersion, role: Role): ReadonlyMap<SceneName, ReadonlyArray<Check>> =>
  table.get(`${version} ${role}`) ?? new Map()

/** The checks that are graded together there. */
export const checksIn = (name: SceneName, version: OcpiVersion, role: Role): ReadonlyArray<Check> =>
  scenesOf(version, role).get(name) ?? []

/** Run beside them: the first begins and ends a session, the second lets a reservation run out; lists are read before they change. */
const beside: Partial<Record<SceneName, ReadonlyArray<string>>> = {
  charges: ["CMD-020", "CMD-035"],
  lively: ["LOC-001", "TAR-001"],
  speaking: ["TOK-001"]
}

/** How such a run is set up; `reading` needs none. */
export const sceneFor = (name: SceneName, version: OcpiVersion, role: Role): Scene => {
  const checks = [...checksIn(name, version, role).map(({ id }) => id), ...(beside[name] ?? [])]
  const scene = { version, role, checks }
  if (name === "lively") return { ...scene, activity: "lively", listenSeconds: 200 }
  if (name === "behind a hub") return { ...scene, hub: true, activity: "lively", listenSeconds: 200 }
  if (name === "registering") return { ...scene, first: true }
  if (name === "invited") return { ...scene, invited: true, activity: "catalogue", meanwhile: itsTurn }
  if (name === "speaking")
    return role === "EMSP"
      ? { ...scene, activity: "catalogue", listenSeconds: 60, before: spokenTo(version) }
      : { ...scene, listenSeconds: 60, before: cardsAt }
  if (name === "writing tokens" && role === "CPO") return { ...scene, listenSeconds: 30, meanwhile: drivers }
  return scene
}

/**
 * Everything at once: only what risks the registration is left out. A CPO is met twice: while drivers show cards, and
 * while it does so much of its own accord that its charge points may be taken when the run wants one.
 */
export const wholeScenes = (version: OcpiVersion, role: Role): ReadonlyArray<Scene> => {
  const scene = { version, role, activity: "lively" as const, listenSeconds: 200 }
  return role === "EMSP"
    ? [{ ...scene, before: spokenTo(version) }]
    : [
        { ...scene, activity: "quiet", before: cardsAt, meanwhile: drivers },
        // By then it has told us its catalogue.
        { ...scene, before: () => Effect.sleep("5 seconds") }
      ]
}
