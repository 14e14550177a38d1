/** The errors of `schema/Errors.ts` as error bodies, each with its one HTTP status. */
import { HttpApiSchema } from "@effect/platform"
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

/** The body does not hold the seconds, so the derived client assumes one; the true number is in Retry-After. */
const retryAfterSeconds = 1

/** 400, for what no schema can express; a body or query that breaks its schema becomes `DecodeErrorWire`. */
export const invalid = failure(
  Invalid,
  (message) => new Invalid({ message }),
  400,
  "Malformed or not as the schema says: the message names the field, the value seen and the rule"
)

/** 401, with the same text for every reason. */
export const unauthorized = failure(
  Unauthorized,
  (message) => new Unauthorized({ message }),
  401,
  "The API key is missing, malformed, unknown, revoked or expired"
)

/** 402: the message names the capability and the lowest plan that includes it. */
export const planRequired = failure(
  PlanRequired,
  (message) => new PlanRequired({ message }),
  402,
  "The plan does not include the capability; the message names it and the lowest plan that has it"
)

/** 403: the message names the scope that the key lacks. */
export const forbidden = failure(
  Forbidden,
  (message) => new Forbidden({ message }),
  403,
  "The API key lacks the scope that the operation needs"
)

/** 404: an object of another account answers like one that does not exist. */
export const notFound = failure(
  NotFound,
  (message) => new NotFound({ message }),
  404,
  "Unknown, or owned by another account"
)

/** 409: the state of the object, or an Idempotency-Key, does not allow the request now. */
export const conflict = failure(
  Conflict,
  (message) => new Conflict({ message }),
  409,
  "Stale plan, idempotency conflict, stale recovery version, or not possible in the present state"
)

/** 422: the request is well-formed but cannot work for this connection or version. */
export const unsupported = failure(
  Unsupported,
  (message) => new Unsupported({ message }),
  422,
  "The configuration cannot work for this target"
)

/** 429, with Retry-After. */
export const tooMany = failure(
  TooMany,
  (message) => new TooMany({ message, retryAfterSeconds }),
  429,
  "Quota or rate limit reached; Retry-After says when to try again"
)

/** 503, with Retry-After; every endpoint of the API can answer with it. */
export const unavailable = failure(
  Unavailable,
  (message) => new Unavailable({ message, retryAfterSeconds }),
  503,
  "The database cannot be reached, or the server is draining; Retry-After says when to try again"
)

const status = HttpApiSchema.getStatusError

/** The HTTP status of each error, by its tag. */
export const statusesOfErrors: Readonly<Record<string, number>> = {
  Invalid: status(invalid),
  Unauthorized: status(unauthorized),
  PlanRequired: status(planRequired),
  Forbidden: status(forbidden),
  NotFound: status(notFound),
  Conflict: status(conflict),
  Unsupported: status(unsupported),
  TooMany: status(tooMany),
  Unavailable: status(unavailable)
}
