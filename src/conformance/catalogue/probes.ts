/** Every probe by its id. */
import type { Role } from "../../../schema/ocpi/Role.ts"
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import type { Probe } from "../model/Probe.ts"
import { listProbes, listsOf } from "../modules/shared/lists.ts"
import { modules } from "./modules.ts"

/** The probes of a version and a role. */
export const probesOf = (profile: VersionProfile, role: Role): ReadonlyMap<string, Probe> =>
  new Map(
    [
      ...listsOf(profile, role).flatMap(listProbes),
      ...modules.flatMap((module) => module.probes(profile, role))
    ].map((probe) => [probe.id, probe] as const)
  )
