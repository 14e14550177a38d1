/**
 * Answers the plainest and most frequent GETs directly, at Node's request, without the router, the middleware and the
 * encoders of the contract: key → caller → rate → view, each from memory where it is there. The answer is the same, to the
 * byte. Whatever is unusual (another header, an error, a wait for a run of another process, a shutdown) goes the general way,
 * with what is known already.
 */
import { randomUUID } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { Effect, Exit, Runtime } from "effect"
import type { Caller } from "../../../schema/Account.ts"
import { ApiKeys } from "../../services/accounts/ApiKeys.ts"
import { RateLimits } from "../../services/accounts/RateLimits.ts"
import type { BucketState, Taken } from "../../services/accounts/rateLimitBatch.ts"
import { countRequest } from "../../telemetry/measures.ts"
import { bearerKey } from "../access/AuthenticationHttp.ts"
import { liveText, safeHeaders } from "../answer/answers.ts"
import { rateHeaders } from "../answer/rateHeaders.ts"
import { Draining } from "../request/Draining.ts"
import { nextLink } from "../request/paging.ts"
import { type DirectAnswers, type PlainHead, plainHead } from "../request/plainHead.ts"
import { type Admitted, notesOfSource } from "../request/requestNotes.ts"
import { goneStatus, isObserved } from "../request/telemetry/requestTelemetry.ts"
import { type Asked, type DirectAnswer, type DirectRead, directReads } from "./directReads.ts"

/** A request on its way. */
interface OnItsWay {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly route: string
  /** Nanoseconds of the monotonic clock. */
  readonly began: bigint
}

/** A read of the caller's that has been counted. */
interface CountedRead {
  readonly caller: Caller
  readonly asked: Asked
  readonly standing: BucketState
}

/**
 * Makes the direct answers. With traces or a log of each request every request goes the general way, which writes them.
 */
export const makeDirectAnswers = Effect.gen(function* () {
  const keys = yield* ApiKeys
  const limits = yield* RateLimits
  const draining = yield* Draining
  const reads = yield* directReads
  const clock = yield* Effect.clock
  const run = Runtime.runCallback(yield* Effect.runtime<never>())

  const send = (
    { began, request, response, route }: OnItsWay,
    { body, next }: DirectAnswer,
    standing: BucketState | undefined
  ) => {
    const isGone = response.destroyed || response.writableEnded
    const seconds = Number(clock.unsafeCurrentTimeNanos() - began) / 1e9
    countRequest("GET", route, isGone ? goneStatus : 200, seconds)
    if (isGone) return
    const link = nextLink(request.url!, next)
    response.writeHead(200, headersOf(body, standing, link, draining.isDraining()))
    response.end(body)
  }

  /** Answers when the wait is over; false: nothing is waited for here. */
  const answerWait = (
    way: OnItsWay,
    { wait }: DirectRead,
    { asked, caller, standing }: CountedRead,
    inGeneral: () => void
  ): boolean => {
    const clientLeft = () => send(way, { body: "" }, standing) // counted as one whose client has gone
    if (way.response.destroyed) {
      clientLeft()
      return true
    }
    const onClose = () => {
      leave?.()
      clientLeft()
    }
    const leave = wait?.(caller, asked, (answerOf) => {
      way.response.off("close", onClose)
      let answer: DirectAnswer | undefined
      try {
        answer = answerOf()
      } catch {
        // As below: thrown here, where no request is being handled, it would end the process.
        answer = undefined
      }
      if (answer === undefined) inGeneral()
      else send(way, answer, standing)
    })
    if (leave !== undefined) way.response.once("close", onClose)
    return leave !== undefined
  }

  /** `id`: the one in the path; empty: none. */
  const answerRead = (
    way: OnItsWay,
    { authorization, id, query: text }: PlainHead & { readonly id: string },
    read: DirectRead,
    general: () => void
  ) => {
    const key = bearerKey(authorization)
    const caller = key === undefined ? undefined : keys.authenticateAtOnce(key)
    const query = queryOf(text, read.takes)
    if (caller === undefined || query === undefined || !caller.scopes.includes("read")) return general()
    const asked: Asked = { id, query }
    const taken = limits.requestAtOnce(caller)
    let admitted: Admitted | undefined = taken === undefined ? undefined : { caller, taken }
    const inGeneral = () => {
      if (admitted !== undefined) notesOfSource(way.request).admitted = admitted
      general()
    }
    if (taken?.allowed === false) return inGeneral()
    const known = read.atOnce?.(caller, asked)
    if (taken !== undefined && known !== undefined) return send(way, known, taken.standing)
    const reading = known === undefined ? read.read(caller, asked) : Effect.succeed(known)
    if (reading === undefined && read.wait !== undefined) {
      const wait = (now: Taken) => {
        const counted = { caller, asked, standing: now.standing }
        if (!now.allowed || !answerWait(way, read, counted, inGeneral)) inGeneral()
      }
      if (taken !== undefined) return wait(taken)
      run(limits.request(caller), {
        onExit: (exit) => {
          if (!Exit.isSuccess(exit)) return general()
          admitted = { caller, taken: exit.value }
          wait(exit.value)
        }
      })
      return
    }
    if (reading === undefined) return inGeneral()
    const counted = Effect.map(
      taken === undefined ? limits.request(caller) : Effect.succeed(taken),
      (now) => {
        admitted = { caller, taken: now }
        return now
      }
    )
    const answered = Effect.flatMap(counted, ({ allowed, standing }) =>
      allowed ? Effect.map(reading, (answer) => ({ answer, standing })) : Effect.succeed(undefined)
    )
    run(answered, {
      onExit: (exit) =>
        // The general way reads again, and has the words for what goes wrong.
        Exit.isSuccess(exit) && exit.value !== undefined
          ? send(way, exit.value.answer, exit.value.standing)
          : inGeneral()
    })
  }

  const direct: DirectAnswers = (request, response, general) => {
    const began = clock.unsafeCurrentTimeNanos()
    const head = draining.isDraining() ? undefined : plainHead(request)
    if (head === undefined) return general()
    if (head.path === "/health/live")
      return send({ request, response, route: head.path, began }, { body: liveText }, undefined)
    const place = placeOf(head.path)
    const read = place === undefined ? undefined : reads.get(place.route)
    if (place === undefined || read === undefined) return general()
    try {
      answerRead({ request, response, route: place.route, began }, { ...head, id: place.id }, read, general)
    } catch {
      // A fault of ours: the general way meets it again, logs it and answers 500. Thrown here it would end the process.
      general()
    }
  }
  const none: DirectAnswers = (_request, _response, general) => general()
  return (yield* isObserved) ? none : direct
})

