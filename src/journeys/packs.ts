/** Packs: templates that are played in one run, in order. */
import type { Role } from "../../schema/Connection.ts"
import type { OcpiVersion } from "../../schema/ocpi/OcpiVersion.ts"
import { versionNumbers } from "../../schema/ocpi/versions.ts"
import type { JourneyTemplate } from "./JourneyTemplate.ts"
import { composed, type PackOutline } from "./pack.ts"

/** A pack as it is declared; in a version it has those of its templates that exist there. */
export interface JourneyPack extends PackOutline {
  /** In the order in which they are played; all with the same role of ours. */
  readonly templateIds: ReadonlyArray<string>
  /** Only in these versions, although its templates exist in more. */
  readonly onlyIn?: ReadonlyArray<OcpiVersion>
}

const declared: ReadonlyArray<JourneyPack> = [
  {
    id: "go-live-cpo",
    name: "Go-live of a CPO",
    description:
      "What a CPO must be able to do before drivers of ours charge there: be read, start, charge, stop and bill.",
    outcome: "The CPO's data could be read, and a driver was served from START_SESSION to the CDR.",
    templateIds: ["first-reads", "remote-start"]
  }
]

/** Smoke packs: in one version, the templates that change nothing at the partner. */
const smoke = (templates: ReadonlyArray<JourneyTemplate>): ReadonlyArray<JourneyPack> =>
  versionNumbers.flatMap((version) =>
    (["CPO", "EMSP"] satisfies ReadonlyArray<Role>).flatMap((theirRole) => {
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
  ...declared,
  ...smoke(templates)
]

/** What a pack plays in a version: undefined where nothing of it exists. */
export function packIn(
  pack: JourneyPack,
  version: OcpiVersion,
  templates: ReadonlyArray<JourneyTemplate>
): JourneyTemplate | undefined {
  if (pack.onlyIn !== undefined && !pack.onlyIn.includes(version)) return undefined
  const members = pack.templateIds.flatMap((id) =>
    templates.filter((one) => one.id === id && one.supportedVersions.includes(version))
  )
  return members.length === 0 ? undefined : composed(pack, members)
}

/** Versions in which there is something to play. */
export const versionsOf = (
  pack: JourneyPack,
  templates: ReadonlyArray<JourneyTemplate>
): ReadonlyArray<OcpiVersion> =>
  versionNumbers.filter((version) => packIn(pack, version, templates) !== undefined)
