/** The tokens that an EMSP pushes to us (mod_tokens, Receiver Interface on our side). */

import { dateTimeMillis } from "../../../../schema/ocpi/DateTime.ts"
import { versionNumbers } from "../../../../schema/ocpi/versions.ts"
import { belowEndpoint } from "../../../findings/calledPath.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { at, finding } from "../../../findings/finding.ts"
import { objectIn, sameId } from "../../../findings/json.ts"
import { violations } from "../../../findings/violations/violations.ts"
import { shown } from "../../../findings/words.ts"
import { type Check, inconclusive } from "../../model/Check.ts"
import { clockSkewMillis } from "../../model/clocks.ts"
import type { Evidence, Observation } from "../../model/Evidence.ts"
import { observed } from "../../model/observed.ts"
import { onAllCalls } from "../shared/allCalls.ts"
import { readingOf } from "../shared/objects/ListedKind.ts"
import { wholeList } from "../shared/objects/listedObjects.ts"
import { noObject } from "../shared/pushedObjects.ts"
import { listedLater } from "../shared/readings/laterReads.ts"

const base = {
  module: "tokens",
  versions: versionNumbers,
  roles: ["EMSP"],
  mode: "OBS",
  strength: "must",
  reference: "mod_tokens, Receiver Interface",
  sends: "no request: the check looks at the tokens that the partner pushes to us"
} as const

const methods = ["PUT", "PATCH", "DELETE"]
const isPush = ({ exchange }: Observation) =>
  exchange.module === "tokens" && methods.includes(exchange.request.method)

/** Pushes that say whether a token is valid, or that it is gone, oldest first. */
const saidOfValid = (evidence: Evidence): ReadonlyArray<Observation> =>
  evidence
    .seen("inbound")
    .filter(
      (seen) => isPush(seen) && (seen.exchange.request.method === "DELETE" || "valid" in objectIn(seen.json))
    )

const startOf = ({ exchange }: Observation): number => Date.parse(exchange.startedAt)

/** Of `…/{country}/{party}/{uid}`. */
const idsOf = ({ exchange }: Observation) => {
  const [country_code, party_id, uid] = belowEndpoint(exchange)
  return { country_code, party_id, uid }
}

/** The checks of tokens that an EMSP pushes. */
export const sentTokensChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "TOK-028",
    title: "Token: each PUT and PATCH has a valid body with the ids of its path",
    passes: "PUT of a whole Token or PATCH of a part, with the ids of its path; no DELETE",
    hint: "Send the ids of the path in the body, and set valid to false instead of deleting a token.",
    needs: () => ["inbound"],
    judge: observed({
      source: "inbound",
      provoke: "the partner has pushed no token: change one at the EMSP",
      matches: isPush,
      findings: (calls, { profile }) =>
        calls.flatMap((seen): ReadonlyArray<Finding> => {
          const { method } = seen.exchange.request
          const base = { exchangeId: seen.exchange.id }
          if (method === "DELETE")
            return [{ ...base, message: "a token was deleted", expected: "PATCH of valid", actual: "DELETE" }]
          const unreadable = noObject(seen)
          if (unreadable.length > 0) return unreadable
          const schema = profile.objects.Token
          const flaws = schema === undefined || method !== "PUT" ? [] : violations(schema, seen.json)
          const body = objectIn(seen.json)
          const others = Object.entries(idsOf(seen)).filter(
            ([name, value]) => name in body && !sameId(body[name], value)
          )
          return [
            ...flaws.map((flaw) => ({ ...flaw, ...base })),
            ...others.map(([name, value]) =>
              at(seen, `/${name}`, `${name} is not the one of the path`, {
                expected: shown(value),
                actual: body[name]
              })
            )
          ]
        })
    })
  },
  {
    ...base,
    id: "TOK-029",
    title: "Token: an invalidated token stays in the list with valid false",
    strength: "should",
    reference: "mod_tokens, Token Object",
    passes: "a token that was pushed with valid false is in the list with valid false",
    hint: "Set valid to false and keep the token: a CPO that pulls must see it.",
    // As late in the run as possible: what is pushed meanwhile is to be seen in the list.
    phase: "watch",
    needs: () => ["inbound", ...readingOf("tokens"), "tokens.after"],
    judge: onAllCalls("inbound", ["tokens"], (evidence) => {
      const late = listedLater(evidence, "tokens", "after")
      const list = late ?? wholeList(evidence, "tokens")
      if (list === undefined) return inconclusive("not_tested", "the list of tokens was not read to its end")
      const probes = late === undefined ? readingOf("tokens") : ["tokens.after"]
      const readAt = Math.min(...probes.flatMap((probe) => evidence.answered(probe).map(startOf)))
      const said = saidOfValid(evidence)
      return observed({
        source: "inbound",
        provoke:
          "the partner has pushed no token as invalid that it listed afterwards: invalidate one at the EMSP, then run again",
        matches: (seen) => {
          const isOfToken = (other: Observation) => sameId(idsOf(other).uid, idsOf(seen).uid)
          const told = dateTimeMillis(objectIn(seen.json)["last_updated"]) ?? Number.POSITIVE_INFINITY
          const wasListedLater = startOf(seen) <= readAt || told + clockSkewMillis <= readAt
          return (
            isPush(seen) &&
            objectIn(seen.json)["valid"] === false &&
            wasListedLater &&
            said.findLast(isOfToken) === seen
          )
        },
        findings: (calls) =>
          calls
            .filter((seen) => {
              const { uid } = idsOf(seen)
              return !list.some(({ json }) => sameId(json["uid"], uid) && json["valid"] === false)
            })
            .map((seen) =>
              finding(seen, "a token that was pushed as invalid is not listed as invalid", {
                expected: "in the list with valid false",
                actual: shown(idsOf(seen).uid)
              })
            )
      })(evidence)
    })
  }
]
