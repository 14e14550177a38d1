/** From what a probe asks to the request that is sent for it: its party, its URL, its headers, and the token that it carries. */
import { Effect, Option, Struct } from "effect"
import { newId } from "../../database/newId.ts"
import { type Audience, audienceOfUrls } from "../../ocpi/audience.ts"
import type { EndSlash } from "../../ocpi/followUp.ts"
import type { OcpiCall } from "../../ocpi/OcpiClient.ts"
import { tokenFormIn } from "../../ocpi/tokens.ts"
import { joinUrl } from "../../ocpi/urls.ts"
import type { PartnerCalls } from "../../party/outbound/PartnerCalls.ts"
import { dialectAfterRedirect, outboundForm } from "../../party/wire/dialect.ts"
import { recipientOf } from "../../party/wire/recipientOf.ts"
import type { Party } from "../../store/parties/Party.ts"
import type { PartyStore } from "../../store/parties/PartyStore.ts"
import type { NotGathered, Observation } from "../model/Evidence.ts"
import { type ProbeRequest, withheld } from "../model/Probe.ts"
import { lostRegistration } from "./registration/lostRegistration.ts"
import type { Registrar } from "./registration/registrar.ts"
import { carriesToken, isOfRegistration, type RegistrationGuard } from "./registration/registrationGuard.ts"
import { withCredentials } from "./registration/withCredentials.ts"

/** Fields of a probe's request that say how it is prepared and judged: the client gets the others. */
const ofTheProbe = [
  "about",
  "again",
  "announced",
  "asIs",
  "by",
  "credentials",
  "headers",
  "judgesToken",
  "linkedFrom",
  "rawBody",
  "registration",
  "resultOf",
  "resultVia"
] as const satisfies ReadonlyArray<keyof ProbeRequest>

/** What the requests of a run are made from. */
interface PreparationOptions {
  readonly store: PartyStore["Type"]
  readonly calls: PartnerCalls["Type"]
  readonly registrar: Registrar
  readonly party: Party
  /** Our second connection at the partner. */
  readonly second: Party | undefined
  /** The guard sends requests too, and is made after this. */
  readonly guard: () => RegistrationGuard
  /** Whether object URLs end in a slash, once the partner has redirected one. */
  readonly endSlash: () => EndSlash | undefined
  /** What the run has seen of the partner so far. */
  readonly seen: () => ReadonlyArray<Observation>
}

/** The request for what a probe asks; or why none is sent. */
type PrepareCall = (asking: ProbeRequest) => Effect.Effect<OcpiCall | NotGathered>

/** Limit of a page on the web, in milliseconds. */
const pageMillis = 10_000

/** Prepares the requests of one run. */
export const makePreparation = Effect.fnUntraced(function* ({
  calls,
  endSlash,
  guard,
  party: own,
  registrar,
  second,
  seen,
  store
}: PreparationOptions): Effect.fn.Return<PrepareCall> {
  const secondSince = second === undefined ? 0 : yield* store.head(second.id)

  /** The second connection as stored now: other work may have changed it, because the run does not lock it. */
  const secondNow = Effect.gen(function* () {
    if (second === undefined) return undefined
    return Option.getOrUndefined(
      Option.filter(yield* store.find(second.id), ({ registration }) => registration === "registered")
    )
  })

  return Effect.fnUntraced(
    function* (asking) {
      const party = asking.by === "second" ? yield* secondNow : own
      if (party === undefined)
        return yield* lostRegistration({
          store,
          partyId: second?.id ?? own.id,
          since: secondSince,
          acceptedAt: undefined,
          own: [],
          refusal: undefined
        })
      const lost = guard().loss()
      if (lost !== undefined && (guard().isForgotten() || carriesToken(asking))) return lost
      const { announced, credentials, headers, rawBody, registration, resultOf, resultVia } = asking
      const request = Struct.omit(asking, ...ofTheProbe)
      const former = registrar.former()
      if (credentials?.use === "former" && former === undefined)
        return withheld("not_tested", "the token that was live before is not known any more", "ours")
      const exchangeId = yield* newId("exchange")
      const responseUrl =
        resultOf === undefined
          ? undefined
          : {
              response_url: joinUrl(
                yield* calls.expectResult(party, resultOf, exchangeId, resultVia),
                [],
                resultVia?.query
              )
            }
      const method = asking.method ?? "GET"
      const recipient = recipientOf(party, { ...asking, method }, seen)
      const call = yield* calls.prepare(withSlash(party, endSlash()), {
        ...request,
        ...(recipient === undefined ? {} : { recipient }),
        ...(request.page === true ? { timeoutMillis: pageMillis } : {}),
        ...(responseUrl === undefined
          ? {}
          : resultVia?.in === "query"
            ? { query: { ...request.query, ...responseUrl } }
            : { body: { ...(request.body as object), ...responseUrl } }),
        method,
        // A limit that a probe sets is part of what it tests.
        fixedLimit: request.query?.["limit"] !== undefined,
        exchangeId
      })
      if (call.page === true) return call
      if (call.authorization === undefined && guard().isRegistered && isOfRegistration(asking))
        return yield* guard().lose(undefined)
      const complete = {
        ...call,
        ...(announced === true && call.audience !== undefined
          ? { audience: announcedTo(call.audience, party, call.url) }
          : {}),
        ...(rawBody === undefined ? {} : { rawBody }),
        headers: overlaid(call.headers, headers)
      }
      const ownForm = outboundForm(party)
      const { ocpiVersion = party.version } = complete
      const form = ocpiVersion === party.version ? ownForm : tokenFormIn(ocpiVersion, ownForm)
      const authorized = yield* withCredentials(complete, credentials ?? { use: "live" }, form, former)
      return registration === "hand over" ? yield* registrar.offer(authorized, request.body) : authorized
    },
    Effect.catchTag("NoEndpoint", ({ message }) => Effect.succeed(withheld("not_applicable", message)))
  )
})

const withSlash = (party: Party, endSlash: EndSlash | undefined): Party =>
  endSlash === undefined ? party : { ...party, dialect: dialectAfterRedirect(party.dialect, endSlash) }

/** The audience, with the host of a URL that the partner announces in answers to this token. */
const announcedTo = (audience: Audience, { counterpart }: Party, url: string): Audience => [
  ...new Set([...audience, ...audienceOfUrls([counterpart.versionsUrl, url])])
]

/** `below` with the headers of `above`, which win; header names are case-insensitive. */
const overlaid = (
  below: Readonly<Record<string, string>> = {},
  above: Readonly<Record<string, string>> = {}
): Readonly<Record<string, string>> => {
  const named = new Set(Object.keys(above).map((name) => name.toLowerCase()))
  return {
    ...Object.fromEntries(Object.entries(below).filter(([name]) => !named.has(name.toLowerCase()))),
    ...above
  }
}
