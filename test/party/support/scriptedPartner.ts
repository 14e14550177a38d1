/** A partner on a socket that answers by script. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"
import { base64 } from "../../support/parties/parties.ts"

/** One answer. A text goes out as it is, anything else as JSON. */
export interface Script {
  readonly http?: number
  readonly type?: string
  readonly headers?: Record<string, string>
  readonly body: unknown
}

/** What a scripted partner takes unless told otherwise. */
export const tokenA = "the-token-A-0123456789"

/** A successful answer with its envelope. */
export const ok = (data: unknown) => ({ data, status_code: 1000, timestamp: "2026-01-01T00:00:00Z" })

/** What an honest CPO would answer; a test replaces one answer. */
const honestCpo = (url: string): Record<string, Script> => ({
  "GET /versions": { body: ok([{ version: "2.2.1", url: `${url}/details` }]) },
  "GET /details": {
    body: ok({
      version: "2.2.1",
      endpoints: [
        { identifier: "credentials", role: "SENDER", url: `${url}/credentials/` },
        { identifier: "locations", role: "SENDER", url: `${url}/locations/` }
      ]
    })
  },
  "POST /credentials/": {
    body: ok({
      token: "their-token-C-0123456789",
      url: `${url}/versions`,
      roles: [{ role: "CPO", party_id: "CPO", country_code: "DE", business_details: { name: "A CPO" } }]
    })
  }
})

/** A partner that answers by script and takes the token in the given forms only. */
export const scripted = (
  change: (url: string) => Record<string, Script>,
  accepts: ReadonlyArray<string> = [base64(tokenA)]
) =>
  Effect.acquireRelease(
    Effect.async<{ readonly url: string; readonly close: () => void }>((resume) => {
      const server = createServer((request, response) => {
        request.resume()
        const { port } = server.address() as AddressInfo
        const url = `http://127.0.0.1:${port}`
        const answers = { ...honestCpo(url), ...change(url) }
        const known = accepts.some((form) => request.headers.authorization === `Token ${form}`)
        const script: Script | undefined = known
          ? answers[`${request.method} ${request.url}`]
          : { http: 401, body: ok(null) }
        const text = typeof script?.body === "string" ? script.body : JSON.stringify(script?.body ?? {})
        response.writeHead(script === undefined ? 404 : (script.http ?? 200), {
          "content-type": script?.type ?? "application/json",
          ...script?.headers
        })
        response.end(text)
      })
      server.listen(0, "127.0.0.1", () =>
        resume(
          Effect.succeed({
            url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
            close: () => {
              server.close()
              server.closeAllConnections()
            }
          })
        )
      )
    }),
    ({ close }) => Effect.sync(close)
  )
