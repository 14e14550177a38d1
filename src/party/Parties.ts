/**
 * Answers OCPI requests: version profile + role + what the party holds -> answer. Our side of every connection and every
 * sandbox partner use this code; HTTP only turns sockets into `OcpiRequest` and back.
 */
import { Cause, Context, Effect, FiberRef, Layer, Option, Tracer } from "effect"
import type { PartyId } from "../../schema/Ids.ts"
import { ocpiStatus } from "../../schema/ocpi/envelope.ts"
import { isDatabaseDown } from "../database/DatabaseDown.ts"
import { RefusedCalls } from "../store/parties/exchanges/RefusedCalls.ts"
import { PartyStore } from "../store/parties/PartyStore.ts"
import { answerRequest, type Served } from "./inbound/answerRequest.ts"
import { authenticate, type CallerIdentity, callerInMemory, isNews, noteUse } from "./inbound/authenticate.ts"
import { takeFault, withFault } from "./inbound/faultInjection.ts"
import { inboundExchange } from "./inbound/inboundExchange.ts"
import { noteRefusal } from "./inbound/noteRefusal.ts"
import { isAtResponseUrl, recordRefusedCall } from "./inbound/recordRefusedCall.ts"
import { refusedEvidence } from "./inbound/refusedEvidence.ts"
import { replyOf } from "./inbound/replyOf.ts"
import type { ModuleAnswer, ModuleServices } from "./modules/Route.ts"
import { rememberTokens } from "./outbound/rememberTokens.ts"
import { type Admission, admitEverything, type InboundCaller, NotAdmitted } from "./wire/Admission.ts"
import { type Behaviour, PartnerQuirks } from "./wire/PartnerQuirks.ts"
import type { OcpiBody, OcpiHead, OcpiReply, OcpiRequest, Root } from "./wire/Request.ts"
import { rootUrl, unmoved } from "./wire/roots.ts"

/** The OCPI server of all parties. */
export class Parties extends Context.Tag("party/Parties")<
  Parties,
  {
    /**
     * Answers one OCPI request: authenticates the token (HTTP 401 without one), routes by version, module and interface
     * role, stores what the request brings, and records the exchange before the answer leaves. Never fails. Dies with
     * `DatabaseDown` while the database is away; the HTTP server answers that.
     */
    readonly serve: (root: Root, request: OcpiRequest) => Effect.Effect<OcpiReply>
    /** What `receive` works with. Run it in a fiber with exactly this context: then no contexts are merged for the request. */
    readonly context: Context.Context<ModuleServices>
    /** The same for a request whose body is read only once it is admitted. Fails as `admission` does. */
    readonly receive: <E>(root: Root, head: OcpiHead, admission: Admission<E>) => Effect.Effect<OcpiReply, E>
  }
