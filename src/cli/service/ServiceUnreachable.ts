/** Turns transport failures into one error with a message and an exit code. */
import { FetchHttpClient } from "@effect/platform"
import { Data, Effect } from "effect"

/** The URL does not answer, or not as plugfest does; exit code 5. */
export class ServiceUnreachable extends Data.TaggedError("ServiceUnreachable")<{
  readonly message: string
}> {}

interface Failure {
  readonly _tag: string
}

const transport: ReadonlyArray<string> = ["RequestError", "ResponseError", "ParseError", "FeedBroken"]

/** Provides the HTTP client and maps transport failures to `ServiceUnreachable`. */
export const reaching = <A, E extends Failure, R>(work: Effect.Effect<A, E, R>) =>
  work.pipe(
    Effect.mapError(
      (error): Exclude<E, { readonly _tag: "RequestError" }> | ServiceUnreachable =>
        transport.includes(error._tag)
          ? new ServiceUnreachable({
              message: `${sentence(error)} Is plugfest running there? Set its URL with --url or PLUGFEST_URL; plugfest serve starts it`
            })
          : (error as Exclude<E, { readonly _tag: "RequestError" }>) // other errors pass unchanged
    ),
    Effect.provide(FetchHttpClient.layer)
  )

function sentence(error: Failure): string {
  const isSilent = error._tag === "FeedBroken" && "status" in error && error.status === undefined
  return error._tag === "RequestError" || isSilent
    ? "The service cannot be reached."
    : "The server at this URL does not answer with plugfest's API."
}
