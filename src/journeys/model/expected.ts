/** Requests that the partner, or an operator, is expected to make, with the run's values: a person can send them. */
import type { RunId } from "../../../schema/Ids.ts"
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import type { ExpectedRequest } from "../../../schema/WaitingFor.ts"
import { routingHeaders } from "../../ocpi/routing.ts"
import { joinUrl, withoutEndSlashes } from "../../ocpi/urls.ts"
import { moduleUrl, partyRootUrl } from "../../party/wire/roots.ts"
import { counterpartOf, isFunctional } from "../../party/wire/routing.ts"
import { curlLine } from "../../reports/curl.ts"
import type { Party } from "../../store/parties/Party.ts"
import type { ExpectedCall } from "./Act.ts"

/** The placeholder of the secret, as in redacted texts; the curl line has a variable in its place. */
const secret = "«TOKEN»"

/** The request that the partner is to send us. `publicUrl`: where we are reached from outside. */
export const expectedOf = (
  publicUrl: string,
  party: Party,
  profile: VersionProfile,
  { body, method, module, path, query, url }: ExpectedCall
): ExpectedRequest => {
  const endpoint = moduleUrl(partyRootUrl(publicUrl, party), party.version, module)
  const them = counterpartOf(party)
  const routing =
    profile.routingHeaders && isFunctional(module) && them !== undefined
      ? routingHeaders(them, party.identity)
      : {}
  const token = profile.authorization === "base64" ? `base64(${secret})` : secret
  return requestOf({
    method,
    url: url ?? joinUrl(endpoint, path, query),
    headers: { Authorization: `Token ${token}`, ...routing },
    body
  })
}

/** The request that answers a checkpoint of that run; the secret is the API key. */
export const expectedAnswer = (publicUrl: string, runId: RunId, answer: string): ExpectedRequest =>
  requestOf({
    method: "POST",
    url: `${withoutEndSlashes(publicUrl)}/api/v1/testing/journey-runs/${runId}/checkpoint`,
    headers: { Authorization: `Bearer ${secret}` },
    body: { answer }
  })

function requestOf({
  body,
  ...request
}: Pick<ExpectedRequest, "method" | "url" | "headers"> & { readonly body: unknown }): ExpectedRequest {
  const text = body === undefined ? null : JSON.stringify(body)
  return { ...request, body: body ?? null, curl: curlLine({ request: { ...request, body: text } }) }
}