>() {
  /** `publicUrl`: where we are reached from outside; every URL that we hand out begins with it. */
  static readonly layer = (options: { readonly publicUrl: string }) =>
    Layer.effect(
      Parties,
      Effect.gen(function* () {
        const world = yield* Effect.context<ModuleServices>()
        // Replaces the caller's context instead of merging two large ones for each request; only the parent span is carried over.
        const inWorld = <A, E>(work: Effect.Effect<A, E, ModuleServices>) =>
          Effect.withFiberRuntime<A, E>((fiber) => {
            const caller = fiber.getFiberRef(FiberRef.currentContext)
            if (caller === world) return work as Effect.Effect<A, E>
            return Effect.mapInputContext(work, () =>
              Option.match(Context.getOption(caller, Tracer.ParentSpan), {
                onNone: () => world,
                onSome: (span) => Context.add(world, Tracer.ParentSpan, span)
              })
            )
          })
        const store = yield* PartyStore
        const quirks = yield* PartnerQuirks
        // A standalone sandbox has no store for them.
        const refusedCalls = yield* Effect.serviceOption(RefusedCalls)

        /** Undefined: the party or its tokens changed after this process last read them; nothing was done. */
        const serveParty = Effect.fnUntraced(function* (
          root: Root,
          request: OcpiRequest,
          known: Exclude<Served, { readonly kind: "anonymous" }>
        ) {
          const { party } = known
          const clock = yield* Effect.clock
          const started = clock.unsafeCurrentTimeMillis()
          if (known.kind === "returning" || known.asOf === undefined) yield* noteUse(known, request.path)
          const ours = rootUrl(options.publicUrl, root)
          const answered = yield* answerRequest(ours, request, known, started)
          if (answered === undefined) return undefined
          const { answer, asOf, exchange } = answered
          const honest = replyOf(request, answer, clock.unsafeCurrentTimeMillis(), {
            party,
            module: exchange.module
          })
          const isFaulty = party.kind !== "sandbox" && party.playing !== undefined
          const injected = isFaulty ? yield* takeFault(party, exchange.module) : undefined
          const reply: ReturnType<Behaviour["reply"]> =
            party.kind === "sandbox"
              ? quirks.of(party).reply(request, honest)
              : injected === undefined
                ? honest
                : withFault(injected, honest, { request, version: party.version })
          const delayMillis = reply.delayMillis ?? 0
          yield* rememberTokens(party.id, request.body, reply.body, exchange.module)
          const secrets =
            known.kind === "known" && exchange.module !== "credentials"
              ? known.keyring.secrets
              : yield* store.secrets(party.id)
          const durationMs = clock.unsafeCurrentTimeMillis() - started + delayMillis
          const whole = inboundExchange(request, reply, {
            ...exchange,
            durationMs,
            secrets,
            statusCode: reply.body === honest.body ? answer.statusCode : undefined,
            ...(injected === undefined ? {} : { injected: { fault: injected.fault, from: honest } })
          })
          const isRefused = answer.httpStatus >= 400 || answer.statusCode >= ocpiStatus.clientError
          const recorded = isRefused ? yield* refusedEvidence(party.id, whole, request.body) : whole
          const isRecorded = yield* store.record(party.id, recorded, isRefused ? "refused" : undefined, asOf)
          if (!isRecorded) return undefined
          if (isRefused) yield* noteRefusal(party.id, answer, recorded)
          return reply
        })

        /** Answers 401. A caller without a known token causes no write, but at a response_url of ours (recordRefusedCall). */
        const refuse = Effect.fnUntraced(function* (root: Root, request: OcpiRequest) {
          const honest = yield* replyNow(request, unauthorized)
          if (root.kind === "connection") return honest
          // A sandbox partner's faults apply to its 401 too.
          const partner = Option.filter(yield* store.find(root.partyId), ({ kind }) => kind === "sandbox")
          return Option.isNone(partner) ? honest : quirks.of(partner.value).reply(request, honest)
        })

        /**
         * A caller that is known from this process's memory is confirmed by what its request changes (answerRequest), or else by the
         * record of its exchange. If it is to be noted how it calls, or a fault is to be injected, it is confirmed first.
         */
        const answered = (
          root: Root,
          request: OcpiRequest,
          who: CallerIdentity
        ): Effect.Effect<OcpiReply, never, ModuleServices> => {
          if (who.kind !== "known" || who.asOf === undefined) return answeredTo(root, request, who)
          const { asOf, ...now } = who
          if (!isNews(who, request.path) && !who.party.playing?.length) return answeredTo(root, request, who)
          return Effect.flatMap(store.isCurrent(who.party.id, asOf), (isCurrent) =>
            isCurrent
              ? answeredTo(root, request, now)
              : Effect.flatMap(authenticate(root, request), (found) => answeredTo(root, request, found))
          )
        }

        const answeredTo = (
          root: Root,
          request: OcpiRequest,
          who: CallerIdentity
        ): Effect.Effect<OcpiReply, never, ModuleServices> =>
          who.kind === "known" || who.kind === "returning"
            ? Effect.flatMap(serveParty(root, request, who), (served) =>
                served !== undefined
                  ? Effect.succeed(served)
                  : // Authenticated by the database this time: what it says cannot be out of date again.
                    Effect.flatMap(authenticate(root, request), (now) => answeredTo(root, request, now))
              )
            : withoutParty(root, request, who)

        const withoutParty = Effect.fnUntraced(function* (
          root: Root,
          request: OcpiRequest,
          who: Exclude<CallerIdentity, { readonly kind: "known" | "returning" }>
        ) {
          const now = (yield* Effect.clock).unsafeCurrentTimeMillis()
          const ours = rootUrl(options.publicUrl, root)
          const anonymous =
            who.kind === "anonymous" ? yield* answerRequest(ours, request, who, now) : undefined
          const reply =
            anonymous === undefined ? yield* refuse(root, request) : replyOf(request, anonymous.answer, now)
          const retired = who.kind === "refused" ? who.retired : undefined
          // Recorded concurrently: the time of the 401 must not reveal that the token was once accepted, or what the path is.
          if (retired !== undefined || (root.kind === "connection" && isAtResponseUrl(request)))
            yield* recordRefusedCall(retired, request, reply).pipe(
              Effect.provide(world),
              Effect.catchAllCause((cause) =>
                Effect.logWarning(
                  "A call without an accepted token was refused, but could not be recorded",
                  cause
                )
              ),
              Effect.forkDaemon
            )
          return reply
        })

        const noteMissed = (whose: PartyId | undefined) =>
          Option.isNone(refusedCalls) ? Effect.void : refusedCalls.value.note(whose)

        /**
         * Turns every defect into HTTP 500, so that an error of ours never looks like one of the partner's. `whose`: the party that was
         * called, once it is known.
         */
        const orServerError = <A, E>(
          head: OcpiHead,
          whose: PartyId | undefined,
          work: Effect.Effect<A, E, ModuleServices>
        ) =>
          work.pipe(
            Effect.catchAllCause((cause): Effect.Effect<A | OcpiReply, E> => {
              if (Cause.isInterruptedOnly(cause) || Cause.isFailure(cause)) return Effect.failCause(cause)
              const isAway = isDatabaseDown(cause)
              // `orServerError` wraps the lookup of the caller and, within it, the serving: the outer call records the outage.
              if (isAway && whose !== undefined) return Effect.failCause(cause)
              return Effect.zipRight(
                noteMissed(whose),
                isAway
                  ? Effect.failCause(cause)
                  : Effect.zipRight(
                      Effect.logError(
                        "An OCPI request failed by an error of ours; it was answered HTTP 500",
                        cause
                      ),
                      replyNow(head, broken)
                    )
              )
            })
          )

        const receive = <E>(root: Root, asked: OcpiHead, admission: Admission<E>) => {
          const head = { ...asked, path: unmoved(asked.path.filter((segment) => segment !== "")) }
          const refusedAs = (whose: PartyId | undefined) => (refused: NotAdmitted) =>
            Effect.zipRight(
              // No run waits for a request without an accepted token.
              whose === undefined ? Effect.void : noteMissed(whose),
              replyNow(head, refusalOf(refused))
            )
          const served = (who: CallerIdentity) => {
            const caller = callerOf(who, head)
            const whose = caller?.party.id
            const serving = (body: OcpiBody) =>
              orServerError(head, whose, answered(root, { ...head, ...body }, who))
            return Effect.catchIf(admission.admit(caller, serving), isNotAdmitted, refusedAs(whose))
          }
          const identified = Effect.suspend(() => {
            const held = callerInMemory(store, root, head)
            if (held !== undefined) return served(held)
            return Effect.catchIf(
              Effect.flatMap(admission.lookUp(authenticate(root, head)), served),
              isNotAdmitted,
              refusedAs(undefined)
            )
          })
          return inWorld(Effect.flatMap(orServerError(head, undefined, identified), delayed))
        }

        return Parties.of({
          context: world,
          serve: (root, { body, ...head }) => receive(root, head, admitEverything(body)),
          receive
        })
      })
    )
}

