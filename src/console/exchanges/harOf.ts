/** Exchanges as an HTTP Archive 1.2. Secrets are placeholders already. Pure. */
import type { Data } from "../../client/plugfest.ts"

type Exchange = Data<"connections.exchanges">[number]
type Message = Exchange["request"] | NonNullable<Exchange["response"]>

/** The archive as JSON text; custom fields begin with an underscore, as HAR requires. */
export const harOf = (exchanges: ReadonlyArray<Exchange>): string =>
  JSON.stringify(
    {
      log: {
        version: "1.2",
        creator: { name: "plugfest", version: "1.0" },
        entries: exchanges.toSorted((a, b) => a.startedAt.localeCompare(b.startedAt)).map(entryOf)
      }
    },
    undefined,
    2
  )

function entryOf({
  direction,
  durationMs,
  fault,
  id,
  outcome,
  request,
  response,
  startedAt,
  timings
}: Exchange) {
  return {
    startedDateTime: startedAt,
    time: Math.max(0, durationMs),
    request: {
      method: request.method,
      url: request.url,
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: pairs(request.headers),
      queryString: queryOf(request.url),
      ...(request.body === null
        ? {}
        : { postData: { mimeType: typeOf(request), params: [], text: request.body, ...cut(request) } }),
      headersSize: -1,
      bodySize: sizeOf(request)
    },
    // Without an answer the status is 0, as browsers export it.
    response: {
      status: response?.httpStatus ?? 0,
      statusText: response === null ? outcome : "",
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: pairs(response?.headers ?? {}),
      content:
        response === null
          ? { size: 0, mimeType: "x-unknown" }
          : {
              size: sizeOf(response),
              mimeType: typeOf(response),
              ...(response.body === null ? {} : { text: response.body, ...cut(response) })
            },
      redirectURL: response?.headers["location"] ?? "",
      headersSize: -1,
      bodySize: response === null ? -1 : sizeOf(response)
    },
    cache: {},
    timings: timingsOf(durationMs, timings),
    _id: id,
    _direction: direction,
    ...(fault === undefined ? {} : { _error: `${fault.kind}: ${fault.message}` })
  }
}

/** A name of HAR for each part of the time; -1: not measured apart. They add up to the whole. */
function timingsOf(durationMs: number, timings: Exchange["timings"]) {
  const connect = timings?.connectMs ?? -1
  const left = Math.max(0, durationMs) - Math.max(0, connect)
  const wait = rounded(timings?.answerMs ?? left)
  return { connect, send: 0, wait, receive: rounded(left - wait) }
}
const rounded = (millis: number) => Math.round(10 * Math.max(0, millis)) / 10

const pairs = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }))
const typeOf = ({ headers }: Message) => headers["content-type"] ?? "application/octet-stream"
const cut = ({ truncated }: Message) => (truncated ? { _truncated: true } : {})
const sizeOf = ({ body, bodyBytes }: Message) => bodyBytes ?? new TextEncoder().encode(body ?? "").length
const queryOf = (url: string) =>
  URL.canParse(url) ? [...new URL(url).searchParams].map(([name, value]) => ({ name, value })) : []
