/** Turns an error of the socket into outcome, kind and a plain message, for an exchange without an answer. */
import { errors } from "undici"
import type { ExchangeFault, ExchangeOutcome } from "../../schema/Exchange.ts"
import { EgressBlocked } from "./EgressGuard.ts"
import { EndlessAnswer } from "./transport/limitedReads.ts"
import { type Broken, DeadlinePassed, maxHeaderBytes, type TransferProgress } from "./transport/transport.ts"

/** How an exchange without a complete answer ended. */
export interface Ending {
  readonly outcome: ExchangeOutcome
  readonly fault: ExchangeFault
}

/** The ending for an error of the transport. `target` is used in the message only. */
export const ending = (
  { error, progress }: Broken,
  target: { readonly url: URL; readonly timeoutMillis: number }
): Ending => {
  const { host } = target.url
  const cause = leaf(error)
  if (cause instanceof EgressBlocked) return end("blocked", "blocked", cause.message)
  if (cause instanceof DeadlinePassed) {
    const limit = `${target.timeoutMillis / 1000} s`
    return progress.connectedAt !== undefined
      ? end("timed_out", "timeout", `${host} did not finish its answer within ${limit}${soFar(progress)}`)
      : end("refused", "timeout", `No connection to ${host} within ${limit}; nothing was sent`)
  }
  const code = codeOf(cause)
  if (code === "UND_ERR_INVALID_ARG")
    return end("blocked", "blocked", `The request cannot be sent as HTTP: ${messageOf(cause)}`)
  return progress.connectedAt === undefined
    ? notConnected(cause, target.url)
    : brokenOff(cause, host, progress)
}

const end = (outcome: ExchangeOutcome, kind: ExchangeFault["kind"], message: string): Ending => ({
  outcome,
  fault: { kind, message }
})

/** The ending where no connection came about. */
function notConnected(cause: unknown, { host, hostname, protocol }: URL): Ending {
  const code = codeOf(cause)
  if (code === "UND_ERR_CONNECT_TIMEOUT" || code === "ETIMEDOUT") {
    const message = `${host} accepts no connection: no reply to the connection attempt. Firewall?`
    return end("refused", "timeout", message)
  }
  if (dnsCodes.has(code)) {
    const message = `The name ${hostname} cannot be resolved (${code}). Is it spelt right and public?`
    return end("refused", "dns", message)
  }
  if (protocol === "https:" && !tcpCodes.has(code)) {
    const message = `The TLS handshake with ${host} failed: ${tlsReason(code, messageOf(cause))}`
    return end("refused", "tls", message)
  }
  const message = `${host} refused the connection (${code}). Is the partner running there?`
  return end("refused", "refused", message)
}

/** The ending where a connection came about and the answer is not whole. */
function brokenOff(cause: unknown, host: string, progress: TransferProgress): Ending {
  const code = codeOf(cause)
  if (code === "UND_ERR_HEADERS_OVERFLOW" || code === "HPE_HEADER_OVERFLOW") {
    const message = `The headers of the answer of ${host} are larger than ${maxHeaderBytes / 1024} KiB`
    return end("reset", "too_large", message)
  }
  if (cause instanceof EndlessAnswer) {
    const most = `${cause.mebibytes} MiB`
    const message = `${host} sent more than ${most} and did not end its answer; the rest was not read${soFar(progress)}`
    return end("reset", "too_large", message)
  }
  if (isNotHttp(cause, code)) {
    const message = `The answer of ${host} is not valid HTTP (${code || messageOf(cause)})${soFar(progress)}`
    return end("reset", "malformed", message)
  }
  if (code.startsWith("ERR_SSL_") || code.startsWith("ERR_TLS_"))
    return end("reset", "tls", `${host} ended the TLS connection: ${tlsReason(code, messageOf(cause))}`)
  const message = `${host} closed the connection before its answer was complete${soFar(progress)}`
  return end("reset", "reset", message)
}

const isNotHttp = (cause: unknown, code: string): boolean =>
  cause instanceof errors.HTTPParserError ||
  code.startsWith("HPE_") ||
  code.startsWith("UND_ERR_RES_") ||
  code === "UND_ERR_RESPONSE"

const dnsCodes = new Set([
  "ENOTFOUND",
  "EAI_AGAIN",
  "EAI_FAIL",
  "EAI_NODATA",
  "EAI_NONAME",
  "ENODATA",
  "ESERVFAIL"
])
const tcpCodes = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EHOSTDOWN",
  "EADDRNOTAVAIL",
  "EACCES",
  "EPERM",
  "EINVAL"
])

const tlsReasons: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate chain ends in a self-signed certificate",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate chain is incomplete",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its certificate comes from an unknown issuer",
  CERT_HAS_EXPIRED: "its certificate has expired",
  CERT_NOT_YET_VALID: "its certificate is not valid yet",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another host name",
  ERR_SSL_WRONG_VERSION_NUMBER: "it does not speak TLS at this port; is the URL meant to be http?",
  EPROTO: "it does not speak TLS at this port, or no version of it that we do",
  ECONNRESET: "it closed the connection during the handshake"
}

function tlsReason(code: string, message: string): string {
  if (/wrong version number|packet length too long/i.test(message))
    return tlsReasons["ERR_SSL_WRONG_VERSION_NUMBER"]!
  return tlsReasons[code] ?? (code || message)
}

function soFar({ bytes, status }: TransferProgress): string {
  if (status === undefined) return "; no status line came"
  return `; HTTP ${status} and ${bytes} bytes of body had come`
}

/** When several addresses were tried and all failed, reports the first. */
function leaf(error: unknown): unknown {
  return error instanceof AggregateError && error.errors.length > 0 ? leaf(error.errors[0]) : error
}

function codeOf(error: unknown): string {
  const code = (error as { readonly code?: unknown } | null)?.code // any thrown value; tested on the next line
  return typeof code === "string" ? code : ""
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 300) : "unknown error"
}
