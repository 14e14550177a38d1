/**
 * Port: admission of a partner's request between its authentication and its answer, by rate limits and a queue. The HTTP
 * layer decides the rules (`http/admission/InboundAdmission.ts`). The body is read only of an admitted request.
 */
import { Data, type Effect } from "effect"
import type { Party } from "../../store/parties/Party.ts"
import type { OcpiBody } from "./Request.ts"

/** The request is refused for now, whatever its content. Answered with `httpStatus` and Retry-After. */
export class NotAdmitted extends Data.TaggedError("NotAdmitted")<{
  readonly httpStatus: 429 | 503
  readonly message: string
  readonly retryAfterSeconds: number
}> {}

/** The party of an accepted token. `callsBack`: serving the request may involve a call to the partner (credentials). */
export interface InboundCaller {
  readonly party: Pick<Party, "id" | "ownerId">
  readonly callsBack: boolean
}

/** The rules of admission for one request. */
export interface Admission<E> {
  /** Runs the look-up of the token, which a caller that this process knows does not need. */
  readonly lookUp: <A, R>(work: Effect.Effect<A, never, R>) => Effect.Effect<A, NotAdmitted, R>
  /**
   * Serves a request with its body, or as much of it as is read, if it is admitted. `caller` is undefined for a request without an
   * accepted token. `E`: the body cannot be read.
   */
  readonly admit: <A, R>(
    caller: InboundCaller | undefined,
    serve: (body: OcpiBody) => Effect.Effect<A, never, R>
  ) => Effect.Effect<A, E | NotAdmitted, R>
}

/** No limits; the body has been read already. */
export const admitEverything = (body: string): Admission<never> => ({
  lookUp: (work) => work,
  admit: (_, serve) => serve({ body })
})
