/** The hosts of a counterpart that may get our token: those of the handshake. */
import type { Endpoint } from "../../../schema/Connection.ts"
import { type Audience, audienceOfUrls, originOf } from "../../ocpi/audience.ts"
import type { Party } from "../../store/parties/Party.ts"

/**
 * The audience of a party's token: the origins of the versions URL, of the version details and endpoints that it leads
 * to, and of what the caller has listed as trusted. `at`: these URLs instead of the first three, before a handshake is
 * complete.
 */
export const audienceOf = (
  { counterpart, dialect }: Pick<Party, "counterpart" | "dialect">,
  at?: ReadonlyArray<string>
): Audience => {
  const { detailsUrl, endpoints, versionsUrl } = counterpart
  const known = [versionsUrl, ...(detailsUrl === undefined ? [] : [detailsUrl])]
  const agreed = audienceOfUrls(at ?? [...known, ...endpoints.map(({ url }) => url)])
  return [...new Set([...agreed, ...(dialect.trustedOrigins ?? [])])]
}

/** The deviation to note when version details or endpoints are on other hosts than the versions. */
export const otherHosts = (
  versionsUrl: string,
  detailsUrl: string,
  endpoints: ReadonlyArray<Endpoint>
): ReadonlyArray<string> => {
  const home = originOf(versionsUrl)
  const at = (url: string) => originOf(url) ?? "no http URL"
  const elsewhere = endpoints.filter(({ url }) => at(url) !== home)
  const hosts = [...new Set(elsewhere.map(({ url }) => at(url)))]
  return [
    ...(at(detailsUrl) === home ? [] : [`its version details are on another host, ${at(detailsUrl)}`]),
    ...hosts.map((host) => {
      const which = elsewhere.filter(({ url }) => at(url) === host).map(({ identifier }) => identifier)
      return `endpoints are on another host, ${host}: ${[...new Set(which)].join(", ")}`
    })
  ]
}
