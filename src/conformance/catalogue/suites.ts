/** The suites: all checks that apply to a version and role, the same by module, and smaller ones for a first contact. */
import type { Role } from "../../../schema/ocpi/Role.ts"
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import { profileOf, versionNumbers } from "../../../schema/ocpi/versions.ts"
import {
  type CheckView,
  type ModuleNotJudged,
  registrationPart,
  type SuiteDetail,
  suiteId
} from "../../../schema/Suite.ts"
import type { Check, SuiteScope } from "../model/Check.ts"
import { phaseOf } from "../model/stages.ts"
import { core, smoke } from "./coreChecks.ts"
import { modules } from "./modules.ts"
import { clausesOf } from "./selection.ts"
import { whyItMatters } from "./whyItMatters.ts"

/** Checks for one version and role that run in one order. */
export interface Suite {
  readonly detail: SuiteDetail
  readonly checks: ReadonlyArray<Check>
  readonly scope: SuiteScope
}

/** Modules in the order in which they are graded: others depend on the first ones. */
const moduleOrder = [
  "versions",
  "credentials",
  "transport",
  "paging",
  "locations",
  "sessions",
  "cdrs",
  "tariffs",
  "tokens",
  "commands",
  "chargingprofiles",
  "hubclientinfo",
  "payments"
]

/** Every check, by module in grading order, then by id. */
export const allChecks: ReadonlyArray<Check> = modules
  .flatMap(({ checks }) => checks)
  .toSorted((a, b) => order(a) - order(b) || (a.id < b.id ? -1 : 1))

function order({ module }: Check): number {
  return moduleOrder.indexOf(module)
}

/** Does the version table have the object schemas that the checks of this role need? */
const judgeable = ({ objects }: VersionProfile, role: Role) =>
  objects.Credentials !== undefined && (role !== "CPO" || objects.Location !== undefined)

/** The view of each check: several suites have it. */
const views: ReadonlyMap<Check, CheckView> = new Map(
  allChecks.map((check) => {
    const reason = whyItMatters(check.id)
    const view: CheckView = {
      id: check.id,
      title: check.title,
      module: check.module,
      strength: check.strength,
      mode: check.mode,
      reference: check.reference,
      clauses: clausesOf(check.reference),
      sends: check.sends,
      passes: check.passes,
      ...(reason === undefined ? {} : { whyItMatters: reason })
    }
    return [check, view]
  })
)

const modulesOf = (checks: ReadonlyArray<Check>) => [...new Set(checks.map(({ module }) => module))]

const isAbout = ({ profile, role }: SuiteScope, { roles, versions }: Check) =>
  roles.includes(role) && versions.includes(profile.version)

/** The modules of the version, those of other documents too, that no check for this role is about. */
const notJudged = (scope: SuiteScope): ReadonlyArray<ModuleNotJudged> => {
  const judged = modulesOf(allChecks.filter((check) => isAbout(scope, check)))
  const { modules: spoken, otherModules } = scope.profile
  return [
    ...spoken.map((module) => ({ module, name: module })),
    ...otherModules.map(({ edition, identifier, name }) => ({
      module: identifier,
      name: `${name} (OCPI ${edition})`
    }))
  ].filter(({ module }) => !judged.includes(module))
}

/** Longest text of a partner, in UTF-16 units, and most of its modules, that a report names. */
const namedLength = 60
const namedModules = 20

/**
 * What no suite for the partner's role judges: of the modules of the version, and of those that the partner announces.
 * `announced`: the identifiers in its version details; empty: they are not known.
 */
export const notJudgedOf = (
  { detail, scope: { profile } }: Suite,
  announced: ReadonlyArray<string>
): ReadonlyArray<ModuleNotJudged> => {
  const known = detail.notJudged ?? []
  if (announced.length === 0) return known
  const isOneOf = (names: ReadonlyArray<string>, name: string) =>
    names.some((one) => one.toLowerCase() === name.toLowerCase())
  const ofVersion = [...profile.modules, ...profile.otherModules.map(({ identifier }) => identifier)]
  const own = [...new Set(announced)].filter((identifier) => !isOneOf(ofVersion, identifier))
  return [
    ...known.map((one) => ({ ...one, announced: isOneOf(announced, one.module) })),
    ...own.slice(0, namedModules).map((identifier) => ({
      module: identifier.slice(0, namedLength),
      name: `${identifier.slice(0, namedLength)} (no module of OCPI ${profile.version})`,
      announced: true
    }))
  ]
}

