/** A fault: one named deviation of a sandbox partner from the honest party, and the checks that must detect it. */
import type { Strength } from "../../../schema/Assertion.ts"
import type { TokenEncoding } from "../../../schema/Connection.ts"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import type { Role } from "../../../schema/ocpi/Role.ts"
import { versionsWhere } from "../../../schema/ocpi/versions.ts"
import type { Behaviour } from "../../party/wire/PartnerQuirks.ts"

/** One deviation that can be switched on for a sandbox partner. */
export interface Fault {
  /** `module.deviation`; never renamed once released. */
  readonly id: string
  readonly module: string
  readonly versions: ReadonlyArray<OcpiVersion>
  /** Roles of the partner to which the fault applies. */
  readonly roles: ReadonlyArray<Role>
  /** Strength of the rule that the fault breaks. */
  readonly strength: Strength
  /** What the partner does, in a sentence. */
  readonly description: string
  /** Ids of the checks that must detect the fault; the fault matrix proves it. */
  readonly caughtBy: ReadonlyArray<string>
  readonly behaviour: Partial<Behaviour>
  /** The form in which the partner sends its token, if the fault changes that. */
  readonly outboundToken?: TokenEncoding
}

/** `roles` of a fault that applies to a CPO and to an EMSP. */
export const bothRoles: ReadonlyArray<Role> = ["CPO", "EMSP"]
/** `roles` of a fault that applies to a CPO only. */
export const cpo: ReadonlyArray<Role> = ["CPO"]
/** `roles` of a fault that applies to an EMSP only. */
export const emsp: ReadonlyArray<Role> = ["EMSP"]

/** Every version that plugfest speaks. */
export const allVersions = versionsWhere(() => true)
/** Versions with roles, message ids and routing. */
export const withRoles = versionsWhere(({ endpointRoles }) => endpointRoles)
/** Versions in which the Authorization header carries the token as it is. */
export const rawVersions = versionsWhere(({ authorization }) => authorization === "raw")
/** Versions in which the Authorization header carries the token Base64 encoded. */
export const encodedVersions = versionsWhere(({ authorization }) => authorization === "base64")
/** Versions with open enumerations: an unknown value of most of them is an extension. */
export const openVersions = versionsWhere(({ openEnums }) => openEnums)
/** Versions whose enumerations are closed: an unknown value is a violation. */
export const closedVersions = versionsWhere(({ openEnums }) => !openEnums)
