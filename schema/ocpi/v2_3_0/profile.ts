/**
 * Payments arrive. Their interfaces stand between a payment terminal provider and a CPO; we play no such provider, so
 * no role lists them.
 */
import type { VersionProfile } from "../VersionProfile.ts"
import { v2_2_1 } from "../v2_2_1/profile.ts"

export const v2_3_0: VersionProfile = {
  ...v2_2_1,
  version: "2.3.0",
  rank: 4,
  modules: [...v2_2_1.modules, "payments"],
  objects: {}
}
