/**
 * The rules of the OCPI side (`party/Door.ts`): who brings no token of ours is counted by address; a partner has its rates,
 * its share of what is served at once, and its budget of bytes, and only then its body is read.
 */
import { createHash } from "node:crypto"
import { Effect, Option } from "effect"
import { type Door, TurnedAway } from "../party/Door.ts"
import type { Root } from "../party/Parties.ts"
import type { InboundLimits } from "../services/InboundLimits.ts"
import { defaultLimits } from "../services/RateLimits.ts"
import { makeFairGate } from "./FairGate.ts"
import { type BodyRejected, type Incoming, ocpiLimitBytes, readText } from "./requestBody.ts"
import { makeStrangers } from "./strangers.ts"

/** Fewer than the pool has connections: what is done for callers of the API finds one. */
const served = { places: 8, placesOfOne: 2, waiting: 512, patienceMillis: 10_000 }
/** Tokens looked up at once for addresses that have brought too many wrong ones. */
const lookUps = { places: 2, placesOfOne: 1, waiting: 64, patienceMillis: 5000 }
/** Our own suites come with wrong tokens to sandbox partners, all from one address. */
const sandboxFactor = 10
/** Headers that brought a good token lately, by their hash. */
const mostRemembered = 10_000

/** The door for each request. Without `limits` (a sandbox that runs alone) only what one process counts is limited. */
export const makeOcpiDoor = (limits: Option.Option<InboundLimits["Type"]>) => {
  const { strangerCalls } = Option.match(limits, {
    onNone: () => defaultLimits,
    onSome: (found) => found.limits
  })
  const strangers = {
    connection: makeStrangers(strangerCalls),
    sandbox: makeStrangers(strangerCalls * sandboxFactor)
  }
  const gate = makeFairGate(served)
  const lookUpGate = makeFairGate(lookUps)
  const good = new Set<string>()

  const remember = (header: string) => {
    good.delete(header)
    good.add(header)
    const oldest = good.values().next().value
    if (good.size > mostRemembered && oldest !== undefined) good.delete(oldest)
  }

  return (root: Root, source: Incoming): Door<BodyRejected> => {
    const address = source.socket.remoteAddress ?? ""
    const counted = strangers[root.kind]
    const header = createHash("sha256")
      .update(source.headers.authorization ?? "")
      .digest("base64")

    return {
      lookUp: (work) =>
        counted.isOver(address) && !good.has(header)
          ? Effect.flatMap(lookUpGate.within({ ownerId: address, id: address }, work), orCrowded)
          : work,
      admit: (visitor, serve) => {
        if (visitor === undefined) return Effect.zipRight(counted.count(address), serve(""))
        const { callsBack, party } = visitor
        remember(header)
        const spend = (bytes: number) =>
          Option.isNone(limits) ? Effect.void : limits.value.bytes(party, bytes)
        const work = Effect.gen(function* () {
          const body = yield* bodyOf(source, spend)
          return yield* serve(body)
        })
        // Who calls back while he answers may be called back himself: a place that he held would be missing then.
        const inTurn = callsBack ? work : Effect.flatMap(gate.within(party, work), orCrowded)
        return Option.isNone(limits) ? inTurn : Effect.zipRight(limits.value.call(party), inTurn)
      }
    }
  }
}

/** A declared length is paid before anything is read; chunks are counted when they are there. */
const bodyOf = (source: Incoming, spend: (bytes: number) => Effect.Effect<void, TurnedAway>) =>
  Effect.gen(function* () {
    const declared = Number(source.headers["content-length"] ?? 0)
    const isChunked = source.headers["transfer-encoding"] !== undefined
    if (declared > 0 || isChunked) yield* spend(Math.max(1, declared))
    const body = yield* readText(source, ocpiLimitBytes, "lenient")
    if (isChunked) yield* spend(Buffer.byteLength(body))
    return body
  })

const orCrowded = <A>(found: Option.Option<A>): Effect.Effect<A, TurnedAway> =>
  Option.match(found, {
    onNone: () =>
      new TurnedAway({
        httpStatus: 429,
        message: "Too many of your requests are waiting to be served; try again in 1 s",
        retryAfterSeconds: 1
      }),
    onSome: Effect.succeed
  })
