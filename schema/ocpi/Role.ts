/** Which side of OCPI a party is: it runs charge points, or it serves drivers. */
import { Schema } from "effect"

/** `CPO` operates charge points, `EMSP` has contracts with drivers; no other OCPI role is tested or played. */
export const Role = Schema.Literal("CPO", "EMSP").annotations({ identifier: "Role" })
export type Role = typeof Role.Type
