/** Where a check can see what it is about: what the partner does of its own accord, and what else the run has to do. */
import { Effect } from "effect"
import type { Role } from "../../../schema/Connection.ts"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import type { Check } from "../../../src/conformance/Check.ts"
import { probesOf } from "../../../src/conformance/probes/catalogue.ts"
import { phaseOf } from "../../../src/conformance/stages.ts"
import { suiteById } from "../../../src/conformance/suites.ts"
import type { Scene } from "../quickWorld.ts"
import { cardsAt, drivers, spokenTo } from "./speaking.ts"

/**
 * `reading`: requests without effect. `writing <module>`: what the run writes there and what it sees of that.
 * `charges`: told while the run begins a charge. `lively`: the registration, and what a busy partner pushes.
 * `speaking`: the partner begins. `renewing` and `ending` the registration.
 */
export type SceneName =
  | "reading"
  | "charges"
  | "lively"
  | "speaking"
  | "renewing"
  | "ending"
  | `writing ${string}`

export const isCommanded = (scene: SceneName): boolean =>
  scene === "writing commands" || scene === "writing chargingprofiles"

/** After these there is no registration to go on with. */
const endings: ReadonlyArray<string> = ["CRED-035", "CRED-036", "CRED-038"]
/** Looks for tokens of ours, as a connection has them. */
const ownTokens: ReadonlyArray<string> = ["CRED-040"]
/** Asks the URLs that were given to us with commands. */
const followsCommands: ReadonlyArray<string> = ["CMD-110"]

export const fullSuite = (version: OcpiVersion, role: Role): ReadonlyArray<Check> =>
  suiteById(`ocpi-${version}-${role.toLowerCase()}-full`)?.checks ?? []

export const sceneOf = (check: Check, version: OcpiVersion, role: Role): SceneName => {
  const phase = phaseOf(check)
  const { id, module } = check
  if (phase === "risk") return endings.includes(id) ? "ending" : "renewing"
  if (followsCommands.includes(id)) return "speaking"
  if (phase === "read" && onlyReads(check, version, role))
    return ownTokens.includes(id) ? "writing credentials" : "reading"
  if (phase === "read") return "lively"
  if (role === "EMSP" && (module === "commands" || module === "chargingprofiles")) return "speaking"
  if (phase === "write") return `writing ${module}`
  if (module === "tokens") return "speaking"
  if (module === "sessions" || module === "cdrs") return "charges"
  if (module === "commands" || module === "chargingprofiles") return `writing ${module}`
  return "lively"
}

function onlyReads(check: Check, version: OcpiVersion, role: Role): boolean {
  const profile = profileOf(version)
  const probes = probesOf(profile, role)
  return check.needs({ profile, role }).every((need) => {
    const probe = probes.get(need)
    return probe === undefined || "asks" in probe
  })
}

/** The checks that are graded together there. */
export const checksIn = (name: SceneName, version: OcpiVersion, role: Role): ReadonlyArray<Check> =>
  fullSuite(version, role).filter((check) => sceneOf(check, version, role) === name)

/** Run beside them: the first begins and ends a session, the second lets a reservation run out; lists are read before they change. */
const beside: Partial<Record<SceneName, ReadonlyArray<string>>> = {
  charges: ["CMD-020", "CMD-035"],
  lively: ["LOC-001"]
}

/** A CPO charges, an EMSP edits its tokens, and both read our lists. */
const busy = { CPO: "lively", EMSP: "lively" } as const

/** How such a run is set up; `reading` needs none. */
export const sceneFor = (name: SceneName, version: OcpiVersion, role: Role): Scene => {
  const checks = [...checksIn(name, version, role).map(({ id }) => id), ...(beside[name] ?? [])]
  const scene = { version, role, checks }
  if (name === "lively") return { ...scene, activity: busy[role], listenSeconds: 200 }
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
  const scene = { version, role, activity: busy[role], listenSeconds: 200 }
  return role === "EMSP"
    ? [{ ...scene, before: spokenTo(version) }]
    : [
        { ...scene, activity: "quiet", before: cardsAt, meanwhile: drivers },
        // By then it has told us its catalogue.
        { ...scene, before: () => Effect.sleep("5 seconds") }
      ]
}
