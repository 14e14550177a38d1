/** Faults of a partner's answer to a request for a list, as bytes or as HTTP. Each stands for a kind of fault. */
import type { ServerResponse } from "node:http"
import { deflateRawSync, gzipSync } from "node:zlib"
import type { Passed } from "../../../test/support/service/CountingProxy.ts"

/**
 * A fault, and what the run's lines must say of it: the outcome and kind of fault of an exchange; none: it counts as an
 * answer.
 */
export interface Rudeness {
  readonly name: string
  readonly kinds: ReadonlyArray<string>
  readonly answer: (request: Passed, response: ServerResponse, own: string) => void
  /** The answer can still be read, or we stop or may not go there, so the run may judge nothing. */
  readonly unjudged?: true
  /** Larger than our limit: nothing is held against the partner, but the run does not pass. */
  readonly tooLarge?: true
}

const bytes =
  (text: string | Buffer, end = true) =>
  (_: Passed, { socket }: ServerResponse) => {
    socket?.write(text)
    if (end) setTimeout(() => socket?.destroy(), 50) // a partner may close the connection at any time
  }
const page =
  (status: number, type: string, body: string | Buffer, headers: Record<string, string> = {}) =>
  (_: Passed, response: ServerResponse) => {
    response.writeHead(status, { "content-type": type, ...headers })
    response.end(body)
  }
const envelope = (data: unknown) =>
  JSON.stringify({ data, status_code: 1000, timestamp: "2026-01-01T00:00:00Z" })
const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"

/** Partners that do not answer. */
export const hanging: ReadonlyArray<Rudeness> = [
  { name: "accepts and says nothing", kinds: ["timeout"], answer: () => {} },
  { name: "stops in the middle of its headers", kinds: ["timeout"], answer: bytes(head, false) }
]

/** Partners that send malformed answers. */
export const garbled: ReadonlyArray<Rudeness> = [
  { name: "garbage bytes", kinds: ["malformed"], answer: bytes(Buffer.from([0, 255, 13, 10, 7, 200])) },
  { name: "half headers", kinds: ["malformed", "reset"], answer: bytes(head) },
  {
    name: "a body cut short",
    kinds: ["malformed", "reset"],
    answer: bytes(`${head}content-length: 900\r\n\r\n{"data":[`)
  },
  {
    name: "two different lengths",
    kinds: ["malformed", "reset"],
    answer: bytes(`${head}content-length: 2\r\ncontent-length: 20\r\n\r\n{}`)
  },
  {
    name: "40 KB of headers",
    kinds: ["too_large"],
    answer: bytes(`${head}x-big: ${"x".repeat(40_960)}\r\n\r\n{}`)
  }
]

/** Repeats the chunk until the reader closes. */
const endlessly = (chunk: string, everyMillis: number) => (_: Passed, response: ServerResponse) => {
  response.writeHead(200, { "content-type": "application/json" })
  const timer = setInterval(() => response.write(chunk), everyMillis)
  response.on("close", () => clearInterval(timer))
}

/** Partners whose answers are too large. */
export const huge: ReadonlyArray<Rudeness> = [
  {
    name: "10 MB",
    tooLarge: true,
    kinds: ["too_large", ""],
    answer: page(200, "application/json", Buffer.alloc(10_000_000, 32))
  },
  {
    name: "a body without end",
    tooLarge: true,
    kinds: ["too_large", "timeout"],
    answer: endlessly(" ".repeat(65_536), 1)
  },
  {
    name: "a gzip bomb",
    tooLarge: true,
    kinds: ["too_large", "malformed", ""],
    answer: page(200, "application/json", gzipSync(Buffer.alloc(50_000_000, 32)), {
      "content-encoding": "gzip"
    })
  }
]

/** Partners that answer too slowly. */
export const slow: ReadonlyArray<Rudeness> = [
  { name: "a byte every 100 ms", kinds: ["timeout"], answer: endlessly(" ", 100) }
]

/** Partners whose answers deviate in form and can still be read. */
export const odd: ReadonlyArray<Rudeness> = [
  { name: "text/plain", unjudged: true, kinds: [""], answer: page(200, "text/plain", envelope([])) },
  {
    name: "a byte order mark",
    unjudged: true,
    kinds: [""],
    answer: page(200, "application/json", `\ufeff${envelope([])}`)
  },
  {
    name: "no UTF-8",
    kinds: [""],
    answer: page(200, "application/json", Buffer.from([123, 34, 0xc3, 0x28, 34, 125]))
  },
  { name: "a login page", kinds: [""], answer: page(200, "text/html", "<html>Sign in</html>") },
  { name: "200 without a body", kinds: [""], answer: page(200, "application/json", "") },
  {
    name: "204 with a body",
    kinds: ["malformed", "reset", ""],
    answer: bytes("HTTP/1.1 204 No Content\r\ncontent-type: application/json\r\n\r\n{}")
  },
  {
    name: "deflate that is none",
    kinds: ["malformed", "reset", ""],
    answer: page(200, "application/json", deflateRawSync("{}"), { "content-encoding": "gzip" })
  }
]

/** Partners whose lists never end. */
export const endless: ReadonlyArray<Rudeness> = [
  {
    name: "a next page for ever",
    unjudged: true,
    kinds: [""],
    answer: ({ path }, response, own) => {
      const offset = Number(new URL(path, own).searchParams.get("offset") ?? 0)
      page(200, "application/json", envelope([]), {
        link: `<${own}${path.split("?")[0]}?offset=${offset + 1}>; rel="next"`
      })({} as Passed, response)
    }
  },
  {
    name: "a next page that is itself",
    unjudged: true,
    kinds: [""],
    answer: ({ path }, response, own) =>
      page(200, "application/json", envelope([]), { link: `<${own}${path}>; rel="next"` })(
        {} as Passed,
        response
      )
  },
  {
    name: "a next page at another host",
    unjudged: true,
    kinds: ["", "blocked", "dns", "other_host"],
    answer: page(200, "application/json", envelope([]), {
      link: '<http://elsewhere.invalid/locations>; rel="next"'
    })
  },
  {
    name: "a next page at a metadata address",
    unjudged: true,
    kinds: ["", "blocked"],
    answer: page(200, "application/json", envelope([]), {
      link: '<http://169.254.169.254/latest/meta-data>; rel="next"'
    })
  }
]

/** Partners that redirect. */
export const redirects: ReadonlyArray<Rudeness> = [
  {
    name: "a redirect to itself",
    kinds: [""],
    answer: ({ path }, response, own) =>
      page(302, "text/plain", "", { location: `${own}${path}` })({} as Passed, response)
  },
  {
    name: "a redirect to a metadata address",
    kinds: [""],
    answer: page(307, "text/plain", "", { location: "http://169.254.169.254/latest/meta-data" })
  }
]
