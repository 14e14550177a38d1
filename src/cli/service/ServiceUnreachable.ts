/** Turns transport failures into one error with a message and an exit code. */
import { FetchHttpClient } from "@effect/platform"
import { Data, Effect, ParseResult } from "effect"
import { issuesOf } from "../../../schema/fields/issues.ts"
import { describeIssues } from "../../api/decodeError.ts"
import { plain } from "../terminal/Terminal.ts"
import { UsageError } from "../terminal/UsageError.ts"

/** The URL does not answer, or not as plugfest does; exit code 5. */
class ServiceUnreachable extends Data.TaggedError("ServiceUnreachable")<{
  readonly message: string
}> {}

interface Failure {
  readonly _tag: string
  readonly request?: unknown
}

const transport: ReadonlyArray<string> = ["RequestError", "ResponseError", "AnswerUnreadable", "FeedBroken"]

/**
 * Provides the HTTP client. Maps transport failures to `ServiceUnreachable`, and a request that the contract does not allow, which was
 * not sent, to `UsageError`.
 */
export const reaching = <A, E extends Failure, R>(work: Effect.Effect<A, E, R>) =>
  work.pipe(
    Effect.mapError(
      (error): Exclude<E, { readonly _tag: "RequestError" }> | ServiceUnreachable | UsageError =>
        transport.includes(error._tag)
          ? new ServiceUnreachable({
              message: `${sentence(error)} Is plugfest running there? Set its URL with --url or PLUGFEST_URL; plugfest serve starts it`
            })
          : ParseResult.isParseError(error)
            ? new UsageError({ message: plain(describeIssues(issuesOf(error))) })
            : (error as Exclude<E, { readonly _tag: "RequestError" }>) // other errors pass unchanged
    ),
    Effect.provide(FetchHttpClient.layer)
  )

function sentence(error: Failure): string {
  const at = urlOf(error)
  const isSilent = error._tag === "FeedBroken" && "status" in error && error.status === undefined
  return error._tag === "RequestError" || isSilent
    ? `The service cannot be reached${at === "" ? "" : ` at ${at}`}.`
    : `The server at ${at === "" ? "this URL" : at} does not answer with plugfest's API.`
}

/** The URL of the service, as the request that failed was built on it; "" where the error has no request. */
function urlOf({ request }: Failure): string {
  const { url = "" } = (request ?? {}) as { readonly url?: string }
  return plain(url.split("/api/v1")[0]!)
}
