/**
 * The egress guard: for any URL of a partner or a caller, we connect only to public addresses, or to those that the
 * operator has allowed. It checks twice: when a URL is given (`check`), and at each new socket (`lookup`), which connects
 * to the very address that was checked, so that a name cannot resolve differently in between.
 */

import type { LookupAddress } from "node:dns"
import type { LookupFunction } from "node:net"
import { networkInterfaces } from "node:os"
import { Context, Data, Effect, Layer } from "effect"
import { traced } from "../telemetry/traced.ts"
import { deniedAddress, literalAddress, parseCidrs, portAllowed } from "./addresses.ts"
import { everywhere, isLocalName, isReserved, isWildcard, type OwnHosts } from "./ownHosts.ts"
import { makeResolve, type Resolve } from "./resolveName.ts"
import { withoutEndSlashes } from "./urls.ts"

/** The guard refused, and nothing was sent. `message` says what to change, and never lists a name's addresses. */
export class EgressBlocked extends Data.TaggedError("EgressBlocked")<{
  readonly reason: "url" | "scheme" | "userinfo" | "port" | "address" | "own"
  readonly message: string
}> {}

/** The rule that decides about a URL, by what may be called: `none` where the name does not resolve, and a call would say so. */
type EgressRule = EgressBlocked["reason"] | "sandbox" | "allowed_range" | "public" | "none"

/** What the guard says about a URL, and which rule says it. */
interface EgressDecision {
  readonly allowed: boolean
  readonly rule: EgressRule
  readonly message: string
}

/** What the operator allows, and which addresses are our own. */
export interface EgressOptions extends OwnHosts {
  /** Ranges that partners may use although they are not public (EGRESS_ALLOW_CIDRS). */
  readonly allowCidrs: ReadonlyArray<string>
  /** Plain HTTP is allowed to public addresses (ALLOW_HTTP). To allowed private ones it always is. */
  readonly allowHttp?: boolean
  /** Default: what the machine knows. */
  readonly resolve?: Resolve
}

/** A URL whose form and literal address are allowed. */
interface EgressTarget {
  readonly url: URL
  /** It is under a trusted prefix, whose addresses are not checked. */
  readonly trusted: boolean
}

/** The decision about a URL without asking DNS. */
type Classified =
  | ({ readonly ok: true } & EgressTarget)
  | { readonly ok: false; readonly blocked: EgressBlocked }

/** Longest URL that is accepted. */
const maxUrlLength = 8192

const resolveByMachine = makeResolve()

