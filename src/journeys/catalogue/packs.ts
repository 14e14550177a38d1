/** Packs: templates that are run one after the other, in one run. */

import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import type { Role } from "../../../schema/ocpi/Role.ts"
import { versionNumbers } from "../../../schema/ocpi/versions.ts"
import type { ScenarioFault } from "../../../schema/Scenario.ts"
import { withArticle } from "../../findings/words.ts"
import { type JourneyTemplate, type PackTheme, packThemes } from "../model/JourneyTemplate.ts"
import { composed, type PackOutline } from "./pack.ts"

/** A pack as it is declared. In a version it has those of its templates that support the version. */
export interface JourneyPack extends PackOutline {
  /** In the order of the run; all with the same role of ours. */
  readonly templateIds: ReadonlyArray<string>
  /** Restricts the pack to these versions. */
  readonly onlyIn?: ReadonlyArray<OcpiVersion>
  /** Faults that we inject meanwhile. */
  readonly faults?: ReadonlyArray<ScenarioFault>
}

const theirRoles: ReadonlyArray<Role> = ["CPO", "EMSP"]

interface ThemeWords {
  readonly name: string
  readonly description: string
  readonly outcome: string
  readonly faults?: ReadonlyArray<ScenarioFault>
}

const themes: Readonly<Record<PackTheme, ThemeWords>> = {
  "go-live": {
    name: "Go-live",
    description: "The journeys that must work with this partner before it serves the first driver.",
    outcome: "Every journey passes that drivers need from the first day."
  },
  money: {
    name: "Money",
    description: "Compares tariffs, sessions and CDRs with each other, to the last digit.",
    outcome: "The partner bills exactly what was charged."
  },
  reservations: {
    name: "Reservations",
    description: "Makes a reservation and uses it, cancels it, or lets it expire.",
    outcome: "Every reservation ends in the state that OCPI requires."
  },
  resilience: {
    name: "Resilience",
    description:
      "The same journeys while we inject faults of networks and servers: our answers come late, our pushes come twice, and call-backs get an error of ours.",
    outcome: "The partner bears what goes wrong on our side, and nothing is lost or done twice.",
    faults: [
      { fault: "duplicate-push" },
      { fault: "late-answer", module: "sessions", seconds: 5 },
      { fault: "server-error", module: "commands" }
    ]
  }
}

/** A pack for each theme and role of the partner that has templates, in the order of the catalogue. */
const themed = (templates: ReadonlyArray<JourneyTemplate>): ReadonlyArray<JourneyPack> =>
  packThemes.flatMap((theme) =>
    theirRoles.flatMap((theirRole) => {
      const templateIds = templates
        .filter(({ ourRole, packs = [] }) => ourRole !== theirRole && packs.includes(theme))
        .map(({ id }) => id)
      const { name, ...words } = themes[theme]
      return templateIds.length === 0
        ? []
        : [
            {
              ...words,
              id: `${theme}-${theirRole.toLowerCase()}`,
              name: `${name} of ${withArticle(theirRole)}`,
              templateIds
            }
          ]
    })
  )

/** Smoke packs: for each version and role of the partner, the templates that change nothing at the partner. */
const smoke = (templates: ReadonlyArray<JourneyTemplate>): ReadonlyArray<JourneyPack> =>
  versionNumbers.flatMap((version) =>
    theirRoles.flatMap((theirRole) => {
      const templateIds = templates
        .filter(
          ({ ourRole, supportedVersions }) => ourRole !== theirRole && supportedVersions.includes(version)
        )
        .filter(({ stages }) =>
          stages.every(({ act, writes }) => !writes && (act.act === "exchange" || act.act === "judge"))
        )
        .map(({ id }) => id)
      return templateIds.length === 0
        ? []
        : [
            {
              id: `smoke-${version}-${theirRole.toLowerCase()}`,
              name: `Smoke test of ${withArticle(theirRole)}, OCPI ${version}`,
              description: "All journeys that change nothing at the partner and wait for no message of it.",
              outcome: "The partner answers every request that changes nothing.",
              templateIds,
              onlyIn: [version]
            }
          ]
    })
  )

/** All packs of these templates. */
export const packsOf = (templates: ReadonlyArray<JourneyTemplate>): ReadonlyArray<JourneyPack> => [
  ...themed(templates),
  ...smoke(templates)
]

/** The pack as one template in a version; undefined when none of its templates supports it. */
export function packIn(
  pack: JourneyPack,
  version: OcpiVersion,
  templates: ReadonlyArray<JourneyTemplate>
): JourneyTemplate | undefined {
  const members = membersIn(pack, version, templates)
  return members.length === 0 ? undefined : composed(outlineOf(pack), members)
}

const membersIn = (
  { onlyIn, templateIds }: JourneyPack,
  version: OcpiVersion,
  templates: ReadonlyArray<JourneyTemplate>
): ReadonlyArray<JourneyTemplate> =>
  onlyIn !== undefined && !onlyIn.includes(version)
    ? []
    : templateIds.flatMap((id) =>
        templates.filter((one) => one.id === id && one.supportedVersions.includes(version))
      )

/** The versions that some template of the pack supports. */
export const versionsOf = (
  pack: JourneyPack,
  templates: ReadonlyArray<JourneyTemplate>
): ReadonlyArray<OcpiVersion> =>
  versionNumbers.filter((version) => membersIn(pack, version, templates).length > 0)

const outlineOf = ({ description, id, name, outcome }: JourneyPack): PackOutline => ({
  id,
  name,
  description,
  outcome
})
