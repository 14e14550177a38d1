/** From the exchanges of a discovery to the preflight's probes: which step failed, and what to do about it. Pure. */

import type { Exchange } from "../../../schema/Exchange.ts"
import { ocpiStatus } from "../../../schema/ocpi/envelope.ts"
import type { PreflightProbe, ProbeId } from "../../../schema/Preflight.ts"
import { withArticle } from "../../findings/words.ts"
import { literalAddress } from "../../ocpi/addresses.ts"
import type { Party } from "../../store/parties/Party.ts"
import type { Discovery } from "../wire/Discovery.ts"
import type { RegistrationError } from "../wire/RegistrationError.ts"

/** The exchanges of a discovery, and how it ended. */
export type Findings = { readonly seen: ReadonlyArray<Exchange> } & (
  | { readonly failure: RegistrationError; readonly discovery?: never; readonly isOpen?: never }
  /** `isOpen`: the partner answers GET versions and details without a token too. */
  | { readonly discovery: Discovery; readonly failure?: never; readonly isOpen: boolean }
)

/** How this service is deployed. */
export interface PreflightOptions {
  /** The URL under which partners reach us. */
  readonly publicUrl: string
  /** This service also serves sandbox partners. */
  readonly sandbox: boolean
}

type Step = Exclude<ProbeId, "callback">

const titles: Readonly<Record<Step, string>> = {
  egress: "We may call the partner's URL",
  dns: "Its host name resolves",
  tcp: "It accepts connections",
  tls: "Its TLS is in order",
  versions: "Its versions URL answers",
  token: "It takes our token",
  version: "It offers the version of the connection",
  endpoints: "It lists the endpoints of its role"
}
const steps = Object.keys(titles) as ReadonlyArray<Step> // the keys of that very record, in its order

/** Is every probe ok? Where the URL is http there is no TLS to ask about; whatever else was skipped is not known. */
export const isReady = (probes: ReadonlyArray<Pick<PreflightProbe, "id" | "outcome">>): boolean =>
  probes.every(({ id, outcome }) => outcome === "ok" || (outcome === "skipped" && id === "tls"))

/** All probes but `callback`: ok up to the step at which the discovery failed, skipped after it. */
export const probesUpTo = (party: Party, findings: Findings): ReadonlyArray<PreflightProbe> => {
  const url = new URL(party.counterpart.versionsUrl)
  const stuckAt = findings.failure === undefined ? undefined : stepOf(findings.failure, findings.seen)
  const at = stuckAt === undefined ? steps.length : steps.indexOf(stuckAt)
  return steps.map((id, index) => {
    const probe = { id, title: titles[id], class: null, nextAction: null }
    if (index === at && findings.failure !== undefined)
      return {
        ...probe,
        outcome: "failed",
        class: findings.failure.kind,
        message: findings.failure.message,
        nextAction: nextAction(id, findings.failure, party)
      }
    if (index > at) return { ...probe, outcome: "skipped", message: `needs "${titles[steps[at]!]}" first` }
    if (id === "tls" && url.protocol === "http:")
      return { ...probe, outcome: "skipped", message: "the URL is http: nothing is encrypted" }
    if (id === "token" && findings.isOpen === true)
      return {
        ...probe,
        outcome: "skipped",
        message:
          "the partner answers GET versions and details without a token: whether it takes ours is not known"
      }
    return { ...probe, outcome: "ok", message: seenAt(id, url, party, findings) }
  })
}

function stepOf({ kind, statusCode }: RegistrationError, seen: ReadonlyArray<Exchange>): Step {
  const last = seen.at(-1)
  if (last === undefined) return "egress"
  if (kind === "auth") return "token"
  if (last.operation === "details") return "endpoints"
  if (last.response !== null) return statusCode === ocpiStatus.unsupportedVersion ? "version" : "versions"
  const fault = last.fault?.kind
  if (fault === "blocked") return "egress"
  if (fault === "dns" || fault === "tls") return fault
  return last.outcome === "refused" ? "tcp" : "versions"
}

function seenAt(step: Step, { host, hostname }: URL, party: Party, { discovery, seen }: Findings): string {
  const list = seen.findLast(({ operation }) => operation === "list")
  switch (step) {
    case "egress":
      return `requests to ${host} may leave`
    case "dns":
      return literalAddress(hostname) === undefined
        ? `${hostname} resolves`
        : "the URL has an IP address, not a host name"
    case "tcp":
      return `${host} accepted the connection`
    case "tls":
      return "the certificate was accepted"
    case "versions":
      return `GET versions answered HTTP ${list?.response?.httpStatus ?? "?"}`
    case "token":
      return discovery === undefined ? "accepted" : `accepted in ${discovery.form} form`
    case "version":
      return `${party.version} is offered`
    case "endpoints":
      return `it lists ${(discovery?.endpoints ?? []).map(({ identifier }) => identifier).join(", ")}`
  }
}

function nextAction(step: Step, { httpStatus = 0, kind, message }: RegistrationError, party: Party): string {
  switch (step) {
    case "egress":
      return "Use a URL at a public address, or have the operator list the range in EGRESS_ALLOW_CIDRS"
    case "dns":
      return "Correct the host name of the versions URL, or have the partner publish it in DNS"
    case "tcp":
      return "Have the partner start its service and open its port to us in its firewall"
    case "tls":
      return "Have the partner correct its certificate and TLS settings"
    case "versions":
      if (httpStatus >= 300 && httpStatus < 400)
        return "Make a connection with the URL that the redirect leads to, where that is the partner's versions URL"
      // What is not a list of versions may be another page of the partner's: the message then asks for its versions URL, too.
      if (kind === "config" || message.includes("partnerBaseUrl"))
        return "Correct the versions URL: it must be that of GET versions, not of a module"
      return kind === "network"
        ? "Have the partner answer GET versions completely and in time"
        : "Have the partner answer GET versions with the list of versions in an OCPI envelope"
    case "token":
      if (party.invitation?.state === "open" && party.registration !== "registered")
        return "Wait until the partner has registered with the invitation that is out, or give its Token A to the handshake"
      return party.registration === "registered"
        ? "Have the partner end the registration, and register anew with a fresh Token A of the partner"
        : "Give a fresh Token A of the partner to the handshake, or set the dialect's tokenEncoding.outbound"
    case "version":
      return "Make a connection for a version that the partner offers"
    case "endpoints":
      return `Have the partner list credentials and what ${withArticle(party.counterpart.role)} offers in its version details`
  }
}
