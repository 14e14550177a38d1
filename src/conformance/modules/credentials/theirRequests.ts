/** What a partner sends to us when it begins a registration: which calls they are, and in which version. */

import { versionNumbers } from "../../../../schema/ocpi/versions.ts"
import { isObject } from "../../../findings/json.ts"
import { parseJson } from "../../../findings/readJson.ts"
import type { Evidence, Observation } from "../../model/Evidence.ts"

/** What the partner has sent to us about the registration, oldest first. */
export const theirs = (evidence: Evidence) => evidence.seen("registration.theirs")

/** Does it ask to be registered, or to be registered anew? */
export const isAsked = ({ exchange }: Observation) =>
  exchange.module === "credentials" && ["POST", "PUT"].includes(exchange.request.method)
/** Does it ask to be registered? */
export const isPost = (seen: Observation) => isAsked(seen) && seen.exchange.request.method === "POST"
/** When it came, in milliseconds since 1970. */
export const startOf = ({ exchange }: Observation) => Date.parse(exchange.startedAt)
/** When we had answered it, in milliseconds since 1970. */
export const endOf = (seen: Observation) => startOf(seen) + seen.exchange.durationMs
/** The version in the path of a call to our credentials. */
export const versionOf = ({ exchange }: Observation): string | undefined =>
  new URL(exchange.request.url).pathname.split("/").find((part) => versionNumbers.some((one) => one === part))

/** Did we hand over a token in the answer? */
const isAnswered = ({ exchange: { response } }: Observation) => {
  const answer = parseJson(response?.body ?? "")
  return isObject(answer) && isObject(answer["data"]) && typeof answer["data"]["token"] === "string"
}

/** The POSTs of the last registration: the last one, and those that we refused before it. */
export const postsOfLast = (evidence: Evidence): ReadonlyArray<Observation> => {
  const asked = theirs(evidence).filter(isAsked)
  const last = asked.findLastIndex(isPost)
  return asked.slice(asked.slice(0, Math.max(0, last)).findLastIndex(isAnswered) + 1, last + 1).filter(isPost)
}

/** What the answer to a list of versions names. */
export const versionsIn = (body: unknown): ReadonlyArray<string> => {
  const data = isObject(body) ? body["data"] : undefined
  return Array.isArray(data)
    ? data.filter(isObject).flatMap(({ version }) => (typeof version === "string" ? [version] : []))
    : []
}

/** The highest version that we had listed to the partner and that it lists itself, as far as that is known. */
export const highestMutual = (post: Observation, evidence: Evidence) => {
  const shownList = theirs(evidence).findLast(
    (seen) => seen.exchange.operation === "list" && startOf(seen) <= startOf(post)
  )
  const ours = versionsIn(parseJson(shownList?.exchange.response?.body ?? ""))
  const own = evidence
    .seen("registration.looked-back")
    .filter(({ exchange }) => exchange.operation === "list")
    .flatMap(({ json }) => versionsIn(json))
  const mutual = versionNumbers.filter((one) => ours.includes(one) && (own.length === 0 || own.includes(one)))
  return { mutual, highest: mutual.at(-1) }
}
