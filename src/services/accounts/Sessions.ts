/**
 * Sessions of the console. Each is bound to an API key, may do what that key may do, and ends with it. The key is looked up at
 * every request, so a revoked key ends its sessions at once in every process.
 */
import { Context, Effect, Layer, Option, Redacted } from "effect"
import {
  allScopes,
  type Caller,
  type SessionView,
  type SignIn,
  type SignInLink
} from "../../../schema/Account.ts"
import { Invalid, TooMany, Unauthorized } from "../../../schema/Errors.ts"
import type { KeyId } from "../../../schema/Ids.ts"
import { everyHour } from "../../database/everyHour.ts"
import { withoutEndSlashes } from "../../ocpi/urls.ts"
import { KeyStore } from "../../store/accounts/KeyStore.ts"
import { type Session, SessionStore } from "../../store/accounts/SessionStore.ts"
import { traced } from "../../telemetry/traced.ts"
import { ApiKeys } from "./ApiKeys.ts"
import { AuditLog } from "./AuditLog.ts"
import { RateLimits } from "./RateLimits.ts"

/** The text of every refused sign-in; the same for every reason. */
const refusedSignIn =
  "This signs nobody in: the API key is unknown, revoked or expired, or the code was used before or is too old. Make a key with plugfest keys create, or a link with plugfest open"

/** The text for a request whose session has ended, or that has none. */
export const noSession =
  "There is no session: it has ended, or nobody has signed in. Sign in with POST /api/v1/session"

/** Name of the API key behind the sign-in links that the command line prints; the console shows it as the signed-in user's. */
const terminalKey = "terminal sign-in"
/** Names that it has in databases of this release and of earlier ones. */
const terminalKeys: ReadonlyArray<string> = [terminalKey, "links of the terminal"]

/** A session with its caller. */
export interface SignedIn {
  readonly caller: Caller
  readonly view: SessionView
}

/** Begins, reads and ends sessions, and makes links that begin one. */
export class Sessions extends Context.Tag("services/Sessions")<
  Sessions,
  {
    /** Begins a session. `address`: where the request comes from; its failed sign-ins are counted. */
    readonly signIn: (
      credential: SignIn,
      address: string
    ) => Effect.Effect<
      SignedIn & { readonly sessionId: string; readonly secret: Redacted.Redacted<string> },
      Unauthorized | Invalid | TooMany
    >
    /** The session with this secret, and notes its use. */
    readonly find: (secret: Redacted.Redacted<string>) => Effect.Effect<SignedIn, Unauthorized>
    /** Ends the session with this secret. */
    readonly signOut: (secret: Redacted.Redacted<string>) => Effect.Effect<SignedIn, Unauthorized>
    /** A link that signs one browser in with this key, once, within ten minutes. */
    readonly makeLink: (keyId: KeyId) => Effect.Effect<SignInLink>
    /**
     * A link for whoever sits at the terminal of the service: of a key of account `default` with all scopes whose text
     * nobody knows. That key is made at the first such link, and after it was revoked.
     */
    readonly makeTerminalLink: Effect.Effect<SignInLink, TooMany>
  }
