/** An OpenTelemetry collector of a test's own, over HTTP. */
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"

export interface CollectedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly status: { readonly code: number }
  /** Any value, as text. */
  readonly attributes: Readonly<Record<string, string>>
}

/** `answers`: the statuses of its first answers; then 200. Closed with the scope. */
export const collector = (answers: ReadonlyArray<number> = []) =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<{
          readonly url: string
          readonly spans: () => ReadonlyArray<CollectedSpan>
          readonly requests: ReadonlyArray<{ path: string; headers: IncomingHttpHeaders; body: string }>
          readonly close: () => void
        }>((resolve) => {
          const left = [...answers]
          const requests: Array<{ path: string; headers: IncomingHttpHeaders; body: string }> = []
          const taken: Array<string> = []
          const server = createServer((request, response) => {
            let body = ""
            request.on("data", (chunk) => {
              body += chunk
            })
            request.on("end", () => {
              requests.push({ path: request.url ?? "", headers: request.headers, body })
              const status = left.shift() ?? 200
              if (status === 200) taken.push(body)
              response.writeHead(status, { "content-type": "application/json" }).end("{}")
            })
          })
          server.listen(0, "127.0.0.1", () => {
            const { port } = server.address() as AddressInfo
            resolve({
              url: `http://127.0.0.1:${port}`,
              requests,
              spans: () => taken.flatMap(spansOf),
              close: () => {
                server.closeAllConnections()
                server.close()
              }
            })
          })
        })
    ),
    ({ close }) => Effect.sync(close)
  )

function spansOf(body: string): ReadonlyArray<CollectedSpan> {
  return JSON.parse(body).resourceSpans.flatMap(({ scopeSpans }: any) =>
    scopeSpans.flatMap(({ spans }: any) =>
      spans.map((span: any) => ({
        ...span,
        attributes: Object.fromEntries(
          span.attributes.map(({ key, value }: any) => [key, String(Object.values(value)[0])])
        )
      }))
    )
  )
}
