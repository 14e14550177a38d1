/** Sets the credentials of a request, and their form. */
import { Effect, Redacted } from "effect"
import type { OcpiCall } from "../../../ocpi/OcpiClient.ts"
import { issueToken, type TokenForm, written } from "../../../ocpi/tokens.ts"
import type { CredentialsUse } from "../../model/Probe.ts"
import { inOtherCase } from "../../modules/shared/otherCase.ts"

/**
 * Changes nothing but the Authorization header. `form`: that of the party's tokens in the version of the request, also where it
 * has none any more. `former`: our token before it was replaced or ended.
 */
export const withCredentials = Effect.fnUntraced(function* (
  call: OcpiCall,
  credentials: CredentialsUse,
  form: TokenForm,
  former?: Redacted.Redacted<string>
): Effect.fn.Return<OcpiCall> {
  const { authorization, ...rest } = call
  const wrong = wrongToken(credentials, form)
  const bare: OcpiCall =
    wrong === undefined ? rest : { ...rest, wrongOnPurpose: { ...rest.wrongOnPurpose, token: wrong } }
  switch (credentials.use) {
    case "none":
      return bare
    case "random": {
      const token = yield* issueToken
      return { ...bare, authorization: { token, form: form } }
    }
    case "former":
      return former === undefined
        ? bare
        : {
            ...bare,
            authorization: { token: former, form },
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
    case "longer":
    case "shorter":
    case "other case":
      return authorization === undefined
        ? bare
        : {
            ...bare,
            authorization: { ...authorization, token: changed(authorization.token, altered[credentials.use]) }
          }
    case "Bearer":
      return authorization === undefined || authorization.form === "literal"
        ? bare
        : {
            ...bare,
            authorization: {
              token: changed(authorization.token, asBearer(authorization.form)),
              form: "literal"
            }
          }
    case "live": {
      if (!("headerName" in credentials) || authorization === undefined) return call
      return { ...bare, authorization: { ...authorization, header: credentials.headerName } }
    }
  }
})

const changed = (token: Redacted.Redacted<string>, change: (token: string) => string) =>
  Redacted.make(change(Redacted.value(token)))

/** Tokens that are nearly the live one. */
const altered = {
  longer: (token: string) => `${token}0`,
  shorter: (token: string) => token.slice(0, -1),
  "other case": inOtherCase
} as const

const asBearer = (form: TokenForm) => (token: string) => `Bearer ${written(token, form)}`

/** What is wrong with the token on purpose; undefined when nothing is. */
function wrongToken(credentials: CredentialsUse, form: TokenForm): string | undefined {
  switch (credentials.use) {
    case "none":
      return "no token"
    case "random":
      return "an unknown token"
    case "former":
      return "a token that is over"
    case "longer":
    case "shorter":
    case "other case":
      return "a token that is nearly the current one"
    case "literal":
    case "Bearer":
      return "a header that is malformed"
    case "raw":
    case "base64":
      return credentials.use === form ? undefined : "the form of the token that the version does not have"
    case "live":
      return undefined
  }
}
