/** What goes wrong between the command line and the service, in words and with an exit code. */
import { FetchHttpClient } from "@effect/platform"
import { Data, Effect } from "effect"

/** Nobody answers at the URL, or somebody who is not plugfest. */
export class ServiceUnreachable extends Data.TaggedError("ServiceUnreachable")<{
  readonly message: string
}> {}

interface Failure {
  readonly _tag: string
}

const transport: ReadonlyArray<string> = ["RequestError", "ResponseError", "ParseError", "FeedBroken"]

/** Gives the command its HTTP client, and says in one sentence that the service cannot be reached. */
export const reaching = <A, E extends Failure, R>(work: Effect.Effect<A, E, R>) =>
  work.pipe(
    Effect.mapError(
      (error): Exclude<E, { readonly _tag: "RequestError" }> | ServiceUnreachable =>
        transport.includes(error._tag)
          ? new ServiceUnreachable({
              message: `${sentence(error)} Is plugfest running there? --url or PLUGFEST_URL says where; plugfest serve starts it`
            })
          : (error as Exclude<E, { readonly _tag: "RequestError" }>) // the others keep their own words
    ),
    Effect.provide(FetchHttpClient.layer)
  )

function sentence(error: Failure): string {
  return error._tag === "RequestError"
    ? "The service cannot be reached."
    : "What answers there does not speak plugfest's API."
}
