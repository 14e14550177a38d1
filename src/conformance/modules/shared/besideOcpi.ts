/**
 * Requests of ours to URLs that the partner has not announced. A web framework or a proxy may answer there instead of the partner's
 * OCPI server.
 */
import { isObject } from "../../../findings/json.ts"
import type { Observation } from "../../model/Evidence.ts"

/** Operations of such requests. */
export const besideOcpi = {
  unknownPath: "unknown path",
  slashAdded: "list, with trailing slash",
  slashTaken: "list, without trailing slash"
} as const

/** The end of the operation of a request that a second EMSP of ours sends. */
export const bySecondEmsp = "by the second EMSP"

/** The operation of a request about an object that does not exist. */
export const unknownObject = "unknown object"

/** Did a router answer that nothing is at that URL? An answer with an envelope comes from the OCPI server. */
export const isAnsweredByRouter = ({ exchange, json }: Pick<Observation, "exchange" | "json">): boolean =>
  exchange.response?.httpStatus === 404 && !(isObject(json) && "status_code" in json)

/**
 * A CDR that does not exist, asked for below the endpoint: an EMSP gives its CDRs URLs of its own (mod_cdrs, Receiver Interface, GET
 * Method), and where they are others, its router answers there.
 */
export const isUnknownCdrUrl = (seen: Pick<Observation, "exchange" | "json">): boolean =>
  seen.exchange.module === "cdrs" && seen.exchange.operation === unknownObject && isAnsweredByRouter(seen)

/** The URL of a CDR, from the Location header of its POST, at which nothing is: a relative one may lead anywhere. CDR-102 reports it. */
const isDeadCdrUrl = (seen: Pick<Observation, "exchange" | "json">): boolean =>
  seen.exchange.module === "cdrs" &&
  /^(GET|PUT|PATCH|DELETE) cdr$/.test(seen.exchange.operation) &&
  isAnsweredByRouter(seen)

/** What such a request is about where its operation is that of others, too. */
export const belowSession = "an address below a session"
/** A version that no partner announces. */
export const unknownVersion = "9.9.9"

/** Sent by a second EMSP of ours to an endpoint that is gone: its registration is of another installation of the partner. */
const isGoneSecond = (seen: Pick<Observation, "exchange" | "json">): boolean =>
  seen.exchange.operation.endsWith(`, ${bySecondEmsp}`) && isAnsweredByRouter(seen)

/**
 * Did the request lead to a URL that neither the partner announces nor OCPI builds from an announced one? Its answer need
 * not have the form of OCPI: it often comes from a web framework or from a proxy.
 */
export const isBesideOcpi = (seen: Pick<Observation, "about" | "exchange" | "json">): boolean =>
  Object.values(besideOcpi).some((operation) => operation === seen.exchange.operation) ||
  seen.about === belowSession ||
  seen.about === unknownVersion ||
  isUnknownCdrUrl(seen) ||
  isDeadCdrUrl(seen) ||
  isGoneSecond(seen)
