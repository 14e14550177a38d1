/**
 * Requests of ours to URLs that the partner has not announced. A web framework or a proxy may answer there instead of the partner's
 * OCPI server.
 */
import type { Observation } from "../../model/Evidence.ts"

/** Operations of such requests. */
export const besideOcpi = {
  unknownPath: "unknown path",
  slashAdded: "list, with trailing slash",
  slashTaken: "list, without trailing slash"
} as const

/** What such a request is about where its operation is that of others, too. */
export const belowSession = "an address below a session"
/** A version that no partner announces. */
export const unknownVersion = "9.9.9"

/**
 * Did the request lead to a URL that neither the partner announces nor OCPI builds from an announced one? Its answer need
 * not have the form of OCPI: it often comes from a web framework or from a proxy.
 */
export const isBesideOcpi = ({ about, exchange }: Pick<Observation, "about" | "exchange">): boolean =>
  Object.values(besideOcpi).some((operation) => operation === exchange.operation) ||
  about === belowSession ||
  about === unknownVersion
