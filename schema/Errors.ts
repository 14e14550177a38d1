/** What a caller can act on. Each has its HTTP status on the endpoints that can answer with it (src/api). */
import { Data } from "effect"

interface Reason {
  readonly message: string
}

/** 400: malformed, or breaks the schema. */
export class Invalid extends Data.TaggedError("Invalid")<Reason> {}
/** 401 */
export class Unauthorized extends Data.TaggedError("Unauthorized")<Reason> {}
/** 402: the plan does not include it. */
export class PlanRequired extends Data.TaggedError("PlanRequired")<Reason> {}
/** 403: the key's scope is too small. */
export class Forbidden extends Data.TaggedError("Forbidden")<Reason> {}
/** 404: unknown, or owned by somebody else; nobody can tell which. */
export class NotFound extends Data.TaggedError("NotFound")<Reason> {}
/** 409 */
export class Conflict extends Data.TaggedError("Conflict")<Reason> {}
/** 422: cannot work for this target. */
export class Unsupported extends Data.TaggedError("Unsupported")<Reason> {}
/** 429; `retryAfterSeconds` becomes the Retry-After header, `rate` the RateLimit ones: the rate that was met. */
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
/** 503: the database is away, or the server drains. */
export class Unavailable extends Data.TaggedError("Unavailable")<
  Reason & { readonly retryAfterSeconds: number }
> {}
