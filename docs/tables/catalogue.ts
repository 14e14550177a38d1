/** The catalogue of checks (catalogue.csv: ids and facts, no texts), and how far the code has it. */

import type { Strength } from "../../schema/Assertion.ts"
import type { Need } from "../../schema/Need.ts"
import { type OcpiVersion, OcpiVersion as versions } from "../../schema/ocpi/OcpiVersion.ts"
import type { Role } from "../../schema/ocpi/Role.ts"
import { profileOf, since, versionNumbers } from "../../schema/ocpi/versions.ts"
import { needsOf } from "../../src/conformance/catalogue/needs.ts"
import { allChecks } from "../../src/conformance/catalogue/suites.ts"
import type { Check } from "../../src/conformance/model/Check.ts"
import { templates } from "../../src/journeys/catalogue/catalogue.ts"
import { faultLibrary } from "../../src/sandbox/faults/faultLibrary.ts"
import { checksOfFaults } from "../../test/strangers/mutations/journeyFaults.ts"
import { mutations } from "../../test/strangers/mutations/mutations.ts"
import { unreached, whyUnreached } from "../../test/strangers/mutations/unreached.ts"

export interface CatalogueRow {
  readonly id: string
  /** `LOC` of `LOC-001`. */
  readonly family: string
  readonly versions: ReadonlyArray<OcpiVersion>
  readonly partner: "CPO" | "EMSP" | "either" | "HUB" | "PTP"
  readonly mode: string
  readonly severity: string
}

export interface Coverage {
  readonly row: CatalogueRow
  /** A check of a suite has that id. */
  readonly inSuites: boolean
  /** Journeys with a rule that answers it. */
  readonly journeys: ReadonlyArray<string>
  /** Faults of the sandbox that it catches. */
  readonly faults: ReadonlyArray<string>
  /** Faults of strangers (test/strangers) that it catches. */
  readonly mutations: ReadonlyArray<string>
  /** Why no stranger has a fault that it catches; undefined: one has. */
  readonly unreached: string | undefined
  /** What it needs beside a partner that answers; undefined: it is not in a suite. */
  readonly need: Need | undefined
  /** What the catalogue wants and the check does not do: `not for 2.2`. */
  readonly lacks: ReadonlyArray<string>
}

/** The rows of the file; throws on a line that is not like the others. */
export const catalogueRows = (csv: string): ReadonlyArray<CatalogueRow> =>
  csv
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => {
      const [id, applies, partner, mode, severity] = line.split(",")
      if (id === undefined || applies === undefined || mode === undefined || severity === undefined)
        throw new Error(`not a row of the catalogue: ${line}`)
      return {
        id,
        family: id.split("-")[0]!,
        versions: versionsOf(applies),
        partner: partner as CatalogueRow["partner"], // a test holds the file against the words
        mode,
        severity
      }
    })

/** `all`, `2.2+`, or versions with blanks between them. */
function versionsOf(text: string): ReadonlyArray<OcpiVersion> {
  const known = versions.literals
  if (text === "all") return known
  const first = known.find((version) => text === `${version}+`)
  if (first !== undefined) return since(first)
  return known.filter((version) => text.split(" ").includes(version))
}

export const coverageOf = (row: CatalogueRow): Coverage => {
  const check = allChecks.find(({ id }) => id === row.id)
  const journeys = templates
    .filter(({ stages }) => stages.some(({ expect }) => expect.some(({ checkId }) => checkId === row.id)))
    .map(({ id }) => id)
  return {
    row,
    inSuites: check !== undefined,
    need: check === undefined ? undefined : needOf(check),
    journeys,
    faults:
      check === undefined && journeys.length === 0
        ? []
        : faultLibrary.filter(({ caughtBy }) => caughtBy.includes(row.id)).map(({ id }) => id),
    mutations: [
      ...mutations.filter(({ caughtBy }) => caughtBy === row.id).map(({ id }) => id),
      ...(checksOfFaults.get(row.id) ?? [])
    ],
    unreached: unreachedOf(row),
    lacks:
      check === undefined
        ? []
        : [
            ...row.versions.filter((version) => !check.versions.includes(version)),
            ...rolesOf(row).filter((role) => !check.roles.includes(role))
          ]
  }
}

function unreachedOf({ id }: CatalogueRow): string | undefined {
  const one = unreached.find(({ check }) => check === id)
  return one === undefined ? undefined : whyUnreached[one.kind]
}

/** In the newest version and the first role of the check; it is the same in the others. */
function needOf(check: Check): Need {
  const [version, role] = [check.versions.at(-1)!, check.roles[0]!]
  return needsOf({ profile: profileOf(version), role })(check)
}

/** Checks of the suites that the catalogue does not have. */
export const beyond = (rows: ReadonlyArray<CatalogueRow>): ReadonlyArray<string> =>
  allChecks.map(({ id }) => id).filter((id) => !rows.some((row) => row.id === id))

/**
 * The text of catalogue.csv with a row for each check that had none, in its family behind the id before it. A row that is
 * there stays as it is: it says what is wanted, and that may be more than the check does.
 */
export const completed = (csv: string): string => {
  const [head = "", ...rows] = csv.trim().split("\n")
  for (const id of [...new Set(beyond(catalogueRows(csv)))].toSorted()) {
    const isOfFamily = (row: string) => row.split("-")[0] === id.split("-")[0]
    const before = rows.findLastIndex((row) => isOfFamily(row) && row < id)
    const first = rows.findIndex(isOfFamily)
    rows.splice(before >= 0 ? before + 1 : first >= 0 ? first : rows.length, 0, rowFor(id))
  }
  return `${[head, ...rows].join("\n")}\n`
}

const severities: Readonly<Record<Strength, string>> = { must: "FAIL", should: "WARN", may: "INFO" }

function rowFor(id: string): string {
  const { mode, roles, strength, versions: own } = allChecks.find((check) => check.id === id)!
  const asSince = versionNumbers.find((first) => since(first).join() === own.join())
  const applies =
    own.length === versionNumbers.length
      ? "all"
      : asSince === undefined || own.length === 1
        ? own.join(" ")
        : `${asSince}+`
  return [id, applies, roles.length > 1 ? "either" : roles[0], mode, severities[strength]].join(",")
}

function rolesOf({ partner }: CatalogueRow): ReadonlyArray<Role> {
  if (partner === "either") return ["CPO", "EMSP"]
  return partner === "CPO" || partner === "EMSP" ? [partner] : []
}

/** Why nothing checks it yet. What others of its kind already do is not given as the reason. */
export const reasonOf = (row: CatalogueRow, all: ReadonlyArray<Coverage>): string => {
  if (row.partner === "HUB") return "needs two parties of ours at one hub; we are one in each connection"
  if (row.partner === "PTP") return "needs a payment terminal provider as partner; we test CPOs and EMSPs"
  const done = all.filter(({ inSuites }) => inSuites)
  if (!done.some(({ row: other }) => other.mode === row.mode)) {
    if (row.mode === "MUT") return "writes at the partner, and the suites only read so far"
    if (row.mode === "RISK") return "can end the registration, and the suites only read so far"
    if (row.mode === "OBS")
      return "waits for what the partner sends by itself, and the suites only ask so far"
  }
  return done.some(({ row: other }) => other.family === row.family)
    ? "not written yet"
    : "no suite has this module yet"
}