const root = "/api/v1/testing/"

/** The path as the contract has it, and the id in it; undefined: not below `root`, or with more parts than any route. */
function placeOf(path: string): { readonly route: string; readonly id: string } | undefined {
  if (!path.startsWith(root)) return undefined
  const [kind = "", id = "", part, ...more] = path.slice(root.length).split("/")
  if (more.length > 0 || part === "" || (id === "" && path.length > root.length + kind.length))
    return undefined
  if (id !== "" && !/^\w{1,64}$/.test(id)) return undefined
  const below = id === "" ? "" : part === undefined ? "/{id}" : `/{id}/${part}`
  return { route: `${root}${kind}${below}`, id }
}

const always: ReadonlyArray<string> = Object.entries(safeHeaders).flat()

/** The query; undefined: a parameter that is not taken, or is given twice or without a value. */
function queryOf(text: string | undefined, takes: ReadonlyArray<string>): Asked["query"] | undefined {
  if (text === undefined || text === "") return {}
  const query: Record<string, string> = {}
  for (const pair of text.split("&")) {
    const at = pair.indexOf("=")
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)]
    if (!takes.includes(name) || !/^\w{1,128}$/.test(value) || name in query) return undefined
    query[name] = value
  }
  return query
}

/** Names and values alternate: Node takes them as they are. In the order of the general way. */
function headersOf(
  body: string,
  standing: BucketState | undefined,
  link: string | undefined,
  closes: boolean
): Array<string> {
  const headers = ["content-type", "application/json", "content-length", String(Buffer.byteLength(body))]
  if (standing !== undefined) {
    for (const [name, value] of Object.entries(rateHeaders("default", standing))) headers.push(name, value)
  }
  if (link !== undefined) headers.push("link", link)
  headers.push("x-request-id", randomUUID(), ...always)
  if (closes) headers.push("connection", "close")
  return headers
}