>() {
  /** Removes ended sessions and codes every hour. `publicUrl`: root of the links. */
  static readonly layer = (options: { readonly publicUrl: string }) =>
    Layer.scoped(
      Sessions,
      Effect.gen(function* () {
        const store = yield* SessionStore
        const keys = yield* KeyStore
        const apiKeys = yield* ApiKeys
        const audit = yield* AuditLog
        const limits = yield* RateLimits
        yield* everyHour(store.prune, "Ended sessions could not be removed")

        const signedIn = (session: Session) =>
          Effect.map(
            keys.findById(session.keyId),
            Option.map(
              ({ caller, expiresAt, name }): SignedIn => ({
                caller: { ...caller, sessionId: session.id },
                view: {
                  keyId: caller.keyId,
                  name,
                  scopes: caller.scopes,
                  expiresAt:
                    expiresAt !== null && expiresAt < session.expiresAt ? expiresAt : session.expiresAt
                }
              })
            )
          )

        const keyOf = ({ apiKey, code }: SignIn) => {
          if (apiKey !== undefined)
            return Effect.map(
              keys.findByKey(Redacted.make(apiKey)),
              Option.map(({ keyId }) => keyId)
            )
          return store.useCode(Redacted.make(code ?? ""))
        }

        const signIn = traced("Sessions.signIn")(function* (credential: SignIn, address: string) {
          if ((credential.apiKey === undefined) === (credential.code === undefined))
            return yield* new Invalid({ message: "Give either apiKey or code" })
          const attempt = Effect.gen(function* () {
            const keyId = yield* keyOf(credential)
            // Looked up once more: `findByKey` may answer from memory.
            const valid = Option.isSome(keyId) ? yield* keys.findById(keyId.value) : Option.none()
            return Option.isSome(valid) ? valid.value : yield* new Unauthorized({ message: refusedSignIn })
          })
          const { caller } = yield* limits.signIn(address, attempt)
          // The call that made a link has been counted.
          if (credential.apiKey !== undefined) yield* withinRate(caller)
          const { secret, session } = yield* store.begin(caller.keyId)
          const begun = yield* signedIn(session)
          if (Option.isNone(begun)) return yield* new Unauthorized({ message: refusedSignIn })
          return { ...begun.value, sessionId: session.id, secret }
        })

        /** A sign-in is a request of its key, or a key of few scopes could fill the sessions and the audit log. */
        const withinRate = Effect.fnUntraced(function* (caller: Caller) {
          const { allowed, standing } = yield* limits.request(caller)
          if (allowed) return
          const seconds = standing.resetSeconds
          return yield* new TooMany({
            message: `At most ${standing.limit} requests a minute a key; try again in ${seconds} s`,
            retryAfterSeconds: seconds,
            rate: { policy: "default", ...standing }
          })
        })

        const found = Effect.fnUntraced(function* (session: Option.Option<Session>) {
          const known = Option.isSome(session) ? yield* signedIn(session.value) : Option.none()
          return Option.isSome(known) ? known.value : yield* new Unauthorized({ message: noSession })
        })
        const find = traced("Sessions.find")((secret: Redacted.Redacted<string>) =>
          Effect.flatMap(store.use(secret), found)
        )
        const signOut = traced("Sessions.signOut")((secret: Redacted.Redacted<string>) =>
          Effect.flatMap(store.end(secret), found)
        )

        const makeLink = traced("Sessions.makeLink")(function* (keyId: KeyId) {
          const { code, expiresAt } = yield* store.makeCode(keyId)
          return {
            url: `${withoutEndSlashes(options.publicUrl)}/sign-in#code=${Redacted.value(code)}`,
            expiresAt
          }
        })

        const makeTerminalLink = Effect.gen(function* () {
          const { ownerId } = yield* keys.account("default")
          const known = (yield* keys.list(ownerId)).find(
            ({ expiresAt, name, revokedAt, scopes }) =>
              terminalKeys.includes(name) &&
              revokedAt === null &&
              expiresAt === null &&
              allScopes.every((scope) => scopes.includes(scope))
          )
          const order = { name: terminalKey, scopes: allScopes }
          const made = Effect.gen(function* () {
            // The operator has all scopes, so none is refused.
            const { view } = yield* Effect.catchTag(apiKeys.create(ownerId, order), "Forbidden", Effect.die)
            yield* audit.note({ ownerId, action: "settings.createKey" }, { status: 201, result: view._id })
            return view
          })
          const { _id } = known ?? (yield* made)
          yield* audit.note({ ownerId, action: "session.makeLink", target: _id }, { status: 201 })
          return yield* makeLink(_id)
        })

        return Sessions.of({ signIn, find, signOut, makeLink, makeTerminalLink })
      })
    )
}
