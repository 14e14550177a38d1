/** The headers RateLimit and RateLimit-Policy: structured fields (RFC 9651), each with the one policy that applied. */
import type { BucketState } from "../../services/accounts/rateLimitBatch.ts"

/** The headers for the state of a bucket. `policy`: its name, without quotation marks. The window is one minute. */
export const rateHeaders = (
  policy: string,
  { limit, remaining, resetSeconds }: BucketState
): Readonly<Record<string, string>> => ({
  "ratelimit-policy": `"${policy}";q=${limit};w=60`,
  ratelimit: `"${policy}";r=${remaining};t=${resetSeconds}`
})
