/** Document `mod_commands`: the two commands that carry a token. */
import { Schema } from "effect"
import { connectorRule, reserveNowFields, startSessionFields } from "../v2_2_1/Command.ts"
import { Token } from "./Token.ts"

export const StartSession = Schema.Struct({ ...startSessionFields, token: Token })
  .pipe(Schema.filter(connectorRule))
  .annotations({ identifier: "StartSession" })

export const ReserveNow = Schema.Struct({ ...reserveNowFields, token: Token }).annotations({
  identifier: "ReserveNow"
})
