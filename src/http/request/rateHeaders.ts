/** RateLimit and RateLimit-Policy: structured fields (RFC 9651) with one policy each, the one that counts for the answer. */
import type { BucketState } from "../../services/accounts/rateLimitBatch.ts"

/** `policy`: its name, without a quotation mark in it. The window is a minute. */
export const rateHeaders = (
  policy: string,
  { limit, remaining, resetSeconds }: BucketState
): Readonly<Record<string, string>> => ({
  "ratelimit-policy": `"${policy}";q=${limit};w=60`,
  ratelimit: `"${policy}";r=${remaining};t=${resetSeconds}`
})
