/** The hosts of a counterpart: those that the handshake went to and was told of. Our token for it is told nowhere else. */
import type { Endpoint } from "../../../schema/Connection.ts"
import { type Audience, audienceOfUrls, originOf } from "../../ocpi/audience.ts"
import type { Party } from "../../store/parties/PartyStore.ts"

/**
 * Of its versions URL, of the version details and endpoints that it names behind that URL, and what the caller has listed
 * as trusted. `at`: of these URLs instead of the first three, while a handshake is not over.
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

/** What is to be noted of version details and endpoints that are not where the versions are. */
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
