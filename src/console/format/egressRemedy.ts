/** How the operator of the service allows a partner on a private address; the command line says the same. Pure. */

/** `EGRESS_ALLOW_CIDRS=127.0.0.0/8 npx plugfest serve` for a partner at this URL; any other name gets a placeholder. */
export const egressRemedy = (url: string): string =>
  `EGRESS_ALLOW_CIDRS=${rangeOf(URL.canParse(url) ? new URL(url).hostname : "")} npx plugfest serve`

function rangeOf(host: string): string {
  if (/^127\.|(^|\.)localhost\.?$/.test(host)) return "127.0.0.0/8"
  if (host === "[::1]") return "::1/128"
  if (/^10\.\d/.test(host)) return "10.0.0.0/8"
  if (/^192\.168\./.test(host)) return "192.168.0.0/16"
  if (/^172\.(1[6-9]|2\d|3[01])\./.test(host)) return "172.16.0.0/12"
  return "<the partner's range>"
}