/** The pure part of the check: form, scheme, userinfo, port, our own addresses and literal addresses. */
export const classify = (
  text: string,
  options: EgressOptions,
  trustedPrefixes: ReadonlyArray<string> = []
): Classified => {
  const no = (reason: EgressBlocked["reason"], message: string): Classified => ({
    ok: false,
    blocked: new EgressBlocked({ reason, message })
  })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: URL would silently drop tab and line feed
  if (text.length > maxUrlLength || /[\x00-\x20\x7f]/.test(text) || !URL.canParse(text)) {
    return no("url", "The URL is not an absolute http or https URL")
  }
  const url = new URL(text)
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    return no("scheme", `The scheme ${url.protocol.slice(0, 40)} is not allowed; use http or https`)
  }
  if (url.username !== "" || url.password !== "" || text.split(/[/?#]/)[2]?.includes("@")) {
    return no("userinfo", "The URL carries a user name or password; remove them")
  }
  const port = portOf(url)
  const trusted = trustedPrefixes.some((prefix) => isUnder(url, prefix))
  if (isReserved(url.hostname, port, trusted, options)) {
    return no("own", "The URL points at this service or its database, not at a partner")
  }
  if (trusted) return { ok: true, url, trusted }
  if (!portAllowed(port)) {
    return no(
      "port",
      `Port ${port} is not allowed; partners are reached at 80, 443 or a port above 1023 that is no database's or broker's`
    )
  }
  const literal = literalAddress(url.hostname)
  const allowed = parseCidrs(options.allowCidrs)
  const range = literal !== undefined ? deniedAddress(literal.toString(), allowed) : undefined
  if (range !== undefined) return no("address", notPublic(`The address is not public (${range})`))
  if (literal !== undefined && isPlainToPublic(url, literal.toString(), options))
    return no("scheme", plainHttp)
  if (isLocalName(url.hostname) && locals(allowed).length === 0) {
    return no("address", notPublic("The name stands for this machine (loopback)"))
  }
  return { ok: true, url, trusted: false }
}

/** The addresses of a name; rejects with `EgressBlocked` when any of them is denied. */
const resolveChecked = async (
  { trusted, url }: EgressTarget,
  options: EgressOptions
): Promise<ReadonlyArray<LookupAddress>> => {
  const { hostname } = url
  const port = portOf(url)
  const allowed = parseCidrs(options.allowCidrs)
  if (!trusted && isLocalName(hostname)) return locals(allowed)
  const addresses = await (options.resolve ?? resolveByMachine)(hostname)
  for (const { address } of addresses) {
    if (isReserved(address, port, trusted, options)) {
      throw new EgressBlocked({
        reason: "own",
        message: `${hostname} resolves to this service or its database, not to a partner`
      })
    }
    if (!trusted && deniedAddress(address, allowed) !== undefined) {
      throw new EgressBlocked({
        reason: "address",
        message: notPublic(`${hostname} resolves to an address that is not public`)
      })
    }
    if (!trusted && isPlainToPublic(url, address, options))
      throw new EgressBlocked({ reason: "scheme", message: plainHttp })
  }
  return addresses
}

/** Decides which URLs may be called. */
export class EgressGuard extends Context.Tag("ocpi/EgressGuard")<
  EgressGuard,
  {
    /**
     * May we call this URL? Resolves the name and checks every address. A name that does not resolve passes: the call
     * itself will report that.
     */
    readonly check: (
      url: string,
      trustedPrefixes?: ReadonlyArray<string>
    ) => Effect.Effect<void, EgressBlocked>
    /** `check` with its reason, also for what may be called. */
    readonly decide: (url: string, trustedPrefixes?: ReadonlyArray<string>) => Effect.Effect<EgressDecision>
    /** The pure part of `check`. */
    readonly classify: (url: string, trustedPrefixes?: ReadonlyArray<string>) => Classified
    /** The look-up for the socket of one exchange: resolves, checks all addresses, and returns those. */
    readonly lookup: (target: EgressTarget) => LookupFunction
  }
>() {
  static readonly layer = (given: EgressOptions): Layer.Layer<EgressGuard> =>
    Layer.sync(EgressGuard, () => {
      const machine =
        given.machine ??
        Object.values(networkInterfaces()).flatMap((all) => all?.map((one) => one.address) ?? [])
      const options = { ...given, machine, reserved: everywhere(given.reserved, isWildcard, machine) }
      parseCidrs(options.allowCidrs) // an invalid range must fail at boot, not at the first call

      const check = traced("EgressGuard.check")(function* (
        text: string,
        trustedPrefixes: ReadonlyArray<string> = []
      ) {
        const classified = classify(text, options, trustedPrefixes)
        if (!classified.ok) return yield* classified.blocked
        const { url } = classified
        if (literalAddress(url.hostname) !== undefined) return
        yield* Effect.tryPromise({
          try: () => resolveChecked(classified, options),
          catch: (error) => (error instanceof EgressBlocked ? error : undefined)
        }).pipe(Effect.catchAll((blocked) => blocked ?? Effect.void))
      })

      const decide = traced("EgressGuard.decide")(function* (
        text: string,
        trustedPrefixes: ReadonlyArray<string> = []
      ) {
        const classified = classify(text, options, trustedPrefixes)
        if (!classified.ok) return blockedBy(classified.blocked)
        const { trusted, url } = classified
        const literal = literalAddress(url.hostname)
        const found = yield* Effect.tryPromise({
          try: () =>
            literal === undefined
              ? resolveChecked(classified, options)
              : Promise.resolve([{ address: literal.toString(), family: 4 }]),
          catch: (error) => (error instanceof EgressBlocked ? error : undefined)
        }).pipe(Effect.catchAll(Effect.succeed))
        if (found === undefined) return open("none", "The name does not resolve: a call would fail")
        if (found instanceof EgressBlocked) return blockedBy(found)
        if (trusted) return open("sandbox", "The URL is that of a sandbox partner of this service")
        return found.every(({ address }) => deniedAddress(address, []) === undefined)
          ? open("public", "The address is public")
          : open("allowed_range", "The address is in a range that EGRESS_ALLOW_CIDRS lists")
      })

      const lookup =
        (target: EgressTarget): LookupFunction =>
        (_, { all }, callback) => {
          resolveChecked(target, options).then(
            (found) => {
              const first = found[0]
              if (first === undefined)
                callback(Object.assign(new Error("no address"), { code: "ENOTFOUND" }), "")
              else if (all) callback(null, [...found])
              else callback(null, first.address, first.family)
            },
            (error: NodeJS.ErrnoException) => callback(error, "")
          )
        }

      return EgressGuard.of({
        check,
        decide,
        classify: (text, prefixes = []) => classify(text, options, prefixes),
        lookup
      })
    })
}

const open = (rule: EgressRule, message: string): EgressDecision => ({ allowed: true, rule, message })
const blockedBy = ({ message, reason }: EgressBlocked): EgressDecision => ({
  allowed: false,
  rule: reason,
  message
})

function notPublic(what: string): string {
  return `${what}; private ranges are reachable only when EGRESS_ALLOW_CIDRS lists them`
}

const plainHttp =
  "http is not encrypted, and the address is public: use https, or have the operator set ALLOW_HTTP"

/** Private ranges, loopback among them, belong to the operator's own network once EGRESS_ALLOW_CIDRS lists them. */
function isPlainToPublic({ protocol }: URL, address: string, { allowHttp }: EgressOptions): boolean {
  return protocol === "http:" && allowHttp !== true && deniedAddress(address, []) === undefined
}

function portOf(url: URL): number {
  return url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port)
}

function locals(allowed: ReturnType<typeof parseCidrs>): ReadonlyArray<LookupAddress> {
  const both = [
    { address: "127.0.0.1", family: 4 },
    { address: "::1", family: 6 }
  ]
  return both.filter(({ address }) => deniedAddress(address, allowed) === undefined)
}

/** Under the prefix by origin and whole path segments; dot segments are folded by URL on both sides. */
function isUnder(url: URL, prefix: string): boolean {
  if (!URL.canParse(prefix)) return false
  const root = new URL(prefix)
  const path = withoutEndSlashes(root.pathname)
  return url.origin === root.origin && (url.pathname === path || url.pathname.startsWith(`${path}/`))
}
