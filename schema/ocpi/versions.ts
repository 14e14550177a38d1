/**
 * The table of OCPI versions and its queries. To add a version, add the folder of its objects, its file in `profiles/`, and one
 * row here.
 */
import type { OcpiVersion } from "./OcpiVersion.ts"
import { v2_1_1 } from "./profiles/v2_1_1.ts"
import { v2_2 } from "./profiles/v2_2.ts"
import { v2_2_1 } from "./profiles/v2_2_1.ts"
import { v2_3_0 } from "./profiles/v2_3_0.ts"
import type { VersionProfile } from "./VersionProfile.ts"

/** The profile of each version, by version number. */
export const versions: Readonly<Record<OcpiVersion, VersionProfile>> = {
  "2.1.1": v2_1_1,
  "2.2": v2_2,
  "2.2.1": v2_2_1,
  "2.3.0": v2_3_0
}

const oldestFirst = Object.values(versions).toSorted((a, b) => a.rank - b.rank)

/** The version that most partners speak: what is shown to whoever asked for none. */
export const commonVersion: OcpiVersion = "2.2.1"

/** Every version, oldest first. */
export const versionNumbers: ReadonlyArray<OcpiVersion> = oldestFirst.map(({ version }) => version)

/** The profile of a version; defined for every `OcpiVersion`. */
export const profileOf = (version: OcpiVersion): VersionProfile => versions[version]

/** The versions whose profile satisfies the predicate, oldest first: `versionsWhere((profile) => profile.routingHeaders)`. */
export const versionsWhere = (is: (profile: VersionProfile) => boolean): ReadonlyArray<OcpiVersion> =>
  oldestFirst.filter(is).map(({ version }) => version)

/** That version and the later ones, oldest first. */
export const since = (version: OcpiVersion): ReadonlyArray<OcpiVersion> =>
  versionsWhere(({ rank }) => rank >= versions[version].rank)
