/**
 * When the partner accepted the token of the registration before the run: what tells a registration that it has lost from a token
 * that never worked.
 */
import { Effect, Either, Redacted, Schema } from "effect"
import type { Exchange } from "../../../schema/Exchange.ts"
import { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import { isSuccessCode } from "../../findings/answers.ts"
import type { Ledger, RunFacts } from "../../ledger/Ledger.ts"
import { placeholder } from "../../redaction/scrub.ts"
import type { PartyToken } from "../../store/parties/TokenSlot.ts"

/**
 * How many of the newest runs of the connection are searched: an hourly one that finds the registration lost accepts nothing, and
 * must not be what makes the loss forgotten.
 */
const mostRuns = 200
/** How many are listed at once. */
const together = 20
const page = 500

/**
 * When an earlier run of the connection read something with this token, and was answered with success: ISO 8601 UTC; undefined: none
 * did, as far as is kept. Versions do not count, because partners may answer them to anybody.
 */
export const acceptedBefore = (
  ledger: Ledger["Type"],
  { connectionId, ownerId, runId }: Pick<RunFacts, "connectionId" | "ownerId" | "runId">,
  token: Pick<PartyToken, "name" | "value">
): Effect.Effect<string | undefined> =>
  Effect.gen(function* () {
    const mark = placeholder(token.name, Redacted.value(token.value))
    let cursor: string | undefined
    for (let looked = 0; looked < mostRuns; looked += together) {
      const runs = yield* ledger.list({
        ownerId,
        connectionId,
        limit: together,
        ...(cursor === undefined ? {} : { cursor })
      })
      for (const { facts } of runs) {
        if (facts.runId === runId) continue
        for (let after = 0; ; ) {
          const lines = yield* ledger.page(facts.runId, after, page, { type: "exchange.completed" })
          for (const { line } of lines) {
            const event = line.includes(mark) ? Either.getOrUndefined(decode(line)) : undefined
            if (event?.type === "exchange.completed" && isOpened(event.exchange, mark))
              return event.exchange.startedAt
          }
          const last = lines.at(-1)
          if (last === undefined || lines.length < page) break
          after = last.sequence
        }
      }
      cursor = runs.at(-1)?.facts.runId
      if (runs.length < together) return undefined
    }
    return undefined
    // While database or archive is away nothing is known, and the loss is told as one of this run.
  }).pipe(Effect.catchAll(() => Effect.succeed(undefined)))

const decode = Schema.decodeUnknownEither(Schema.parseJson(LedgerEvent))

/** Did the token with that placeholder open it? */
const isOpened = ({ module, request, response }: Exchange, mark: string): boolean =>
  request.method === "GET" &&
  module !== "versions" &&
  response?.httpStatus === 200 &&
  isSuccessCode(response.ocpiStatusCode) &&
  Object.entries(request.headers).some(
    ([name, value]) => name.toLowerCase() === "authorization" && value.includes(mark)
  )
