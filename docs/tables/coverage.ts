/** The text of docs/coverage.md: what the party serves and asks, and which checks there are. From the code, no clock in it. */
import type { Need } from "../../schema/Need.ts"
import type { Role } from "../../schema/ocpi/Role.ts"
import { profileOf, versionNumbers } from "../../schema/ocpi/versions.ts"
import { faultLibrary } from "../../src/sandbox/faults/faultLibrary.ts"
import { whyUnreached } from "../../test/strangers/mutations/unreached.ts"
import { asked } from "./asked.ts"
import { type Coverage, catalogueRows, coverageOf, reasonOf } from "./catalogue.ts"
import { codes, table } from "./markdown.ts"
import { served } from "./served.ts"

export { completed } from "./catalogue.ts"

/** `catalogue` is the text of catalogue.csv. */
export const coverage = (catalogue: string): string => {
  const rows = catalogueRows(catalogue)
  const all = rows.map(coverageOf)
  const done = all.filter(isDone)
  const proved = done.filter(({ faults }) => faults.length > 0)
  const atStrangers = done.filter(({ mutations }) => mutations.length > 0)
  const why = Object.values(whyUnreached).map((reason) => ({
    reason,
    many: done.filter(({ unreached }) => unreached === reason).length
  }))
  return `${[
    "# Coverage",
    "Generated from the code by `npm run coverage`; do not edit.",
    [
      `- Checks: **${done.length} of ${all.length}** of the catalogue are implemented, ${proved.length} of them proved by a fault of the sandbox that they catch.`,
      `- Faults of the sandbox: **${faultLibrary.length}**, ${faultLibrary.filter(({ id }) => done.some(({ faults }) => faults.includes(id))).length} of them caught by an implemented check.`,
      `- Strangers ([proof.md](proof.md)): **${atStrangers.length}** of the ${done.length} are proved by a fault of a partner that shares no code with ours; ${done.length - atStrangers.length} are not:`,
      ...why.filter(({ many }) => many > 0).map(({ many, reason }) => `  - ${many}: ${reason}`),
      `- Reach, at a partner that is not of the sandbox and knows of us what OCPI tells it: ${reach(done)}. A suite lists what it could not judge with what it needs.`,
      `- Versions: ${versionNumbers.join(", ")}, as CPO and as EMSP.`
    ].join("\n"),
    totals(all),
    "## What our party serves and asks",
    "Paths begin at the module's endpoint. Asked *registering*: during the handshake, rotation and unregistration. *charging*: while a charge is played. *lively*: what a partner of the sandbox does of its own accord. *on order*: when the API or a journey orders it. *journeys* and *conformance*: while such a run goes on.",
    ...versionNumbers.map(partyTable),
    "## Checks of the catalogue",
    "Partner: whom the check is about. Mode: RO only reads, OBS watches, MUT writes at the partner, RISK can end the registration. Severity: of a broken rule. Needs: beside a partner that answers.",
    ...families(all).map((family) => checksTable(family, all))
  ].join("\n\n")}\n`
}

/** What a check needs, in words. `partner_data` is what any check can lack. */
const needs: Readonly<Record<Need, string>> = {
  partner_data: "any partner",
  partner_acts: "acts there",
  second_registration: "a second connection",
  risk: "to be ordered"
}

/** How many checks a partner can be judged by, by what that takes. */
function reach(done: ReadonlyArray<Coverage>): string {
  const many = (need: Need) => done.filter((one) => one.need === need).length
  return [
    `**${many("partner_data")}** checks are judged of any partner that has the objects that they are about`,
    `${many("partner_acts")} need acts of a driver or an operator there`,
    `${many("second_registration")} a second connection of ours`,
    `${many("risk")} are graded only when ordered`,
    `${done.filter(({ inSuites }) => !inSuites).length} are judged in journeys`
  ].join(", ")
}

const isDone = ({ inSuites, journeys }: Coverage) => inSuites || journeys.length > 0

function families(all: ReadonlyArray<Coverage>): ReadonlyArray<string> {
  return [...new Set(all.map(({ row }) => row.family))]
}

function totals(all: ReadonlyArray<Coverage>): string {
  const line = (name: string, some: ReadonlyArray<Coverage>) => {
    const done = some.filter(isDone)
    const forVersions = versionNumbers.map((version) => {
      const wanted = some.filter(({ row }) => row.versions.includes(version))
      const kept = wanted.filter((one) => isDone(one) && !one.lacks.includes(version))
      return `${kept.length}/${wanted.length}`
    })
    const proved = done.filter(({ faults }) => faults.length > 0)
    const atStrangers = done.filter(({ mutations }) => mutations.length > 0)
    return [name, some.length, done.length, proved.length, atStrangers.length, ...forVersions]
  }
  return table(
    ["Family", "Catalogue", "Implemented", "Proved by a fault", "At a stranger", ...versionNumbers],
    [
      ...families(all).map((family) =>
        line(
          family,
          all.filter(({ row }) => row.family === family)
        )
      ),
      line("All", all)
    ]
  )
}

function partyTable(version: (typeof versionNumbers)[number]): string {
  const profile = profileOf(version)
  const roles: ReadonlyArray<Role> = ["CPO", "EMSP"]
  const lines = roles.flatMap((role) =>
    ["versions", ...profile.modules].map((module) => [
      role,
      module,
      served(profile, role, module) || "–",
      asked(profile, role, module) || "–"
    ])
  )
  return `### ${version}\n\n${table(["We are", "Module", "We serve", "We ask"], lines)}`
}

function checksTable(family: string, all: ReadonlyArray<Coverage>): string {
  const some = all.filter(({ row }) => row.family === family)
  const lines = some.map((one) => [
    one.row.id,
    one.row.versions.length === versionNumbers.length ? "all" : one.row.versions.join(" "),
    one.row.partner,
    one.row.mode,
    one.row.severity,
    one.need === undefined ? "–" : needs[one.need],
    stateOf(one, all)
  ])
  return `### ${family}: ${some.filter(isDone).length} of ${some.length}\n\n${table(
    ["Check", "Versions", "Partner", "Mode", "Severity", "Needs", "State"],
    lines
  )}`
}

function stateOf(one: Coverage, all: ReadonlyArray<Coverage>): string {
  if (!isDone(one)) return `no: ${reasonOf(one.row, all)}`
  const where = one.inSuites ? "yes" : `yes, in journey ${codes(one.journeys)}`
  const lacks = one.lacks.length === 0 ? "" : `, but not for ${one.lacks.join(", ")}`
  const proof = one.faults.length === 0 ? "no fault proves it yet" : `proved by ${codes(one.faults)}`
  const stranger =
    one.mutations.length === 0
      ? `no stranger: ${one.unreached ?? "not written yet"}`
      : `at a stranger by ${codes(one.mutations)}`
  return `${where}${lacks}; ${proof}; ${stranger}`
}
