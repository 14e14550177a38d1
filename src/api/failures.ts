/** The errors of schema/Errors with the status that each has on every endpoint. */
import {
  Conflict,
  Forbidden,
  Invalid,
  NotFound,
  PlanRequired,
  TooMany,
  Unauthorized,
  Unavailable,
  Unsupported
} from "../../schema/Errors.ts"
import { failure } from "./envelope.ts"

/** The header has the true number of seconds; a client that reads only the body is told a second. */
const retryAfterSeconds = 1

export const invalid = failure(
  Invalid,
  (message) => new Invalid({ message }),
  400,
  "Malformed, or against the schema: the message names the field, the value seen and the rule"
)
export const unauthorized = failure(
  Unauthorized,
  (message) => new Unauthorized({ message }),
  401,
  "No API key, or one that is malformed, unknown, revoked or expired"
)
export const planRequired = failure(
  PlanRequired,
  (message) => new PlanRequired({ message }),
  402,
  "The plan does not include the capability; the message names it and the lowest plan that has it"
)
export const forbidden = failure(
  Forbidden,
  (message) => new Forbidden({ message }),
  403,
  "The key's scope is too small"
)
export const notFound = failure(
  NotFound,
  (message) => new NotFound({ message }),
  404,
  "Unknown, or owned by somebody else"
)
export const conflict = failure(
  Conflict,
  (message) => new Conflict({ message }),
  409,
  "Stale plan, idempotency conflict, stale recovery version, or not possible in the present state"
)
export const unsupported = failure(
  Unsupported,
  (message) => new Unsupported({ message }),
  422,
  "The configuration cannot work for this target"
)
export const tooMany = failure(
  TooMany,
  (message) => new TooMany({ message, retryAfterSeconds }),
  429,
  "Quota or rate limit reached; Retry-After says when to come back"
)
export const unavailable = failure(
  Unavailable,
  (message) => new Unavailable({ message, retryAfterSeconds }),
  503,
  "The database is away, or the server is draining; Retry-After says when to come back"
)
