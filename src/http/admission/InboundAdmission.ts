/**
 * Admission of inbound OCPI requests (`party/wire/Admission.ts`). Requests without an accepted token are rate-limited by
 * address, and then their look-ups wait for each other; those of tokens that were lately accepted do not.
 * A partner's request is charged to its rate limit, waits for a slot and is charged to its byte budget before its body is
 * read.
 */
import { hash } from "node:crypto"
import { Effect, Option } from "effect"
import { type Admission, NotAdmitted } from "../../party/wire/Admission.ts"
import type { OcpiBody, Root } from "../../party/wire/Request.ts"
import type { InboundLimits } from "../../services/accounts/InboundLimits.ts"
import { defaultLimits } from "../../services/accounts/RateLimits.ts"
import {
  type BodyRejected,
  declaredBytes,
  type Incoming,
  ocpiLimitBytes,
  readEvidence
} from "../request/requestBody.ts"
import { makeFairQueue } from "./FairQueue.ts"
import { makeUnknownCallers } from "./unknownCallers.ts"

/**
 * Many more slots than the pool has connections: calls at once share their statements (database/batches/batch.ts), and the more
 * share one, the less each costs. A party whose calls are slow, e.g. in sending their bodies, holds a quarter of them at most.
 */
const servingQueue = { slots: 128, slotsPerParty: 32, maxWaiting: 512, timeoutMillis: 10_000 }
/** Calls with a large body have fewer, because what has been read of all of them is in memory at once. */
const largeBodyQueue = { slots: 24, slotsPerParty: 6, maxWaiting: 512, timeoutMillis: 10_000 }
/** Bytes from which a body is large; one whose length is not declared is large too. */
const largeBodyBytes = 64 * 1024
/** Token look-ups for addresses that have exhausted their limit of unauthenticated requests. */
const lookUpQueue = { slots: 2, slotsPerParty: 1, maxWaiting: 64, timeoutMillis: 5000 }
/** Sandbox partners allow this many times the limit, because our own suites send wrong tokens to them from one address. */
const sandboxFactor = 10
/** Hashes of Authorization headers that lately held an accepted token. */
const maxKnownHeaders = 10_000

/** Without `limits` (a sandbox that runs alone, without accounts) only the limits within this process apply. */
export const makeInboundAdmission = (limits: Option.Option<InboundLimits["Type"]>) => {
  const { unauthenticatedCalls } = Option.match(limits, {
    onNone: () => defaultLimits,
    onSome: (found) => found.limits
  })
  const unknownCallers = {
    connection: makeUnknownCallers(unauthenticatedCalls),
    sandbox: makeUnknownCallers(unauthenticatedCalls * sandboxFactor)
  }
  const serving = makeFairQueue(servingQueue)
  const servingLargeBodies = makeFairQueue(largeBodyQueue)
  const lookingUp = makeFairQueue(lookUpQueue)
  const knownHeaders = new Set<string>()

  const remember = (header: string) => {
    knownHeaders.delete(header)
    knownHeaders.add(header)
    const oldest = knownHeaders.values().next().value
    if (knownHeaders.size > maxKnownHeaders && oldest !== undefined) knownHeaders.delete(oldest)
  }

  return (root: Root, source: Incoming): Admission<BodyRejected> => {
    const address = source.socket.remoteAddress ?? ""
    const counted = unknownCallers[root.kind]
    let looked: string | undefined

    return {
      lookUp: (work) => {
        looked = hash("sha256", source.headers.authorization ?? "", "base64")
        return counted.isExhausted(address) && !knownHeaders.has(looked)
          ? Effect.flatMap(lookingUp.withSlot({ ownerId: address, id: address }, work), orTooMany)
          : work
      },
      admit: (caller, serve) => {
        if (caller === undefined) return Effect.zipRight(counted.count(address), serve({ body: "" }))
        const { callsBack, party } = caller
        if (looked !== undefined) remember(looked)
        const spend = (bytes: number) =>
          Option.isNone(limits) ? Effect.void : limits.value.bytes(party, bytes)
        const work = Effect.flatMap(bodyOf(source, spend), serve)
        const queue = hasLargeBody(source) ? servingLargeBodies : serving
        // A request during which the partner calls us back takes no slot: both could otherwise wait for each other.
        const inTurn = callsBack ? work : Effect.flatMap(queue.withSlot(party, work), orTooMany)
        return Option.isNone(limits) ? inTurn : Effect.zipRight(limits.value.call(party), inTurn)
      }
    }
  }
}

const isChunked = ({ headers }: Incoming) => headers["transfer-encoding"] !== undefined
const hasLargeBody = (source: Incoming) => isChunked(source) || declaredBytes(source) >= largeBodyBytes

/**
 * A declared length is charged before the body is read, a chunked body after it. A body that is declared to be larger than we read is
 * not waited for.
 */
const bodyOf = (
  source: Incoming,
  spend: (bytes: number) => Effect.Effect<void, NotAdmitted>
): Effect.Effect<OcpiBody, BodyRejected | NotAdmitted> =>
  Effect.suspend(() => {
    const declared = declaredBytes(source)
    if (declared === 0 && !isChunked(source)) return Effect.succeed({ body: "" })
    if (declared > ocpiLimitBytes)
      return Effect.succeed({ body: "", beyond: { limitBytes: ocpiLimitBytes, declaredBytes: declared } })
    const read = Effect.zipRight(spend(Math.max(1, declared)), readEvidence(source))
    const charged = isChunked(source) ? Effect.tap(read, ({ text }) => spend(Buffer.byteLength(text))) : read
    return Effect.map(charged, ({ isWhole, text }) =>
      isWhole ? { body: text } : { body: text, beyond: { limitBytes: ocpiLimitBytes } }
    )
  })

const orTooMany = <A>(found: Option.Option<A>): Effect.Effect<A, NotAdmitted> =>
  Option.match(found, {
    onNone: () =>
      new NotAdmitted({
        httpStatus: 429,
        message: "Too many of your requests are waiting to be served; try again in 1 s",
        retryAfterSeconds: 1
      }),
    onSome: Effect.succeed
  })
