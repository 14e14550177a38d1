/** The journeys, packs and scenarios that can be played, as lines. Pure. */
import { Array } from "effect"
import type { Connection } from "../../../schema/Connection.ts"
import type { JourneyCatalogue } from "../../../schema/Journey.ts"
import { aligned } from "../terminal/aligned.ts"
import { asCommands } from "../terminal/asCommands.ts"

type Played = JourneyCatalogue["templates"][number] | JourneyCatalogue["packs"][number]

/** Every journey and pack: its id, the role that plugfest plays, its size, its versions and its name. */
export function wholeCatalogue({ packs, templates }: JourneyCatalogue): ReadonlyArray<string> {
  const all = [...templates, ...packs]
  return aligned(
    all.map((one) => [one.id, `as ${one.ourRole}`, sizeOf(one), one.supportedVersions.join(" "), one.name])
  )
}

/**
 * What can be played with the target; then the others below the first reason why they cannot. `connection`: those for partners of another
 * role or version than its own are only counted; absent for the sandbox, which can be any partner.
 */
export function catalogueFor(
  target: string,
  catalogue: JourneyCatalogue,
  connection?: Partner
): ReadonlyArray<string> {
  const all = fitting(catalogue, connection)
  const runnable = all.filter((one) => one.runnable)
  const others = Object.entries(
    Array.groupBy(
      all.filter((one) => !one.runnable),
      ({ reasons }) => reasons[0] ?? "No reason is known"
    )
  )
  const left = fitting(catalogue).length - all.length
  return [
    `Can be played with ${target}: ${runnable.length} of ${all.length}`,
    ...aligned(runnable.map((one) => [`  ${one.id}`, sizeOf(one), one.name])),
    ...others.flatMap(([reason, those]) => [
      `Not played: ${asCommands(reason)}`,
      `  ${those.map(({ id }) => id).join(", ")}`
    ]),
    ...(left === 0 ? [] : [`${left} more are for partners of another role or version: plugfest journeys`])
  ]
}

/** The scenarios, which are journeys with inputs of the account; of a connection those for its role and version. */
export function scenarioLines(catalogue: JourneyCatalogue, connection?: Partner): ReadonlyArray<string> {
  const ids = fitting(catalogue, connection).map(({ id }) => id)
  return catalogue.scenarios
    .filter(({ templateId }) => connection === undefined || ids.includes(templateId))
    .map(
      ({ id, name, templateId, version }) => `${id}  scenario of ${templateId}, version ${version}: ${name}`
    )
}

type Partner = Pick<Connection, "ourRole" | "ocpiVersion">

const fitting = ({ packs, templates }: JourneyCatalogue, connection?: Partner): ReadonlyArray<Played> =>
  [...templates, ...packs].filter(
    ({ ourRole, supportedVersions }) =>
      connection === undefined ||
      (ourRole === connection.ourRole && supportedVersions.includes(connection.ocpiVersion))
  )

const sizeOf = (one: Played): string =>
  "templateIds" in one
    ? `pack of ${one.templateIds.length}`
    : `${one.stages.length} ${one.stages.length === 1 ? "stage" : "stages"}`
