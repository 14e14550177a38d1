/** The exchanges of a run as HTTP Archive 1.2, with one page per stage. Secrets are placeholders already. */
import type { Exchange } from "../../schema/Exchange.ts"
import { checksOf, type ReportExchange, type RunDocument } from "./RunDocument.ts"
import { modulesNotJudged, unlistedInWords } from "./unjudged.ts"

/** The HAR as JSON text. Custom fields begin with an underscore, as HAR requires. */
export const harOf = (document: RunDocument): string => {
  const { report } = document
  const pages = new Map<string, string>()
  for (const { exchange, stageId } of document.exchanges) {
    const id = stageId ?? "run"
    if (!pages.has(id)) pages.set(id, exchange.startedAt)
  }
  const log = {
    version: "1.2",
    creator: { name: "plugfest", version: "1.0" },
    comment: [
      `${document.name}, ${report.connectionLabel}, ${report._id}`,
      ...modulesNotJudged(report),
      ...unlistedInWords(checksOf(document))
    ].join(". "),
    pages: [...pages].map(([id, startedDateTime]) => ({
      startedDateTime,
      id,
      title: id,
      pageTimings: {}
    })),
    entries: document.exchanges.map(entryOf)
  }
  return JSON.stringify({ log }, undefined, 2)
}

function entryOf({ exchange, stageId }: ReportExchange) {
  const { durationMs, request, response } = exchange
  const time = Math.max(0, durationMs)
  return {
    pageref: stageId ?? "run",
    startedDateTime: exchange.startedAt,
    time,
    request: {
      method: request.method,
      url: request.url,
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: pairs(request.headers),
      queryString: queryOf(request.url),
      ...(request.body === null
        ? {}
        : {
            postData: {
              mimeType: request.headers["content-type"] ?? "application/octet-stream",
              params: [],
              text: request.body,
              ...cut(request)
            }
          }),
      headersSize: -1,
      bodySize: sizeOf(request)
    },
    response: responseOf(response, exchange),
    cache: {},
    timings: timingsOf(exchange),
    _id: exchange.id,
    _direction: exchange.direction,
    _module: exchange.module,
    _operation: exchange.operation,
    _outcome: exchange.outcome,
    ...(exchange.fault === undefined ? {} : { _error: `${exchange.fault.kind}: ${exchange.fault.message}` })
  }
}

/** A name of HAR for each part of the time; -1: not known, or not measured apart. They add up to the whole. */
function timingsOf({ durationMs, timings }: Exchange) {
  const whole = Math.max(0, durationMs)
  const connect = timings?.connectMs ?? -1
  const left = whole - Math.max(0, connect)
  const wait = rounded(timings?.answerMs ?? left)
  return { blocked: -1, dns: -1, connect, ssl: -1, send: 0, wait, receive: rounded(left - wait) }
}

const rounded = (millis: number) => Math.round(10 * Math.max(0, millis)) / 10

/** The response; without an answer its status is 0, as browsers export it. */
function responseOf(response: Exchange["response"], { outcome }: Exchange) {
  return {
    status: response?.httpStatus ?? 0,
    statusText: response === null ? outcome : "",
    httpVersion: "HTTP/1.1",
    cookies: [],
    headers: pairs(response?.headers ?? {}),
    content: {
      size: response === null ? 0 : sizeOf(response),
      mimeType: response?.headers["content-type"] ?? "x-unknown",
      ...(response?.body == null ? {} : { text: response.body, ...cut(response) })
    },
    redirectURL: response?.headers["location"] ?? "",
    headersSize: -1,
    bodySize: response === null ? -1 : sizeOf(response)
  }
}

type Side = Pick<Exchange["request"], "body" | "bodyBytes" | "bodySha256" | "truncated">

function cut({ bodyBytes, bodySha256, truncated }: Side) {
  if (!truncated) return {}
  const whole = [
    ...(bodyBytes === undefined ? [] : [`${bodyBytes} bytes`]),
    ...(bodySha256 === undefined ? [] : [`SHA-256 ${bodySha256}`])
  ]
  return {
    comment: ["cut by plugfest", ...(whole.length === 0 ? [] : [`the whole has ${whole.join(", ")}`])].join(
      "; "
    )
  }
}

function sizeOf({ body, bodyBytes }: Side): number {
  return bodyBytes ?? (body === null ? 0 : new TextEncoder().encode(body).length)
}

function pairs(record: Readonly<Record<string, string>>) {
  return Object.entries(record).map(([name, value]) => ({ name, value }))
}

function queryOf(url: string) {
  const query = url.split("#", 1)[0]!.split("?").slice(1).join("?")
  return [...new URLSearchParams(query)].map(([name, value]) => ({ name, value }))
}
