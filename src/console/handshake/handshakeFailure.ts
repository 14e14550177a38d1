/** A registration that failed: why that happens, and a text for the partner's engineers. */
import type { Data } from "../../client/plugfest.ts"
import { partsOfError } from "../format/lastError.ts"
import { wentWell } from "./handshakeSteps.ts"

type Connection = Data<"connections.read">
type Exchange = Data<"connections.exchanges">[number]

/** What is known of a failed registration. */
export interface HandshakeFailure {
  /** What went wrong, without the kind before it. */
  readonly cause: string
  /** What most often is the reason, the likeliest first. */
  readonly reasons: ReadonlyArray<string>
  /** A text to send to the partner; absent where nothing of it concerns the partner. */
  readonly letter?: string
  /** The exchange that went wrong. */
  readonly exchange?: Exchange
}

const reasons: Readonly<Record<string, ReadonlyArray<string>>> = {
  config: [
    "The versions URL has a typing error, or leads to an address that this service may not call.",
    "The service runs without EGRESS_ALLOW_CIDRS although the partner is on a private network."
  ],
  network: [
    "The partner's service is not running, or a firewall lets nobody in from here.",
    "The host name is not published in DNS, or its certificate does not fit the name.",
    "The partner calls back while it answers, cannot reach this service, and gives up: see PUBLIC_URL."
  ],
  auth: [
    "Token A was mistyped, has been used already, or has expired at the partner.",
    "The partner reads the token in another form: plain in 2.1.1 and 2.2, Base64 from 2.2.1 on.",
    "The token was issued for another environment of the partner."
  ],
  unsupported: [
    "The partner does not offer this version of OCPI, or offers it at another versions URL.",
    "The partner has another role than the one that this connection says."
  ],
  protocol: [
    "The URL leads to something that is not an OCPI versions endpoint, such as a web page.",
    "An answer of the partner lacks what OCPI requires; the exchange shows which."
  ]
}
/** Where no connection came about, by what was in the way. */
const unconnected: Readonly<Record<string, ReadonlyArray<string>>> = {
  dns: [
    "The host name of the versions URL has a typing error.",
    "The name is known only inside the partner's network, or is not published in DNS yet."
  ],
  tls: [
    "The partner's certificate has expired, is of another name, or was signed by an authority that is not public.",
    "The port of the versions URL does not speak TLS: it may be the one for plain http."
  ],
  timeout: [
    "A firewall drops calls from here: the partner may have to allow this service's address.",
    "The versions URL names the wrong port."
  ],
  refused: [
    "The partner's service is not running at this host and port, or a firewall refuses calls from here.",
    "The versions URL names the wrong port."
  ]
}
const calledBack =
  "The partner has to call back during the registration, and could not: it cannot reach PUBLIC_URL, or uses another token than the one in the body."

const theyRegister =
  "The token and the versions URL in the partner's POST credentials do not work: they must be in force before it is sent, because plugfest calls them before it answers."

/** Null: the last handshake did not fail. `exchanges`: those of the handshake, oldest first. */
export function failureOf(
  { lastError, ocpiVersion }: Pick<Connection, "lastError" | "ocpiVersion">,
  exchanges: ReadonlyArray<Exchange>
): HandshakeFailure | null {
  if (lastError === undefined) return null
  const { cause, kind } = partsOfError(lastError)
  const wrong = exchanges.findLast((each) => each.direction === "outbound" && !wentWell(each))
  // What the partner answered can be at fault though its status is not.
  const exchange = wrong ?? exchanges.findLast(({ direction }) => direction === "outbound")
  const isTheirs = exchanges.some(
    ({ direction, module, request }) =>
      direction === "inbound" && module === "credentials" && request.method === "POST"
  )
  const hindrance =
    kind === "network" && exchange?.outcome === "refused" ? (exchange.fault?.kind ?? "refused") : undefined
  const likely = isTheirs
    ? [theyRegister]
    : ((hindrance === undefined ? undefined : unconnected[hindrance]) ?? reasons[kind] ?? [])
  const isCallBack = exchange?.response?.ocpiStatusCode === 3001
  return {
    cause,
    reasons: isCallBack ? [calledBack, ...likely] : likely,
    ...(exchange === undefined ? {} : { exchange }),
    ...(exchange === undefined || kind === "config"
      ? {}
      : { letter: letterOf(exchange, { cause, ocpiVersion, isTheirs }) })
  }
}

const longestBody = 600

interface FailedRegistration {
  readonly cause: string
  readonly ocpiVersion: string
  /** The partner registers with us, and the exchange is a call of ours meanwhile. */
  readonly isTheirs: boolean
}

function letterOf(exchange: Exchange, { cause, isTheirs, ocpiVersion }: FailedRegistration): string {
  const { correlationId, fault, outcome, request, requestId, response, startedAt } = exchange
  const answer =
    response === null
      ? `No answer: ${fault?.message ?? outcome.replaceAll("_", " ")}.`
      : `Your answer: HTTP ${response.httpStatus}${
          response.ocpiStatusCode === null
            ? ", no OCPI envelope"
            : `, OCPI status_code ${response.ocpiStatusCode}`
        }.`
  const body = response?.body ?? ""
  return [
    isTheirs
      ? `Your registration with us by OCPI ${ocpiVersion} failed: we called you back, and that did not work.`
      : `Our registration with you by OCPI ${ocpiVersion} failed.`,
    "",
    `Our request: ${request.method} ${request.url}`,
    `Sent: ${startedAt.replace("T", " ").replace("Z", " UTC")}`,
    `X-Request-ID: ${requestId}`,
    `X-Correlation-ID: ${correlationId}`,
    answer,
    ...(body === "" ? [] : [body.length > longestBody ? `${body.slice(0, longestBody)} …` : body]),
    "",
    `What we see: ${cause}`
  ].join("\n")
}
