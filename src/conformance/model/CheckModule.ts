/** What one module of OCPI brings to the catalogue. */
import type { Role } from "../../../schema/ocpi/Role.ts"
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import type { Check } from "./Check.ts"
import type { Probe } from "./Probe.ts"

/** The checks of one module, and the probes that they need. */
export interface CheckModule {
  readonly checks: ReadonlyArray<Check>
  /** The probes that are made of a partner of that version and role. */
  readonly probes: (profile: VersionProfile, role: Role) => ReadonlyArray<Probe>
}
