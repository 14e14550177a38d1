/** How much is stored of refused calls: a partner may make any number of them, and they are kept for hours. */
import { Effect, Option } from "effect"
import type { Exchange } from "../../../schema/Exchange.ts"
import type { PartyId } from "../../../schema/Ids.ts"
import { cut } from "../../ocpi/keptBody.ts"
import { BucketStore } from "../../store/accounts/BucketStore.ts"

/** Bytes of a body that are always stored. */
export const alwaysKeptBytes = 8 * 1024
/** Budget of a party for storing larger bodies whole, in bytes per hour. */
const wholeBytes = 512 * 1024

/** Characters of a URL that are stored. */
const urlLength = 2048

/**
 * The exchange as it is stored. `scrubbed`: the exchange without secrets. A long URL is cut. A large body beyond the
 * party's budget is cut; its length and hash are those of `came`.
 */
export const refusedEvidence = Effect.fnUntraced(function* (
  id: PartyId,
  scrubbed: Exchange,
  came: string
): Effect.fn.Return<Exchange> {
  const { url } = scrubbed.request
  const exchange =
    url.length <= urlLength
      ? scrubbed
      : {
          ...scrubbed,
          request: { ...scrubbed.request, url: `${url.slice(0, urlLength)}… (${url.length} characters)` }
        }
  const bytes = Buffer.byteLength(exchange.request.body ?? "", "utf8")
  if (bytes <= alwaysKeptBytes) return exchange
  const buckets = yield* Effect.serviceOption(BucketStore)
  const isWhole =
    Option.isSome(buckets) &&
    (yield* buckets.value.spend(`refused:${id}`, { holds: wholeBytes, perMinute: wholeBytes / 60 }, bytes))
  return isWhole
    ? exchange
    : { ...exchange, request: { ...exchange.request, ...cut(exchange.request, came, alwaysKeptBytes) } }
})
