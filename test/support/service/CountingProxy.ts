/** Stands between the service and a partner and keeps what went through: the partner's own count of requests. */
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http"

export interface Passed {
  readonly method: string
  readonly path: string
  readonly requestId: string
  /** A journey run's requests carry the run's id here. */
  readonly correlationId: string
  /** Value of the Authorization header, as it was sent. */
  readonly authorization: string
  readonly body: string
}

export interface CountingProxy {
  readonly url: string
  /** Where the requests go; set once the partner's port is known. */
  target: string
  readonly passed: Array<Passed>
  /** Answers in the partner's place, rudely or not; false: it did not, and the request goes on. */
  meddle: ((request: Passed, answer: ServerResponse) => boolean) | undefined
  /** What is done before a request goes on to the partner. */
  ahead: ((request: Passed) => Promise<void>) | undefined
  readonly close: () => Promise<void>
}

export async function startCountingProxy(port: number): Promise<CountingProxy> {
  const passed: Array<Passed> = []
  const proxy: CountingProxy = {
    url: `http://127.0.0.1:${port}`,
    target: "",
    passed,
    meddle: undefined,
    ahead: undefined,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      })
  }
  const server: Server = createServer((incoming, outgoing) => {
    const chunks: Array<Buffer> = []
    incoming.on("data", (chunk) => chunks.push(chunk))
    incoming.on("end", () => {
      const seen: Passed = {
        method: incoming.method ?? "",
        path: incoming.url ?? "",
        requestId: String(incoming.headers["x-request-id"] ?? ""),
        correlationId: String(incoming.headers["x-correlation-id"] ?? ""),
        authorization: incoming.headers.authorization ?? "",
        body: Buffer.concat(chunks).toString("utf8")
      }
      passed.push(seen)
      outgoing.on("error", () => {})
      if (proxy.meddle?.(seen, outgoing) === true) return
      const hand = () => passOn(seen, incoming, outgoing)
      if (proxy.ahead === undefined) hand()
      else void proxy.ahead(seen).then(hand, () => outgoing.destroy())
    })
    incoming.on("error", () => outgoing.destroy())
  })
  const passOn = ({ body }: Passed, incoming: IncomingMessage, outgoing: ServerResponse) => {
    const onward = request(
      `${proxy.target}${incoming.url}`,
      { method: incoming.method, headers: incoming.headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      }
    )
    onward.on("error", () => outgoing.destroy())
    outgoing.on("error", () => onward.destroy())
    onward.end(body)
  }
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  return proxy
}
