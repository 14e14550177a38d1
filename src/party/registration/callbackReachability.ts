/** Tests whether the partner can reach us: requests our own versions under the URL that we give to partners. */
import { Effect } from "effect"
import type { PreflightProbe, RegistrationErrorKind } from "../../../schema/Preflight.ts"
import { newId } from "../../database/newId.ts"
import { objectsIn } from "../../findings/json.ts"
import { isThisMachine } from "../../ocpi/addresses.ts"
import { OcpiClient } from "../../ocpi/OcpiClient.ts"
import { withoutEndSlashes } from "../../ocpi/urls.ts"
import type { Party } from "../../store/parties/Party.ts"
import { freshUuid } from "../wire/messageId.ts"
import { dataOf } from "../wire/RegistrationError.ts"
import { partyRootUrl, versionsUrl } from "../wire/roots.ts"
import type { PreflightOptions } from "./preflightProbes.ts"

const title = "Our versions URL answers"
const action = "Set PUBLIC_URL to a URL under which the partner reaches this service"

/**
 * The probe `callback` of a preflight. Never fails. Its exchange is not recorded for the party, because the partner takes no part
 * in it.
 */
export const probeReachability = Effect.fnUntraced(function* (
  party: Party,
  options: PreflightOptions,
  timeoutMillis: number
): Effect.fn.Return<PreflightProbe, never, OcpiClient> {
  const client = yield* OcpiClient
  const local = isLocal(party, options)
  const root = partyRootUrl(options.publicUrl, party)
  const url = versionsUrl(root)
  const answer = yield* client.exchange({
    exchangeId: yield* newId("exchange"),
    module: "versions",
    operation: "list",
    method: "GET",
    url,
    requestId: yield* freshUuid,
    correlationId: yield* freshUuid,
    timeoutMillis,
    audience: [],
    secrets: [],
    // A partner on this machine may reach us at a loopback address, which the egress guard would block.
    trustedPrefixes: local ? [root] : []
  })
  const failed = (kind: RegistrationErrorKind, message: string): PreflightProbe => ({
    id: "callback",
    title,
    outcome: "failed",
    class: kind,
    message,
    nextAction: action
  })
  const result = yield* Effect.either(dataOf(`GET ${url}`, answer, []))
  if (result._tag === "Left") {
    if (result.left.kind === "network") return failed("network", result.left.message)
    // The guard keeps us from calling ourselves; that is not what is in the partner's way.
    const isBlocked = answer.exchange.fault?.kind === "blocked" && isThisMachine(new URL(url).hostname)
    return failed(
      "config",
      isBlocked
        ? `${url} is an address of this machine alone, which a partner on another one cannot reach`
        : result.left.message
    )
  }
  if (!objectsIn(result.right).some(({ version }) => version === party.version))
    return failed("config", `GET ${url} was answered by something other than this service`)
  const message = local
    ? `${url} answers on this machine, where the partner is too`
    : `${url} answers us; whether the partner reaches it is known when it calls`
  return { id: "callback", title, outcome: "ok", class: null, message, nextAction: null }
})

/** Is the partner on this machine: a sandbox partner of ours, or at a loopback address? */
function isLocal({ counterpart }: Party, { publicUrl, sandbox }: PreflightOptions): boolean {
  const { hostname } = new URL(counterpart.versionsUrl)
  const ownSandbox = `${withoutEndSlashes(publicUrl)}/sandbox/`
  return (sandbox && counterpart.versionsUrl.startsWith(ownSandbox)) || isThisMachine(hostname)
}
