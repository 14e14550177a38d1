/** Packs: templates that are played in one run, in order. */

import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import type { Role } from "../../../schema/ocpi/Role.ts"
import { versionNumbers } from "../../../schema/ocpi/versions.ts"
import type { ScenarioFault } from "../../../schema/Scenario.ts"
import { type JourneyTemplate, type PackTheme, packThemes } from "../model/JourneyTemplate.ts"
import { composed, type PackOutline } from "./pack.ts"

/** A pack as it is declared; in a version it has those of its templates that exist there. */
export interface JourneyPack extends PackOutline {
  /** In the order in which they are played; all with the same role of ours. */
  readonly templateIds: ReadonlyArray<string>
  /** Only in these versions, although its templates exist in more. */
  readonly onlyIn?: ReadonlyArray<OcpiVersion>
  /** Faults that we play meanwhile. */
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
    description: "What must work with this partner before the first driver is served.",
    outcome: "Everything that drivers rely on from the first day works."
  },
  money: {
    name: "Money",
    description: "Tariffs, sessions and CDRs that agree with each other to the last digit.",
    outcome: "What is billed follows from what was charged."
  },
  reservations: {
    name: "Reservations",
    description: "Reserving, using, cancelling and missing a reservation.",
    outcome: "Every reservation ends as it should."
  },
  resilience: {
    name: "Resilience",
    description:
      "The same while we misbehave as networks and servers do: answers come late, pushes come twice, and call-backs end with an error of ours.",
    outcome: "The partner bears what goes wrong on our side, and nothing is lost or done twice.",
    faults: [
      { fault: "duplicate-push" },
      { fault: "late-answer", module: "sessions", seconds: 5 },
      { fault: "server-error", module: "commands" }
    ]
  }
}

/** A pack for each theme and kind of partner that has templates; these are in the order of the catalogue. */
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
              name: `${name} of a ${theirRole}`,
              templateIds
            }
          ]
    })
  )

/** Smoke packs: in one version, the templates that change nothing at the partner. */
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
              name: `Smoke test of a ${theirRole}, OCPI ${version}`,
              description:
                "The journeys that change nothing at the partner and wait for nobody: does it work at all?",
              outcome: "Everything that can be asked of the partner without changing anything is answered.",
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

/** What a pack plays in a version: undefined where nothing of it exists. */
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

/** Versions in which there is something to play. */
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
