/** Turns HTTP requests of the OCPI side into `OcpiRequest`, and replies into answers. `Parties` decides what is answered. */
import { HttpServerResponse } from "@effect/platform"
import { Clock, Context, Effect, Layer, Option } from "effect"
import { PartyId } from "../../../schema/Ids.ts"
import { withoutEndSlashes } from "../../ocpi/urls.ts"
import { Parties } from "../../party/Parties.ts"
import { isoOf } from "../../party/wire/instants.ts"
import type { OcpiReply, Root } from "../../party/wire/Request.ts"
import { InboundLimits } from "../../services/accounts/InboundLimits.ts"
import { SecretBox } from "../../store/secrets/SecretBox.ts"
import { makeInboundAdmission } from "../admission/InboundAdmission.ts"
import { makeRefusedTokens } from "../admission/refusedTokens.ts"
import { type BodyRejected, hasUnreadRest, type Incoming } from "../request/requestBody.ts"
import { deliveryHeader, makeDeliveryOf } from "./delivery.ts"

/** Serves requests whose path is on the OCPI side. */
export class OcpiReceiver extends Context.Tag("http/OcpiReceiver")<
  OcpiReceiver,
  {
    /** Are sandbox partners served too? */
    readonly sandbox: boolean
    /** Run `receive` in a fiber with exactly this context: then no contexts are merged for the request (`Parties.context`). */
    readonly context: Context.Context<never>
    /** Reads the body once the request is admitted; fails when it cannot be read. */
    readonly receive: (source: Incoming) => Effect.Effect<HttpServerResponse.HttpServerResponse, BodyRejected>
  }
>() {
  /** `publicUrl`: root of every URL that we hand out; the URL of a request is built from it and never from a Host header. */
  static readonly layer = (options: { readonly publicUrl: string; readonly sandbox: boolean }) =>
    Layer.effect(
      OcpiReceiver,
      Effect.gen(function* () {
        const parties = yield* Parties
        const publicUrl = withoutEndSlashes(options.publicUrl)
        // `plugfest sandbox` has no accounts, hence no limits.
        const admissionOf = makeInboundAdmission(yield* Effect.serviceOption(InboundLimits))
        const noteRefused = makeRefusedTokens()
        // `plugfest sandbox` has no keys, and no balancer before it.
        const box = yield* Effect.serviceOption(SecretBox)
        const deliveryOf = Option.isSome(box) ? makeDeliveryOf(box.value.digest) : () => undefined

        const receive = (source: Incoming) =>
          Clock.clockWith((clock) => {
            const url = source.url ?? "/"
            const [path = "/", query = ""] = url.split("?", 2)
            const root = rootOf(path)
            const delivery = deliveryOf(source.headers[deliveryHeader])
            const head = {
              method: source.method ?? "GET",
              path: segmentsOf(path.replace(prefix, "")),
              query: new URLSearchParams(query),
              headers: headersOf(source),
              headerNames: namesOf(source),
              url: `${publicUrl}${url}`,
              receivedAt: isoOf(clock.unsafeCurrentTimeMillis()),
              ...(delivery === undefined ? {} : { delivery })
            }
            return Effect.flatMap(parties.receive(root, head, admissionOf(root, source)), (reply) => {
              const answer = responseOf(reply)
              const response = hasUnreadRest(source)
                ? HttpServerResponse.setHeader(answer, "connection", "close")
                : answer
              // Our own suites send wrong tokens to sandbox partners.
              const isRefused = reply.httpStatus === 401 && root.kind === "connection"
              return isRefused ? Effect.as(noteRefused(source), response) : Effect.succeed(response)
            })
          })
        return { receive, sandbox: options.sandbox, context: parties.context }
      })
    )
}

/** What comes before the path that a party sees. */
const prefix = /^(?:(?:\/api\/v1)?|\/sandbox\/[^/]+)\/ocpi/

const rootOf = (path: string): Root =>
  path.startsWith("/sandbox/")
    ? { kind: "sandbox", partyId: PartyId.make(decodeURIComponent(path.split("/")[2] ?? "")) }
    : { kind: "connection" }

/** The decoded segments of a path; a final slash is ignored. */
function segmentsOf(path: string): ReadonlyArray<string> {
  const inner = path.replace(/^\//, "").replace(/\/$/, "")
  return inner === "" ? [] : inner.split("/").map(decodeURIComponent)
}

/** Header names as sent; `rawHeaders` alternates names and values. */
function namesOf({ rawHeaders }: Incoming): ReadonlyArray<string> {
  const names: Array<string> = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!
    if (name.toLowerCase() !== deliveryHeader) names.push(name)
  }
  return names
}

function headersOf({ headers }: Incoming): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined && name !== deliveryHeader)
      texts[name] = Array.isArray(value) ? value.join(", ") : value
  }
  return texts
}

function responseOf({ body, headers, httpStatus }: OcpiReply): HttpServerResponse.HttpServerResponse {
  return body === null
    ? HttpServerResponse.empty({ status: httpStatus, headers })
    : HttpServerResponse.raw(body, {
        status: httpStatus,
        headers: { "content-length": String(Buffer.byteLength(body)), ...headers }
      })
}
