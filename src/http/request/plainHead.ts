/** Direct answers: what they are, and whether the head of a request is so plain that it can be answered so. */
import type { IncomingMessage, ServerResponse } from "node:http"

/** Answers a request, or calls `general`, which answers it in the contract's way. */
export type DirectAnswers = (request: IncomingMessage, response: ServerResponse, general: () => void) => void

/** A GET whose headers change nothing of the answer but by the caller. */
export interface PlainHead {
  readonly path: string
  /** Without the question mark; undefined: none. */
  readonly query: string | undefined
  readonly authorization: string | undefined
}

/** These let the general way decide: what they ask for is rare, or refused. */
const unusual: ReadonlySet<string> = new Set(["content-length", "expect", "transfer-encoding", "upgrade"])
/** The Accept headers that most clients send, and that allow JSON. */
const plainAccepts: ReadonlySet<string> = new Set(["*/*", "application/json", "application/json, */*"])

/** The head; undefined: another method or protocol, an unusual header, a header twice, a path that is not plain ASCII. */
export function plainHead({ httpVersion, method, rawHeaders, url }: IncomingMessage): PlainHead | undefined {
  if (method !== "GET" || httpVersion !== "1.1" || url === undefined) return undefined
  let authorization: string | undefined
  let hosts = 0
  // Not `headers`, which Node would make from these: an object of all of them.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const raw = rawHeaders[at]!
    if (!lengths.has(raw.length)) continue
    const name = raw.toLowerCase()
    if (name === "host") hosts += 1
    else if (name === "authorization") {
      if (authorization !== undefined) return undefined
      authorization = rawHeaders[at + 1]!
    } else if (unusual.has(name) || (name === "accept" && !plainAccepts.has(rawHeaders[at + 1]!)))
      return undefined
  }
  if (hosts !== 1 || !/^\/[\w./-]*(?:\?[\w=&.-]*)?$/.test(url)) return undefined
  const mark = url.indexOf("?")
  return mark < 0
    ? { path: url, query: undefined, authorization }
    : { path: url.slice(0, mark), query: url.slice(mark + 1), authorization }
}

/** The methods of OCPI. */
const ocpiMethods: ReadonlySet<string | undefined> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"])
/** Longer ones are rare, and the router has a limit of its own. */
const longestPath = 256

/** The same of a partner's call with that path: nothing in its head decides about it but its token. */
export function isPlainCall({ httpVersion, method, rawHeaders }: IncomingMessage, path: string): boolean {
  if (!ocpiMethods.has(method) || httpVersion !== "1.1") return false
  if (path.length > longestPath || !/^[\x20-\x24\x26-\x7e]*$/.test(path)) return false
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const raw = rawHeaders[at]!
    if (!lengths.has(raw.length)) continue
    const name = raw.toLowerCase()
    if (name === "host") hosts += 1
    else if (name !== "content-length" && unusual.has(name)) return false
  }
  return hosts === 1
}

/** Of the names that are looked at. */
const lengths: ReadonlySet<number> = new Set(
  ["host", "authorization", "accept", ...unusual].map(({ length }) => length)
)
