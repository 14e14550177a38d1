/**
 * Diagnosis of a connection: may we call the partner, does it answer, does it accept our token, does it offer what we need,
 * and can it reach us? Only reads the partner's versions and the details of the connection's version.
 */
import { Effect, Either } from "effect"
import type { Exchange } from "../../../schema/Exchange.ts"
import type { PreflightProbe } from "../../../schema/Preflight.ts"
import { newId } from "../../database/newId.ts"
import { EgressGuard } from "../../ocpi/EgressGuard.ts"
import { OcpiClient } from "../../ocpi/OcpiClient.ts"
import { cleanerOf } from "../../redaction/scrubValue.ts"
import type { Party } from "../../store/parties/Party.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import { discover } from "../outbound/discovery.ts"
import { PartnerCalls } from "../outbound/PartnerCalls.ts"
import { performCall } from "../outbound/performCall.ts"
import { freshUuid } from "../wire/messageId.ts"
import { RegistrationError } from "../wire/RegistrationError.ts"
import { trustedPrefixes } from "../wire/roots.ts"
import { probeReachability } from "./callbackReachability.ts"
import { type Findings, type PreflightOptions, probesUpTo } from "./preflightProbes.ts"

/** Time limit of each request in milliseconds: short, because the caller waits for the diagnosis. */
const probeMillis = 10_000

/** The results of all probes, in their order. Never fails. The exchanges with the partner are recorded for the party. */
export const preflight = Effect.fnUntraced(function* (
  party: Party,
  options: PreflightOptions
): Effect.fn.Return<
  ReadonlyArray<PreflightProbe>,
  never,
  EgressGuard | OcpiClient | PartnerCalls | PartyStore
> {
  const guard = yield* EgressGuard
  const { versionsUrl } = party.counterpart
  const blocked = yield* Effect.either(guard.check(versionsUrl, trustedPrefixes(options, party.kind)))
  const findings: Findings = Either.isLeft(blocked)
    ? { seen: [], failure: new RegistrationError({ kind: "config", message: blocked.left.message }) }
    : yield* asked(party)
  const callBack = yield* probeReachability(party, options, probeMillis)
  // The messages quote the partner's answers, so secrets are replaced in them.
  const secrets = yield* (yield* PartyStore).secrets(party.id)
  return cleanerOf(secrets).value([...probesUpTo(party, findings), callBack])
})

/** A discovery, with all its exchanges. */
const asked = Effect.fnUntraced(function* (
  party: Party
): Effect.fn.Return<Findings, never, OcpiClient | PartnerCalls | PartyStore> {
  const store = yield* PartyStore
  const client = yield* OcpiClient
  const seen: Array<Exchange> = []
  const noting = OcpiClient.of({
    ...client,
    exchange: (call) =>
      Effect.tap(client.exchange(call), ({ exchange }) => Effect.sync(() => void seen.push(exchange)))
  })
  const outbound = (yield* store.tokens(party.id)).find(({ slot }) => slot === "outbound")
  const correlationId = yield* freshUuid
  const asking =
    outbound === undefined
      ? withoutToken(party, correlationId)
      : discover(party, {
          versionsUrl: party.counterpart.versionsUrl,
          name: outbound.name,
          token: outbound.value,
          correlationId,
          timeoutMillis: probeMillis
        })
  const result = yield* Effect.either(Effect.provideService(asking, OcpiClient, noting))
  return Either.isRight(result)
    ? {
        seen,
        discovery: result.right,
        isOpen: yield* answersAnyone(party, result.right.detailsUrl, correlationId)
      }
    : { seen, failure: result.left }
})

/** Does the partner answer GET versions and details without a token? Then its answers to our token say nothing about it. */
function answersAnyone(party: Party, detailsUrl: string | undefined, correlationId: string) {
  const urls = [
    ["list", party.counterpart.versionsUrl],
    ...(detailsUrl === undefined ? [] : [["details", detailsUrl] as const])
  ] as const
  return Effect.gen(function* () {
    const client = yield* OcpiClient
    const calls = yield* PartnerCalls
    const store = yield* PartyStore
    for (const [operation, url] of urls) {
      const { authorization: _, ...call } = yield* calls.prepare(party, {
        exchangeId: yield* newId("exchange"),
        module: "versions",
        interfaceRole: "SENDER",
        operation,
        method: "GET",
        url,
        correlationId,
        timeoutMillis: probeMillis
      })
      const { exchange } = yield* client.exchange(call)
      yield* store.record(party.id, exchange)
      if (exchange.response?.httpStatus !== 200) return false
    }
    return true
  }).pipe(Effect.orDie) // a call with a URL needs no endpoint
}

/** Without a token we can still see whether the partner answers at all. */
function withoutToken(party: Party, correlationId: string) {
  return Effect.flatMap(
    Effect.orDie(
      performCall(party, {
        module: "versions",
        interfaceRole: "SENDER",
        operation: "list",
        method: "GET",
        url: party.counterpart.versionsUrl,
        correlationId,
        timeoutMillis: probeMillis
      })
    ), // a call with a URL needs no endpoint
    ({ exchange }) =>
      Effect.fail(
        new RegistrationError({
          kind: exchange.response === null ? "network" : "auth",
          message: exchange.fault?.message ?? "we hold no token of the partner's"
        })
      )
  )
}
