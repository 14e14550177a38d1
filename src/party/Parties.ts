/**
 * An OCPI party that answers: version profile + role + what it holds -> answer. Our side of every connection and every
 * sandbox partner go through here; http only turns sockets into `OcpiRequest` and back.
 */
import { Cause, Clock, Context, Effect, Layer, Option } from "effect"
import type { PartyId } from "../../schema/Ids.ts"
import { ocpiStatus } from "../../schema/ocpi/envelope.ts"
import { isDatabaseDown } from "../store/DatabaseDown.ts"
import { PartyStore } from "../store/PartyStore.ts"
import { RefusedCalls } from "../store/RefusedCalls.ts"
import { answerRequest, type Served } from "./answerRequest.ts"
import { authenticate, noteUse } from "./authenticate.ts"
import { type Behaviour, Behaviours } from "./Behaviours.ts"
import { inboundExchange } from "./inboundExchange.ts"
import type { Answer, World } from "./modules/Route.ts"
import { noteFormer } from "./noteFormer.ts"
import { noteRefusal } from "./noteRefusal.ts"
import { bent, takeFault } from "./playing.ts"
import { replyOf } from "./replyOf.ts"
import { rootUrl, unmoved } from "./roots.ts"

export interface OcpiRequest {
  readonly method: string
  /** Decoded segments below the root: `["versions"]`, `[version]`, `[version, "locations", "LOC1"]`. */
  readonly path: ReadonlyArray<string>
  readonly query: URLSearchParams
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** The names as the caller spelt them, where that is known. */
  readonly headerNames?: ReadonlyArray<string>
  readonly body: string
  /** The URL as it was asked for (built from PUBLIC_URL), for the record. */
  readonly url: string
  readonly receivedAt: string
}

export interface OcpiReply {
  readonly httpStatus: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** Where a request came in: our own discovery root, or the root of one sandbox partner. */
export type Root = { readonly kind: "connection" } | { readonly kind: "sandbox"; readonly partyId: PartyId }

export class Parties extends Context.Tag("party/Parties")<
  Parties,
  {
    /**
     * Answers one OCPI request: authenticates the token (HTTP 401 without), routes by version, module and interface
     * role, keeps what came, records the exchange (before the answer leaves), never fails. Dies with `DatabaseDown`
     * while the database is away: that is for the server to say.
     */
    readonly serve: (root: Root, request: OcpiRequest) => Effect.Effect<OcpiReply>
  }
>() {
  /** `publicUrl`: where we are reached from outside; every URL that is handed out begins with it. */
  static readonly layer = (options: { readonly publicUrl: string }) =>
    Layer.effect(
      Parties,
      Effect.gen(function* () {
        const world = yield* Effect.context<World>()
        const store = yield* PartyStore
        const behaviours = yield* Behaviours
        // A sandbox that runs alone has nothing to remember them in.
        const refusedCalls = yield* Effect.serviceOption(RefusedCalls)

        const serveParty = Effect.fn("Parties.serveParty")(function* (
          root: Root,
          request: OcpiRequest,
          known: Extract<Served, { readonly kind: "known" }>
        ) {
          const { party } = known
          const started = yield* Clock.currentTimeMillis
          const secretsBefore = yield* store.tokens(party.id)
          yield* noteUse(known, request.path, secretsBefore)
          const { answer, exchange } = yield* answerRequest(rootUrl(options.publicUrl, root), request, known)
          const honest = yield* replyOf(request, answer, { party, module: exchange.module })
          const played = party.kind === "sandbox" ? undefined : yield* takeFault(party, exchange.module)
          const reply: ReturnType<Behaviour["reply"]> =
            party.kind === "sandbox"
              ? behaviours.of(party).reply(request, honest)
              : played === undefined
                ? honest
                : bent(played, honest, { request, version: party.version })
          const delayMillis = reply.delayMillis ?? 0
          const secrets = [...secretsBefore, ...(yield* store.tokens(party.id))]
          const durationMs = (yield* Clock.currentTimeMillis) - started + delayMillis
          const recorded = inboundExchange(request, reply, {
            ...exchange,
            durationMs,
            secrets,
            ...(played === undefined ? {} : { bent: { fault: played.fault, from: honest } })
          })
          yield* store.record(party.id, recorded)
          yield* noteRefusal(party.id, answer, recorded)
          return yield* delayed(reply)
        })

        /** Whoever knows no token writes nothing here. */
        const refuse = Effect.fn("Parties.refuse")(function* (root: Root, request: OcpiRequest) {
          const honest = yield* replyOf(request, unauthorized)
          if (root.kind === "connection") return honest
          // A sandbox partner may be lax, or clumsy, at its own door.
          const partner = Option.filter(yield* store.find(root.partyId), ({ kind }) => kind === "sandbox")
          return Option.isNone(partner)
            ? honest
            : yield* delayed(behaviours.of(partner.value).reply(request, honest))
        })

        const serve = Effect.fn("Parties.serve")(function* (root: Root, asked: OcpiRequest) {
          const request = { ...asked, path: unmoved(asked.path.filter((segment) => segment !== "")) }
          const who = yield* authenticate(root, request)
          if (who.kind === "known") return yield* serveParty(root, request, who)
          if (who.kind === "refused") {
            const reply = yield* refuse(root, request)
            if (who.former !== undefined) yield* noteFormer(who.former, request, reply)
            return reply
          }
          const { answer } = yield* answerRequest(rootUrl(options.publicUrl, root), request, who)
          return yield* replyOf(request, answer)
        })

        return Parties.of({
          serve: (root, request) =>
            serve(root, request).pipe(
              Effect.provide(world),
              Effect.tapErrorCause((cause) =>
                Option.isNone(refusedCalls) || Cause.isInterruptedOnly(cause)
                  ? Effect.void
                  : refusedCalls.value.note
              ),
              Effect.catchAllCause((cause) =>
                isDatabaseDown(cause)
                  ? Effect.failCause(cause)
                  : Effect.zipRight(
                      Effect.logError("An OCPI request broke us", cause),
                      replyOf(request, broken)
                    )
              )
            )
        })
      })
    )
}

function delayed(reply: ReturnType<Behaviour["reply"]>): Effect.Effect<OcpiReply> {
  const { body, delayMillis = 0, headers, httpStatus } = reply
  const plain = Effect.succeed({ httpStatus, headers, body })
  return delayMillis > 0 ? Effect.delay(plain, delayMillis) : plain
}

const unauthorized: Answer = {
  httpStatus: 401,
  statusCode: ocpiStatus.clientError,
  message: "The Authorization header must be `Token` with a token that we issued",
  headers: { "WWW-Authenticate": "Token" }
}

const broken: Answer = {
  httpStatus: 500,
  statusCode: ocpiStatus.serverError,
  message: "This request broke something on our side"
}
