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
  { packs, templates }: JourneyCatalogue,
  connection?: Pick<Connection, "ourRole" | "ocpiVersion">
): ReadonlyArray<string> {
  const every = [...templates, ...packs]
  const all = every.filter(
    ({ ourRole, supportedVersions }) =>
      connection === undefined ||
      (ourRole === connection.ourRole && supportedVersions.includes(connection.ocpiVersion))
  )
  const runnable = all.filter((one) => one.runnable)
  const others = Object.entries(
    Array.groupBy(
      all.filter((one) => !one.runnable),
      ({ reasons }) => reasons[0] ?? "No reason is known"
    )
  )
  return [
    `Can be played with ${target}: ${runnable.length} of ${all.length}`,
    ...aligned(runnable.map((one) => [`  ${one.id}`, sizeOf(one), one.name])),
    ...others.flatMap(([reason, those]) => [
      `Not played: ${asCommands(reason)}`,
      `  ${those.map(({ id }) => id).join(", ")}`
    ]),
    ...(all.length === every.length
      ? []
      : [`${every.length - all.length} more are for partners of another role or version: plugfest journeys`])
  ]
}

/** The scenarios, which are journeys with inputs of the account. */
export const scenarioLines = ({ scenarios }: JourneyCatalogue): ReadonlyArray<string> =>
  scenarios.map(
    ({ id, name, templateId, version }) => `${id}  scenario of ${templateId}, version ${version}: ${name}`
  )

const sizeOf = (one: Played): string =>
  "templateIds" in one
    ? `pack of ${one.templateIds.length}`
    : `${one.stages.length} ${one.stages.length === 1 ? "stage" : "stages"}`
