/** `/session`: decodes requests, calls one service, sets the cookie, and writes the audit log. */
import { HttpApiBuilder, HttpServerRequest } from "@effect/platform"
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Effect } from "effect"
import { Forbidden, Unauthorized } from "../../../schema/Errors.ts"
import { Api } from "../../api/Api.ts"
import { AuditLog } from "../../services/accounts/AuditLog.ts"
import { RateLimits } from "../../services/accounts/RateLimits.ts"
import { noSession, Sessions, type SignedIn } from "../../services/accounts/Sessions.ts"
import { sessionCookie } from "../access/sessionCookie.ts"
import { withinRate } from "../access/withinRate.ts"
import { auditedActionOf } from "../request/auditEntries.ts"
import { command, withRetryHeaders } from "../request/commandQuery.ts"
import { noteHeaders } from "../request/requestNotes.ts"
import { successStatusOf } from "../request/routes.ts"

/** Handlers of the group `session` of the contract. `publicUrl` decides which cookie it is. */
export const SessionHttp = (options: { readonly publicUrl: string }) =>
  HttpApiBuilder.group(Api, "session", (handlers) =>
    Effect.map(Effect.all([Sessions, RateLimits, AuditLog]), ([sessions, limits, audit]) => {
      const cookie = sessionCookie(options.publicUrl)

      /** The session of the cookie, within the rate of its key. */
      const found = Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const secret = cookie.read(request.headers)
        if (secret === undefined) return yield* new Unauthorized({ message: noSession })
        yield* cookie.refuseForged(request)
        const session = yield* sessions.find(secret)
        yield* withinRate(yield* limits.request(session.caller))
        return { secret, session }
      })
      const noted = ({ caller }: SignedIn) =>
        Effect.flatMap(auditedActionOf(caller), (auditedAction) =>
          audit.note(auditedAction, {
            status: successStatusOf(auditedAction.action),
            ...(caller.sessionId === undefined ? {} : { result: caller.sessionId })
          })
        )

      return handlers
        .handle("signIn", ({ payload }) =>
          Effect.gen(function* () {
            const request = yield* HttpServerRequest.HttpServerRequest
            yield* cookie.refuseForeign(request)
            const { socket } = NodeHttpServerRequest.toIncomingMessage(request)
            const begun = yield* sessions.signIn(payload, socket.remoteAddress ?? "")
            yield* noted(begun)
            // Whoever signs in anew leaves the session that the browser had.
            const before = cookie.read(request.headers)
            if (before !== undefined) yield* Effect.ignore(sessions.signOut(before))
            yield* noteHeaders({ "set-cookie": cookie.set(begun.secret) })
            return begun.view
          }).pipe(withRetryHeaders)
        )
        .handle("read", () => Effect.map(found, ({ session }) => session.view))
        .handle("signOut", () =>
          Effect.gen(function* () {
            const { secret, session } = yield* found
            yield* Effect.ignore(sessions.signOut(secret))
            yield* noted(session)
            yield* noteHeaders({ "set-cookie": cookie.cleared })
            return session.view
          })
        )
        .handle("makeLink", () =>
          command(({ keyId, sessionId }) =>
            sessionId === undefined
              ? sessions.makeLink(keyId)
              : new Forbidden({
                  message: "A session makes no link, or it could go on for ever: send the API key itself"
                })
          )
        )
    })
  )
