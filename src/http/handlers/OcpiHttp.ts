/** The OCPI side: turns HTTP requests into `OcpiRequest` and replies into answers. `Parties` decides what is answered. */
import { HttpLayerRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Clock, Effect } from "effect"
import { PartyId } from "../../../schema/Ids.ts"
import { withoutEndSlashes } from "../../ocpi/urls.ts"
import { Parties } from "../../party/Parties.ts"
import type { OcpiReply, Root } from "../../party/wire/Request.ts"
import { InboundLimits } from "../../services/accounts/InboundLimits.ts"
import { makeInboundAdmission } from "../admission/InboundAdmission.ts"
import type { Incoming } from "../request/requestBody.ts"

/** What the OCPI side serves. */
export interface OcpiHttpOptions {
  /** Root of every URL that we hand out; the URL of a request is built from it and never from a Host header. */
  readonly publicUrl: string
  /** Also serve `/sandbox/{id}/ocpi`. */
  readonly sandbox: boolean
}

/** Routes of `/ocpi`, of the same under `/api/v1/ocpi`, and of `/sandbox/{id}/ocpi`; any method, with and without a final slash. */
export const OcpiHttp = (options: OcpiHttpOptions) =>
  HttpLayerRouter.use((router) =>
    Effect.gen(function* () {
      const parties = yield* Parties
      const publicUrl = withoutEndSlashes(options.publicUrl)
      // `plugfest sandbox` has no accounts, hence no limits.
      const admissionOf = makeInboundAdmission(yield* Effect.serviceOption(InboundLimits))

      const serve = (prefix: RegExp, rootOf: (path: string) => Root) =>
        Effect.gen(function* () {
          const request = yield* HttpServerRequest.HttpServerRequest
          const [path = "/", query = ""] = request.url.split("?", 2)
          const source = NodeHttpServerRequest.toIncomingMessage(request)
          const root = rootOf(path)
          const head = {
            method: request.method,
            path: segmentsOf(path.replace(prefix, "")),
            query: new URLSearchParams(query),
            headers: headersOf(source),
            headerNames: namesOf(source),
            url: `${publicUrl}${request.url}`,
            receivedAt: new Date(yield* Clock.currentTimeMillis).toISOString()
          }
          const reply = yield* parties.receive(root, head, admissionOf(root, source))
          return responseOf(reply)
        })

      const ours = serve(/^\/(api\/v1\/)?ocpi/, () => ({ kind: "connection" }))
      const sandbox = serve(/^\/sandbox\/[^/]+\/ocpi/, (path) => ({
        kind: "sandbox",
        partyId: PartyId.make(decodeURIComponent(path.split("/")[2] ?? ""))
      }))
      for (const path of ["/ocpi", "/ocpi/*", "/api/v1/ocpi", "/api/v1/ocpi/*"] as const) {
        yield* router.add("*", path, ours)
      }
      if (options.sandbox) {
        yield* router.add("*", "/sandbox/:id/ocpi", sandbox)
        yield* router.add("*", "/sandbox/:id/ocpi/*", sandbox)
      }
    })
  )

/** The decoded segments of a path; a final slash is ignored. */
function segmentsOf(path: string): ReadonlyArray<string> {
  const inner = path.replace(/^\//, "").replace(/\/$/, "")
  return inner === "" ? [] : inner.split("/").map(decodeURIComponent)
}

/** Header names as sent; `rawHeaders` alternates names and values. */
function namesOf({ rawHeaders }: Incoming): ReadonlyArray<string> {
  return rawHeaders.filter((_, index) => index % 2 === 0)
}

function headersOf({ headers }: Incoming): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]]
    )
  )
}

function responseOf({ body, headers, httpStatus }: OcpiReply): HttpServerResponse.HttpServerResponse {
  const lower = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  )
  return body === null
    ? HttpServerResponse.empty({ status: httpStatus, headers: lower })
    : HttpServerResponse.raw(body, {
        status: httpStatus,
        headers: { "content-length": String(Buffer.byteLength(body)), ...lower }
      })
}
