/** Sets the credentials of a request, and their form. */
import { Effect, Redacted } from "effect"
import type { OcpiCall } from "../../ocpi/OcpiClient.ts"
import { issueToken } from "../../ocpi/tokens.ts"
import type { CredentialsUse } from "../model/Probe.ts"

/** Changes nothing but the Authorization header. `former`: our token before it was replaced or ended. */
export const withCredentials = (
  call: OcpiCall,
  credentials: CredentialsUse,
  former?: Redacted.Redacted<string>
): Effect.Effect<OcpiCall> =>
  Effect.gen(function* () {
    const { authorization, ...bare } = call
    switch (credentials.use) {
      case "none":
        return bare
      case "random":
        return {
          ...bare,
          authorization: { token: yield* issueToken, form: authorization?.form ?? "raw" }
        }
      case "former":
        return former === undefined
          ? bare
          : {
              ...bare,
              authorization: { token: former, form: authorization?.form ?? "raw" },
              secrets: [...call.secrets, { name: "formerToken", value: former }]
            }
      case "literal": {
        const random = Redacted.value(yield* issueToken)
        const value = credentials.value.replace("$RANDOM", random)
        return { ...bare, authorization: { token: Redacted.make(value), form: "literal" as const } }
      }
      case "raw":
      case "base64":
        return authorization === undefined
          ? bare
          : { ...bare, authorization: { token: authorization.token, form: credentials.use } }
      case "live": {
        if (!("headerName" in credentials) || authorization === undefined) return call
        return { ...bare, authorization: { ...authorization, header: credentials.headerName } }
      }
    }
  })
