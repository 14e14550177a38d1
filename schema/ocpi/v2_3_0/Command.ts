/** OCPI 2.3.0, document `mod_commands`: the two commands that carry a Token. */
import { Schema } from "effect"
import { connectorRule, reserveNowFields, startSessionFields } from "../v2_2_1/Command.ts"
import { Token } from "./Token.ts"

/** StartSession object (mod_commands): its Token has an open type. */
export const StartSession = Schema.Struct({ ...startSessionFields, token: Token })
  .pipe(Schema.filter(connectorRule))
  .annotations({ identifier: "StartSession" })

/** ReserveNow object (mod_commands): its Token has an open type. */
export const ReserveNow = Schema.Struct({ ...reserveNowFields, token: Token }).annotations({
  identifier: "ReserveNow"
})
