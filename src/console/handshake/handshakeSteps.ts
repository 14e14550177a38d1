/** The exchanges of a registration, told apart from the traffic around them, and the order in which its messages went. */
import type { Data } from "../../client/plugfest.ts"

type Exchange = Data<"connections.exchanges">[number]

/** One message of the diagram: the request of an exchange, or its answer. */
export interface Message {
  readonly exchange: Exchange
  readonly kind: "request" | "answer"
  readonly from: "plugfest" | "partner"
  readonly text: string
  readonly isGood: boolean
}

const modules = new Set(["versions", "credentials"])
/** Times are whole milliseconds, and those of one process. */
const slackMillis = 5
/** A partner that registers with us reads our versions before; it may take its time. */
const beforeMillis = 30_000

const begins = ({ startedAt }: Exchange) => Date.parse(startedAt)
const ends = (exchange: Exchange) => begins(exchange) + exchange.durationMs

/** Whether the partner has an invitation of ours, with which it can begin a registration at any time. */
export const mayRegister = ({
  invitation,
  status
}: Pick<Data<"connections.read">, "invitation" | "status">): boolean =>
  status !== "registered" && invitation?.state === "open"

/** Whether a call of the registration is under way, of either side. */
export const isUnderWay = ({
  registration: { state }
}: Pick<Data<"connections.read">, "registration">): boolean =>
  !["unregistered", "invited", "registered"].includes(state)

/** Whether the exchange can be part of a registration: a preflight also calls without a token, to see whether anybody may. */
export const isOfHandshake = ({ direction, module, request }: Exchange): boolean =>
  modules.has(module) && (direction === "inbound" || "authorization" in request.headers)

/**
 * The newest registration among the exchanges, oldest first: those that share a correlation id with the newest call of the
 * credentials endpoint, and what the other side asked meanwhile. `hasFailed`: the newest call that went wrong decides, because a
 * registration can fail in its discovery.
 */
export function newestHandshake(
  exchanges: ReadonlyArray<Exchange>,
  { hasFailed }: { readonly hasFailed: boolean }
): ReadonlyArray<Exchange> {
  const candidates = exchanges.filter(isOfHandshake).toSorted((a, b) => begins(a) - begins(b))
  const last = hasFailed
    ? (candidates.findLast((each) => each.direction === "outbound" && !wentWell(each)) ?? candidates.at(-1))
    : candidates.findLast(({ module, request }) => module === "credentials" && request.method !== "GET")
  if (last === undefined) return []
  const group = candidates.filter(({ correlationId }) => correlationId === last.correlationId)
  const from = Math.min(...group.map(begins))
  const until = Math.max(...group.map(ends)) + slackMillis
  // The side that registers reads the other's versions before it; the other side calls back meanwhile.
  const earliest = {
    inbound: from - (last.direction === "inbound" ? beforeMillis : slackMillis),
    outbound: last.direction === "inbound" ? begins(last) - slackMillis : Number.POSITIVE_INFINITY
  }
  return candidates.filter(
    (each) => group.includes(each) || (begins(each) >= earliest[each.direction] && begins(each) <= until)
  )
}

/** Whether messages of the handshake may have gone before the page, which is full and newest first. */
export function mayBeginBefore(
  handshake: ReadonlyArray<Exchange>,
  page: ReadonlyArray<Exchange>,
  pageSize: number
): boolean {
  const [first] = handshake
  const oldest = page.at(-1)
  return (
    first !== undefined &&
    oldest !== undefined &&
    page.length >= pageSize &&
    begins(first) - begins(oldest) < beforeMillis
  )
}

/**
 * What a partner that was invited has begun, oldest first, also before its POST credentials is stored: its calls since the
 * invitation was issued, and what plugfest asked meanwhile.
 */
export function handshakeSince(
  exchanges: ReadonlyArray<Exchange>,
  issuedAt: string
): ReadonlyArray<Exchange> {
  const since = exchanges
    .filter((each) => isOfHandshake(each) && begins(each) >= Date.parse(issuedAt))
    .toSorted((a, b) => begins(a) - begins(b))
  const first = since.findIndex(({ direction }) => direction === "inbound")
  return first === -1 ? [] : since.slice(first)
}

/** What the exchange asks for: `versions`, `version details`, `credentials`. */
const objectOf = ({ module, operation }: Exchange): string =>
  module === "credentials" ? "credentials" : operation === "details" ? "version details" : "versions"

/** What the outcome `refused` does not tell, by the kind of the fault. */
const unconnected: Readonly<Record<string, string>> = {
  dns: "name not resolved",
  tls: "no TLS",
  timeout: "no reply"
}

/** `HTTP 200 · 1000`, or why there is no answer. */
const answerOf = ({ fault, outcome, response }: Exchange): string =>
  response === null
    ? ((outcome === "refused" ? unconnected[fault?.kind ?? ""] : undefined) ?? outcome.replaceAll("_", " "))
    : `HTTP ${response.httpStatus}${response.ocpiStatusCode === null ? "" : ` · ${response.ocpiStatusCode}`}`

/** Whether the exchange went well: an HTTP success without an error code of OCPI. */
export const wentWell = ({ response }: Exchange): boolean =>
  response !== null &&
  response.httpStatus < 400 &&
  (response.ocpiStatusCode === null || response.ocpiStatusCode < 2000)

/** The messages in the order of their times; an answer comes after its request, and after what was asked in between. */
export function messagesOf(exchanges: ReadonlyArray<Exchange>): ReadonlyArray<Message> {
  return exchanges
    .flatMap((exchange, place) => {
      const asks = exchange.direction === "outbound" ? "plugfest" : "partner"
      const answers = asks === "plugfest" ? "partner" : "plugfest"
      const isGood = wentWell(exchange)
      return [
        {
          at: begins(exchange),
          place,
          message: {
            exchange,
            kind: "request",
            from: asks,
            text: `${exchange.request.method} ${objectOf(exchange)}`,
            isGood: true
          } satisfies Message
        },
        {
          at: ends(exchange),
          place,
          message: {
            exchange,
            kind: "answer",
            from: answers,
            text: answerOf(exchange),
            isGood
          } satisfies Message
        }
      ]
    })
    .toSorted(
      (a, b) =>
        a.at - b.at ||
        a.place - b.place ||
        Number(a.message.kind === "answer") - Number(b.message.kind === "answer")
    )
    .map(({ message }) => message)
}
