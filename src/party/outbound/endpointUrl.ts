/** The URL of a call: below one of the counterpart's endpoints, as its dialect requires, or a URL that it gave. */
import { Data, Effect } from "effect"
import { unlistedInterface } from "../../../schema/Assertion.ts"
import { joinUrl } from "../../ocpi/urls.ts"
import type { Party } from "../../store/parties/Party.ts"
import type { CallRequest } from "../wire/CallRequest.ts"
import { isOverridden, objectsEndInSlash } from "../wire/dialect.ts"
import { endpointNamed, endpointOf } from "./endpoints.ts"
import { answerKindOf } from "./expectedAnswer.ts"

/** The counterpart's version details list no such endpoint. */
export class NoEndpoint extends Data.TaggedError("NoEndpoint")<{
  readonly identifier: string
  readonly interfaceRole: "SENDER" | "RECEIVER"
  readonly message: string
}> {}

/** The full URL with its query. URLs that the counterpart gave (endpoint, Link, response_url) keep their path. */
export const callUrl = (party: Party, request: CallRequest): Effect.Effect<string, NoEndpoint> => {
  const query = queryOf(party, request)
  const withQuery = (url: string) => (query === undefined ? url : joinUrl(url, [], query))
  return request.url === undefined
    ? Effect.map(endpointUrl(party, request), withQuery)
    : Effect.succeed(withQuery(request.url))
}

/** The query, with a `limit` no greater than the dialect's pageLimit. */
function queryOf({ dialect }: Party, request: CallRequest): Readonly<Record<string, string>> | undefined {
  const { pageLimit } = dialect
  const { limit, ...others } = request.query ?? {}
  if (pageLimit === undefined || request.fixedLimit === true || answerKindOf(request) !== "list")
    return request.query
  const isTooMuch = limit === undefined ? isOverridden(dialect, "pageLimit") : Number(limit) > pageLimit
  return isTooMuch ? { ...others, limit: String(pageLimit) } : request.query
}

function endpointUrl(party: Party, request: CallRequest): Effect.Effect<string, NoEndpoint> {
  // The versions URL is known before endpoints are.
  if (request.module === "versions") return Effect.succeed(party.counterpart.versionsUrl)
  const endpoint = endpointOf(party, request.module, request.interfaceRole)
  return endpoint === undefined
    ? Effect.fail(
        new NoEndpoint({
          identifier: request.module,
          interfaceRole: request.interfaceRole,
          message: `${unlistedInterface} ${endpointNamed(party.version, request.module, request.interfaceRole)}`
        })
      )
    : Effect.succeed(
        request.path === undefined || request.path.length === 0
          ? endpoint.url
          : joinUrl(endpoint.url, request.path, {}, objectsEndInSlash(party.dialect))
      )
}
