/** How much is kept of calls that we refuse: they may come as often as a partner likes, and are kept for hours. */
import { Effect, Option } from "effect"
import type { Exchange } from "../../../schema/Exchange.ts"
import type { PartyId } from "../../../schema/Ids.ts"
import { cut } from "../../ocpi/keptBody.ts"
import { BucketStore } from "../../store/accounts/BucketStore.ts"

/** Bytes of a body that are kept in any case. */
export const alwaysKeptBytes = 8 * 1024
/** Bytes of larger bodies that a party keeps whole, and gets anew within an hour. */
const wholeBytes = 512 * 1024

/** Characters of a URL that are kept. */
const urlLength = 2048

/**
 * `scrubbed` is an exchange without secrets. A long URL is cut. A large body beyond what the party may keep is cut; its
 * length and hash are those of `came`.
 */
export const refusedEvidence = (id: PartyId, scrubbed: Exchange, came: string): Effect.Effect<Exchange> =>
  Effect.gen(function* () {
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
