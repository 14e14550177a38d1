/** What to do about a partner that did not answer, by how far the request came. */
import type { Exchange } from "../../../schema/Exchange.ts"

/** The next step for the operator of the partner's service, as the end of a sentence: `check …, then run again`. */
export function nextAfterSilence({ fault, outcome }: Pick<Exchange, "fault" | "outcome">): string {
  if (fault?.kind === "dns")
    return "check that the host of the partner's URL has a name that can be resolved from here, then run again"
  if (fault?.kind === "tls")
    return "see to the certificate and the TLS settings of the partner's host, then run again"
  if (outcome === "refused")
    return fault?.kind === "timeout"
      ? "check the port of the partner's URL, and that a firewall lets connections from plugfest through, then run again"
      : "check that the partner's service listens on the host and port of its URL, then run again"
  if (outcome === "timed_out")
    return "the connection was made: see in the partner's log what keeps its service from answering, then run again"
  if (outcome === "reset")
    return "see in the logs of the partner's service, and of proxies before it, why it ends connections without an answer, then run again"
  return "see in the request that was not answered how far it came, then run again"
}
