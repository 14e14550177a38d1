/** What is wrong with the Credentials object, and with the token in it, that a partner sends when it begins a registration. */

import { authorizationOf } from "../../../findings/answers.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { at } from "../../../findings/finding.ts"
import { isObject, keyText } from "../../../findings/json.ts"
import { parseJson } from "../../../findings/readJson.ts"
import { violations } from "../../../findings/violations/violations.ts"
import { shown } from "../../../findings/words.ts"
import type { Evidence, Observation } from "../../model/Evidence.ts"

/** What is wrong with the Credentials object of that request. */
export function credentialsFlaws(asked: Observation, evidence: Evidence): ReadonlyArray<Finding> {
  const body = parseJson(asked.exchange.request.body ?? "")
  const schema = evidence.profile.objects.Credentials
  if (!isObject(body) || schema === undefined)
    return [at(asked, "", "the body is no object", { expected: "a Credentials object", actual: body })]
  // The placeholder of the token is judged below.
  const flaws = violations(schema, body)
    .filter(({ pointer }) => pointer !== "/token" || typeof body["token"] !== "string")
    .map((flaw) =>
      at(asked, flaw.pointer ?? "", flaw.message, {
        expected: flaw.expected ?? "a Credentials object",
        actual: flaw.actual
      })
    )
  return [...flaws, ...tokenFlaws(asked, body["token"], evidence)]
}

/** What can be said of the token without showing it; its length is known while it is in use. */
function tokenFlaws(
  asked: Observation,
  token: unknown,
  { party, profile, tokens }: Evidence
): ReadonlyArray<Finding> {
  if (typeof token !== "string") return []
  const expected = "1 to 64 printable characters"
  const wrong = (message: string, actual: string) => [
    { ...at(asked, "/token", message, { expected, actual: undefined }), actual }
  ]
  if (authorizationOf(asked).includes(token))
    return wrong("the token of the body is the one that the request was authorized with", token)
  const said = parseJson(asked.exchange.response?.body ?? "")
  const refusal = isObject(said) ? keyText(said["status_message"]) : ""
  // Refused credentials are not kept; our own answer has said what was wrong with them.
  if (refusal.includes("/token:")) return wrong("the token does not have a valid form", shown(refusal))
  const facts = tokens.find(({ placeholder, slot }) => slot === "outbound" && placeholder === token)
  const isSentRaw = party.dialect.tokenEncoding.outbound === "raw"
  // Base64 text may be the token itself; sent as it is, it is taken by a partner that has encoded another one.
  if (facts?.encoded === true && profile.authorization === "base64" && isSentRaw)
    return wrong(
      "the token is Base64 encoded: the partner takes it in the header as it stands in the body, not encoded once more",
      "Base64 of printable text"
    ).map((one) => (profile.authorizationDisputed ? { ...one, strength: "should" as const } : one))
  return facts === undefined || (facts.length <= 64 && facts.printable)
    ? []
    : wrong("the token does not have a valid form", `${facts.length} characters`)
}
