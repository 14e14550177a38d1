/** Same wire as the version before; its objects differ in fields and values, so they are its own. */
import type { VersionProfile } from "../VersionProfile.ts"
import { v2_2 } from "../v2_2/profile.ts"

export const v2_2_1: VersionProfile = {
  ...v2_2,
  version: "2.2.1",
  rank: 3,
  objects: {}
}