const replyNow = (request: OcpiHead, answer: ModuleAnswer): Effect.Effect<OcpiReply> =>
  Effect.clockWith((clock) => Effect.succeed(replyOf(request, answer, clock.unsafeCurrentTimeMillis())))

function delayed(reply: ReturnType<Behaviour["reply"]>): Effect.Effect<OcpiReply> {
  const { body, delayMillis = 0, headers, httpStatus } = reply
  const plain = Effect.succeed({ httpStatus, headers, body })
  return delayMillis > 0 ? Effect.delay(plain, delayMillis) : plain
}

/**
 * The caller for admission; undefined without an accepted token. A retired token counts as an unknown one, so that its
 * 401 takes as long.
 */
function callerOf(who: CallerIdentity, { path }: OcpiHead): InboundCaller | undefined {
  return who.kind === "known" ? { party: who.party, callsBack: path[1] === "credentials" } : undefined
}

const isNotAdmitted = (error: unknown): error is NotAdmitted => error instanceof NotAdmitted

const refusalOf = ({ httpStatus, message, retryAfterSeconds }: NotAdmitted): ModuleAnswer => ({
  httpStatus,
  statusCode: httpStatus === 429 ? ocpiStatus.clientError : ocpiStatus.serverError,
  message,
  headers: { "Retry-After": String(retryAfterSeconds) }
})

const unauthorized: ModuleAnswer = {
  httpStatus: 401,
  statusCode: ocpiStatus.clientError,
  message: "The Authorization header must be Token with a token that we issued",
  headers: { "WWW-Authenticate": "Token" }
}

const broken: ModuleAnswer = {
  httpStatus: 500,
  statusCode: ocpiStatus.serverError,
  message: "This request broke something on our side"
}
