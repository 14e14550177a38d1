/** Builds calls from a party to its counterpart: endpoint, token form, ids, routing headers, secrets to redact. */
import { Context, Effect, Layer, Redacted } from "effect"
import type { PartyId } from "../../../schema/Ids.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import { textIn } from "../../findings/json.ts"
import type { OcpiCall } from "../../ocpi/OcpiClient.ts"
import { joinUrl } from "../../ocpi/urls.ts"
import type { Secrets } from "../../redaction/scrub.ts"
import { revealed } from "../../redaction/secretUrls.ts"
import type { Party } from "../../store/parties/Party.ts"
import { expectedResults, PartyStore } from "../../store/parties/PartyStore.ts"
import { traced } from "../../telemetry/traced.ts"
import type { CallRequest } from "../wire/CallRequest.ts"
import { ourCredentials as credentialsObject } from "../wire/credentialsObject.ts"
import { outboundForm } from "../wire/dialect.ts"
import { nowIso } from "../wire/instants.ts"
import { freshUuid } from "../wire/messageId.ts"
import { moduleUrl, partyRootUrl, trustedPrefixes, versionsUrl } from "../wire/roots.ts"
import { callRouting } from "../wire/routing.ts"
import { callUrl, type NoEndpoint } from "./endpointUrl.ts"
import { audienceOf } from "./partnerHosts.ts"

/** Builds a party's calls, and prepares for their asynchronous results. */
export class PartnerCalls extends Context.Tag("party/PartnerCalls")<
  PartnerCalls,
  {
    readonly prepare: (party: Party, request: CallRequest) => Effect.Effect<OcpiCall, NoEndpoint>
    /**
     * Prepares for the asynchronous result of a command: stores an entry under `key` (the command's id) and returns the
     * response_url to send, under PUBLIC_URL. Call it before the command is sent, so that no result is too early.
     */
    readonly expectResult: (
      party: Party,
      command: string,
      key: string,
      /**
       * `module`: the module in the path of the response_url (default commands). `refused`: the result is stored, but
       * answered HTTP 500.
       */
      via?: { readonly module?: string; readonly refused?: boolean }
    ) => Effect.Effect<string>
    /** Our credentials object, with the token for the partner's calls. */
    readonly ourCredentials: (
      party: Party,
      token: Redacted.Redacted<string>
    ) => Effect.Effect<Readonly<Record<string, unknown>>>
    /** The results that came to that response_url so far, oldest first. */
    readonly results: (
      id: PartyId,
      key: string
    ) => Effect.Effect<
      ReadonlyArray<{ readonly receivedAt: string; readonly body: unknown; readonly exchangeId: string }>
    >
  }
>() {
  /** `publicUrl`: where we are reached from outside. `sandbox`: sandbox partners are served by this service. */
  static readonly layer = (options: { readonly publicUrl: string; readonly sandbox: boolean }) =>
    Layer.effect(
      PartnerCalls,
      Effect.gen(function* () {
        const store = yield* PartyStore

        const prepare = traced("PartnerCalls.prepare")(function* (party: Party, request: CallRequest) {
          const profile = profileOf(party.version)
          const { secrets, tokens } = yield* store.keyring(party.id, request.partyReadAt)
          const { endpoints, versionsUrl: atPartner } = party.counterpart
          const owned = [atPartner, ...endpoints.map(({ url }) => url)]
          const url = revealed(secrets, yield* callUrl(party, request), owned)
          const known = {
            exchangeId: request.exchangeId,
            module: request.module,
            operation: request.operation,
            method: request.method,
            url,
            requestId: yield* freshUuid,
            correlationId: request.correlationId ?? (yield* freshUuid),
            ...(request.timeoutMillis === undefined ? {} : { timeoutMillis: request.timeoutMillis }),
            trustedPrefixes: trustedPrefixes(options, party.kind)
          }
          if (request.page === true) {
            const page: OcpiCall = { ...known, page: true, audience: audienceOf(party), secrets }
            return page
          }
          const outbound = tokens.find(({ slot }) => slot === "outbound")
          const token = request.authorization?.token ?? outbound?.value
          const form = request.authorization?.form ?? outboundForm(party)
          const call: OcpiCall = {
            ...known,
            ocpiVersion: request.ocpiVersion ?? party.version,
            ...(request.body === undefined ? {} : { body: request.body }),
            ...(token === undefined ? {} : { authorization: { token, form } }),
            audience: audienceOf(party, request.authorization?.at),
            headers: callRouting(profile, party, request),
            ...(request.wrongOnPurpose === undefined ? {} : { wrongOnPurpose: request.wrongOnPurpose }),
            // The same array each time, unless the call hands over a token that is not yet known.
            secrets:
              request.authorization === undefined || isAmong(secrets, request.authorization.token)
                ? secrets
                : [...secrets, { name: request.authorization.name, value: request.authorization.token }]
          }
          return call
        })

        const expectResult = traced("PartnerCalls.expectResult")(function* (
          party: Party,
          command: string,
          key: string,
          {
            module = "commands",
            refused = false
          }: { readonly module?: string; readonly refused?: boolean } = {}
        ) {
          yield* store.putObject(party.id, {
            module: expectedResults,
            key,
            side: "own",
            json: refused ? { command, refused } : { command },
            lastUpdated: yield* nowIso
          })
          const root = partyRootUrl(options.publicUrl, party)
          return joinUrl(moduleUrl(root, party.version, module), [command, key])
        })

        const results = traced("PartnerCalls.results")(function* (id: PartyId, key: string) {
          const { items } = yield* store.objects(id, resultsOf(key), "received", {
            offset: 0,
            limit: mostResults
          })
          return items.map(({ json, key, lastUpdated }) => ({
            receivedAt: textIn(json["receivedAt"]) ?? lastUpdated,
            body: json["body"],
            exchangeId: key
          }))
        })

        const ourCredentials = (party: Party, token: Redacted.Redacted<string>) =>
          Effect.sync(() =>
            credentialsObject(
              profileOf(party.version),
              party,
              token,
              versionsUrl(partyRootUrl(options.publicUrl, party))
            )
          )

        return PartnerCalls.of({ prepare, expectResult, results, ourCredentials })
      })
    )
}

const isAmong = (secrets: Secrets, token: Redacted.Redacted<string>) =>
  secrets.some(({ value }) => Redacted.value(value) === Redacted.value(token))

/** Module of the results of one command, each under the id of the exchange that brought it. */
export const resultsOf = (key: string): string => `results:${key.toLowerCase()}`

/** The most results of one command that are read; more are still stored. */
const mostResults = 100
