/** The token in an answer to authorize, beside the one that is listed. */

import { minuteMillis } from "../../../../schema/fields/durations.ts"
import { unknownFields } from "../../../../schema/ocpi/unknownFields.ts"
import { dataOf, succeeded } from "../../../findings/answers.ts"
import type { Flaw } from "../../../findings/Flaw.ts"
import { at, given } from "../../../findings/finding.ts"
import { isObject, type JsonObject, objectIn, sameId } from "../../../findings/json.ts"
import { isEmpty } from "../../../findings/objectDifferences.ts"
import { violations } from "../../../findings/violations/violations.ts"
import { inWords } from "../../../findings/words.ts"
import { blocked, type Check, inconclusive, noneOf } from "../../model/Check.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { emspPartiesOf } from "../shared/emspParties.ts"
import { isHub } from "../shared/hubs.ts"
import { stampOf } from "../shared/objects/Placed.ts"
import { otherFields } from "../shared/readings/contents.ts"
import { quietMinutes } from "../shared/readings/rereading.ts"
import { askedToken } from "./authorizeProbes.ts"
import { informationBase, needs, withAuthorizationDetails } from "./verdicts.ts"

/** Judges that token (mod_tokens, AuthorizationInfo object). */
export const answeredToken: Check = {
  ...informationBase,
  id: "TOK-013",
  consequenceOf: ["TOK-007", "TOK-009"],
  versions: withAuthorizationDetails,
  title: "authorize: token in the answer is the token of the request",
  passes:
    "token is given, complete, and has the uid, type and contract of the listed token; with the same last_updated, all of its values; a field that the list leaves out is a warning",
  hint: "Put the whole Token object into the answer.",
  needs: needs("authorize"),
  judge: (evidence) => {
    const answers = evidence.answered("tokens.authorize").filter(succeeded)
    if (answers.length === 0) return inconclusive("not_tested", "the token was not judged")
    const schema = evidence.profile.objects.Token
    const asked = askedToken(evidence)
    const listed = asked?.json ?? {}
    const flawsOf = (json: JsonObject): ReadonlyArray<Flaw> =>
      schema === undefined ? [] : violations(schema, json, ["data", "token"])
    const inList = asked === undefined ? [] : flawsOf(listed)
    // What is wrong with the token in the list, too, is a finding of TOK-002.
    const isInList = ({ message, pointer }: Flaw) =>
      inList.some((flaw) => flaw.message === message && flaw.pointer === pointer)
    const findings = answers.flatMap((seen) => {
      const { token } = objectIn(dataOf(seen))
      if (!isObject(token))
        return [at(seen, "/data/token", "the answer has no token", { expected: "a Token", actual: token })]
      const flaws = flawsOf(token).filter((flaw) => !isInList(flaw))
      const names = ["uid", "type", evidence.profile.contract]
      const isListed = (field: string) => !isEmpty(listed[field])
      const fields = isUnchanged(listed, token, evidence) ? differing(listed, token, evidence) : []
      const other =
        names.find((field) => isListed(field) && !isSameText(token[field], listed[field])) ??
        fields.find(isListed)
      const added = fields.find((field) => !isListed(field))
      return [
        ...flaws.map((flaw) => ({ ...flaw, exchangeId: seen.exchange.id })),
        ...given(other, (other) =>
          at(
            seen,
            `/data/token/${other}`,
            names.includes(other)
              ? "the token is not the one that is listed"
              : `the token has another ${other} than it is listed with, and the same last_updated`,
            { expected: inWords(listed[other]), actual: token[other] }
          )
        ),
        ...given(added, (added) =>
          at(
            seen,
            `/data/token/${added}`,
            `the token has ${added}, which the list leaves out, and the same last_updated`,
            { expected: `no ${added}`, actual: token[added], strength: "should" as const }
          )
        )
      ]
    })
    const flaw = answers.flatMap((seen) => flawsOf(objectIn(objectIn(dataOf(seen))["token"]))).find(isInList)
    return asked !== undefined && flaw !== undefined && findings.length === 0
      ? blocked({
          check: "TOK-002",
          exchangeId: asked.seen.exchange.id,
          what: `the listed token has to be valid, and ${flaw.message.replace(/^data\.token\./, "")}`
        })
      : noneOf(findings)
  }
}

/** Texts of identifiers are compared without regard to case. */
const isSameText = (one: unknown, other: unknown): boolean => one === other || sameId(one, other)

/** Both have the same last_updated, of so long before the run that the object cannot have changed within that moment. */
function isUnchanged(listed: JsonObject, token: JsonObject, { startedAt }: Evidence): boolean {
  const [before, now] = [stampOf(listed), stampOf(token)]
  return (
    before !== undefined && before === now && before < Date.parse(startedAt) - quietMinutes * minuteMillis
  )
}

/** Fields that the token of the answer has otherwise than the listed one, or which only one of the two has. */
function differing(listed: JsonObject, token: JsonObject, evidence: Evidence): ReadonlyArray<string> {
  const schema = evidence.profile.objects.Token
  const known = (json: JsonObject) => [json, schema === undefined ? [] : unknownFields(schema, json)] as const
  // What is wrong in the list, or missing there, is a finding of the checks of the list.
  const wrong =
    schema === undefined ? [] : violations(schema, listed).map(({ pointer }) => pointer?.split("/")[1])
  const told = new Set([...wrong, ...(isForeign(listed, evidence) ? ["country_code", "party_id"] : [])])
  return otherFields(known(listed), known(token)).filter((field) => !told.has(field))
}

/** Is the listed token of another party than the EMSPs that the credentials name? That is the finding of TOK-008. */
function isForeign({ country_code, party_id }: JsonObject, evidence: Evidence): boolean {
  const parties = emspPartiesOf(evidence)
  return (
    parties.length > 0 &&
    !isHub(evidence) &&
    !parties.some(
      ({ countryCode, partyId }) => sameId(countryCode, country_code) && sameId(partyId, party_id)
    )
  )
}
