/** The probes of a version and role. */
import type { Role } from "../../../schema/ocpi/Role.ts"
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import type { Probe } from "../model/Probe.ts"
import { listProbes } from "../modules/shared/listProbes.ts"
import { listsOf } from "../modules/shared/lists.ts"
import { modules } from "./modules.ts"

/** The probes that can run against a partner of this version and role, by id. */
export const probesOf = (profile: VersionProfile, role: Role): ReadonlyMap<string, Probe> =>
  new Map(
    [
      ...listsOf(profile, role).flatMap(listProbes),
      ...modules.flatMap((module) => module.probes(profile, role))
    ].map((probe) => [probe.id, probe] as const)
  )
