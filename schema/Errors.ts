/** Errors that a caller can act on. `src/api/failures.ts` gives each its HTTP status. */
import { Data } from "effect"

interface Reason {
  readonly message: string
}

/** 400: malformed, or breaks the schema. */
export class Invalid extends Data.TaggedError("Invalid")<Reason> {}
/** 401: the API key is missing, malformed, unknown, revoked or expired. */
export class Unauthorized extends Data.TaggedError("Unauthorized")<Reason> {}
/** 402: the plan does not include it. */
export class PlanRequired extends Data.TaggedError("PlanRequired")<Reason> {}
/** 403: the key's scope is too small. */
export class Forbidden extends Data.TaggedError("Forbidden")<Reason> {}
/** 404: unknown, or owned by another account; the answer is the same. */
export class NotFound extends Data.TaggedError("NotFound")<Reason> {}
/** 409: the request does not fit the present state, e.g. a stale version or an Idempotency-Key used with another body. */
export class Conflict extends Data.TaggedError("Conflict")<Reason> {}
/** 422: well-formed, but it cannot work for this target. */
export class Unsupported extends Data.TaggedError("Unsupported")<Reason> {}
/** 429: `retryAfterSeconds` becomes the Retry-After header; `rate`, the limit that was exceeded, the RateLimit headers. */
export class TooMany extends Data.TaggedError("TooMany")<
  Reason & {
    readonly retryAfterSeconds: number
    readonly rate?: {
      readonly policy: string
      readonly limit: number
      readonly remaining: number
      readonly resetSeconds: number
    }
  }
> {}
/** 503: the database cannot be reached, or the server is draining. */
export class Unavailable extends Data.TaggedError("Unavailable")<
  Reason & { readonly retryAfterSeconds: number }
> {}