/** The sentence in a suite's description that says what it leaves out. */
const leftOut = (scope: SuiteScope): string => {
  const names = notJudged(scope).map(({ name }) => name)
  return names.length === 0 ? "" : ` Not judged by plugfest: ${names.join(", ")}.`
}

const suiteOf = (
  scope: SuiteScope,
  part: string,
  text: { readonly name: string; readonly description: string },
  checks: ReadonlyArray<Check>
): Suite => ({
  scope,
  checks,
  detail: {
    id: suiteId({ ocpiVersion: scope.profile.version, theirRole: scope.role }, part),
    name: `${scope.role} ${scope.profile.version}: ${text.name}`,
    description: text.description,
    ocpiVersion: scope.profile.version,
    theirRole: scope.role,
    modules: modulesOf(checks),
    checkCount: checks.length,
    mutating: checks.some(({ mode }) => mode === "MUT" || mode === "RISK"),
    notJudged: notJudged(scope),
    checks: checks.flatMap((check) => views.get(check) ?? [])
  }
})

/** The sentence in a suite's description that says what it changes at the partner. */
const effects = (checks: ReadonlyArray<Check>): string => {
  const risky = checks.filter((check) => phaseOf(check) === "risk").length
  const writes = checks.some((check) => phaseOf(check) === "write" || check.mode === "MUT")
  return [
    writes ? "Writes objects whose ids begin with TST- and cleans them up." : "Only reads.",
    ...(risky === 0
      ? []
      : [
          `${risky} of its checks may end the registration: they are graded only when the order names them or asks for risky checks.`
        ])
  ].join(" ")
}

const suitesFor = (scope: SuiteScope): ReadonlyArray<Suite> => {
  const fitting = allChecks.filter((check) => isAbout(scope, check))
  const checks = fitting.filter(({ first, hub }) => first !== true && hub !== true)
  const among = (ids: ReadonlyArray<string>) => checks.filter(({ id }) => ids.includes(id))
  const part = (name: string, text: readonly [string, string], of: ReadonlyArray<Check>) =>
    of.length === 0 ? [] : [suiteOf(scope, name, { name: text[0], description: text[1] }, of)]
  return [
    ...part("core", ["read-only core", coreText], among(core)),
    ...part(
      "full",
      ["everything", `Every rule, read, written and observed. ${effects(checks)}${leftOut(scope)}`],
      checks
    ),
    ...part("smoke", ["smoke", smokeText], among(smoke)),
    ...part(
      registrationPart,
      ["first registration", registrationText],
      fitting.filter(({ first }) => first !== undefined)
    ),
    ...part(
      hubPart,
      ["behind a hub", hubText],
      fitting.filter(({ hub }) => hub !== undefined)
    ),
    ...modulesOf(checks).flatMap((module) => {
      const own = checks.filter((check) => check.module === module)
      return part(module, [module, `Every rule about ${module}. ${effects(own)}`], own)
    })
  ]
}

const coreText =
  "First contact: discovery, credentials, transport, paging and what is served. Only reads; changes nothing at the partner."
const registrationText =
  "For a connection that still has the partner's Token A: reads versions and details, sends registrations that must be refused, then registers. The connection is registered afterwards."
const hubPart = "hub"
const hubText =
  "For a connection in which we are a hub (made with hub: true), with two parties behind it: requests on behalf of each, broadcasts, ClientInfo, and whom the partner addresses. Writes objects whose ids begin with TST- and cleans them up."
const smokeText =
  "A quick test: versions, details, credentials and the first lists. Only reads; a few requests."
/** Is it the suite of a first registration? It needs a connection that is not registered; all others need a registered one. */
export const isFirstRegistration = (suiteId: string): boolean => suiteId.endsWith(`-${registrationPart}`)

/** Is it the suite for a partner behind our hub? It needs a connection in which we are one; no other suite may have that. */
export const isBehindHub = (suiteId: string): boolean => suiteId.endsWith(`-${hubPart}`)

/** All suites, older versions first. */
export const suites: ReadonlyArray<Suite> = versionNumbers
  .map(profileOf)
  .flatMap((profile) =>
    (["CPO", "EMSP"] as const)
      .filter((role) => judgeable(profile, role))
      .flatMap((role) => suitesFor({ profile, role }))
  )

/** The suite of this id, such as `ocpi-2.2.1-cpo-core`; undefined if there is none. */
export const suiteById = (id: string): Suite | undefined => suites.find(({ detail }) => detail.id === id)
