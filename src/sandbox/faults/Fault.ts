/** A fault: one named way in which a sandbox partner departs from the honest party, and the checks that must see it. */
import type { Strength } from "../../../schema/Assertion.ts"
import type { TokenEncoding } from "../../../schema/Connection.ts"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import type { Role } from "../../../schema/ocpi/Role.ts"
import { versionsWhere } from "../../../schema/ocpi/versions.ts"
import type { Behaviour } from "../../party/wire/PartnerQuirks.ts"

export interface Fault {
  /** `module.deviation`; never renamed once released. */
  readonly id: string
  readonly module: string
  readonly versions: ReadonlyArray<OcpiVersion>
  /** Roles of the partner that can have it. */
  readonly roles: ReadonlyArray<Role>
  /** Of the rule that it breaks. */
  readonly strength: Strength
  /** What the partner does, in a sentence. */
  readonly description: string
  /** Check ids. */
  readonly caughtBy: ReadonlyArray<string>
  readonly behaviour: Partial<Behaviour>
  /** The form in which the partner sends its token, when that is the fault. */
  readonly outboundToken?: TokenEncoding
}

export const bothRoles: ReadonlyArray<Role> = ["CPO", "EMSP"]
export const cpo: ReadonlyArray<Role> = ["CPO"]
export const emsp: ReadonlyArray<Role> = ["EMSP"]

export const allVersions = versionsWhere(() => true)
/** Versions with roles, message ids and routing. */
export const withRoles = versionsWhere(({ endpointRoles }) => endpointRoles)
/** Versions in which the token travels as it is. */
export const rawVersions = versionsWhere(({ authorization }) => authorization === "raw")
/** Versions in which the token travels Base64 encoded. */
export const encodedVersions = versionsWhere(({ authorization }) => authorization === "base64")
/** Versions in which an unknown word is an extension of most enumerations, and where it is a violation. */
export const openVersions = versionsWhere(({ openEnums }) => openEnums)
export const closedVersions = versionsWhere(({ openEnums }) => !openEnums)
