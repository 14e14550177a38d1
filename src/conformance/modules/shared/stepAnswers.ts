/** Waiting for what the partner sends to us, and reading a step of a script. */

import { isObject } from "../../../findings/json.ts"
import { parseJson } from "../../../findings/readJson.ts"
import type { Answered, Evidence, Observation } from "../../model/Evidence.ts"
import type { Awaiting } from "../../model/Probe.ts"

/** The answer to a step (`probe#step`); undefined when it was left out, withheld or not answered. */
export const stepOf = (evidence: Evidence, step: string): Answered | undefined =>
  evidence.answeredInAnyVersion(step)[0]

/** The response_url that was sent with that step, in its body or its query. */
export const responseUrlOf = (evidence: Evidence, step: string): string | undefined => {
  const request = stepOf(evidence, step)?.exchange.request
  const json = parseJson(request?.body ?? "")
  const url = isObject(json) ? json["response_url"] : undefined
  if (typeof url === "string") return url
  return new URL(request?.url ?? "about:blank").searchParams.get("response_url") ?? undefined
}

/** Did the call come to the response_url of that step? */
export const isResultOf = ({ exchange }: Observation, evidence: Evidence, step: string): boolean => {
  // Asked of each call of the partner, for each step that waits.
  const path = evidence.once(`path of the response_url of ${step}`, () => {
    const url = responseUrlOf(evidence, step)
    return url === undefined ? undefined : pathOf(url)
  })
  return path !== undefined && pathOf(exchange.request.url) === path
}

/** Did the call come to another URL that has the last part of the response_url of that step, which no other has? */
const isBesideUrlOf = ({ exchange }: Observation, evidence: Evidence, step: string): boolean => {
  const url = responseUrlOf(evidence, step)
  const mark = url === undefined ? undefined : pathOf(url).split("/").at(-1)
  return mark !== undefined && mark !== "" && exchange.request.url.toLowerCase().includes(mark)
}

/** A slash at its end leads to the same place; CMD-006 looks at the URL letter by letter. */
const pathOf = (url: string) =>
  URL.canParse(url) ? new URL(url).pathname.toLowerCase().replace(/\/$/, "") : url

/** Waits for the asynchronous result of the command that a step with `resultOf` has sent. */
export const resultAt = (step: string, seconds: number): Awaiting => ({
  seconds,
  instruction: "The partner must POST the result of the command to our response_url",
  provoke: "no result came to our response_url in time, with or without our token: can the partner reach it?",
  matches: (seen, evidence) => isResultOf(seen, evidence, step),
  attempts: (seen, evidence) => isBesideUrlOf(seen, evidence, step),
  nearMiss: ({ exchange }: Observation) =>
    exchange.module === "commands" || exchange.module === "chargingprofiles"
      ? `a ${exchange.request.method} came to ${pathOf(exchange.request.url)}`
      : undefined
})
