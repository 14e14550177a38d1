/** Probes of version discovery, of credentials, and of how the partner takes a token. */

import { dataOf } from "../../../findings/answers.ts"
import { isObject, type JsonObject, keyText } from "../../../findings/json.ts"
import { isHttpUrl } from "../../../findings/links.ts"
import { tokenFormIn } from "../../../ocpi/tokens.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { type Probe, type ProbeRequest, withheld } from "../../model/Probe.ts"
import { unknownVersion } from "../shared/besideOcpi.ts"

/** Most details URLs that are followed. */
const detailsCap = 10

const list = (evidence: Evidence): ProbeRequest => ({
  module: "versions",
  interfaceRole: "SENDER",
  operation: "list",
  url: evidence.party.counterpart.versionsUrl
})

/** Entries of the partner's versions list that are objects. */
export const versionEntries = (evidence: Evidence): ReadonlyArray<JsonObject> => {
  const data = evidence.answered("versions").map(dataOf)[0]
  return Array.isArray(data) ? data.filter(isObject) : []
}

/** The details URL of the agreed version, as the list has it. */
const agreedDetailsUrl = (evidence: Evidence): string | undefined =>
  versionEntries(evidence)
    .filter(({ version }) => version === evidence.profile.version)
    .map(({ url }) => url)
    .find(isHttpUrl)

const details = (url: string, about = ""): ProbeRequest => ({
  module: "versions",
  interfaceRole: "SENDER",
  operation: "details",
  url,
  about
})

/** The details pages of the listed versions other than the run's, asked by the rules of those versions. */
const otherDetails = (evidence: Evidence): ReadonlyArray<ProbeRequest & { readonly about: string }> =>
  versionEntries(evidence)
    .flatMap(({ url, version }) =>
      isHttpUrl(url) && version !== evidence.profile.version
        ? [
            {
              ...details(url),
              about: keyText(version),
              ocpiVersion: keyText(version),
              credentials: { use: tokenFormIn(keyText(version), evidence.profile.authorization) }
            }
          ]
        : []
    )
    .slice(0, detailsCap)

/** Has the partner given us a token? Before the registration that is Token A. */
const hasToken = ({ party, tokens }: Evidence): boolean =>
  party.registration === "registered" || tokens.some(({ slot }) => slot === "outbound")

/** Before a registration that the partner begins there is nothing to send a request with. */
export const noTokenYet = withheld(
  "not_applicable",
  "there is no Token A of the partner's: it is the partner who registers"
)

const notListed = (evidence: Evidence) =>
  hasToken(evidence)
    ? withheld("not_tested", `the versions list has no usable URL for version ${evidence.profile.version}`)
    : noTokenYet

const onDetails = (id: string, asks: (url: string) => ReadonlyArray<ProbeRequest>): Probe => ({
  id,
  after: ["versions"],
  asks: (evidence) => {
    const url = agreedDetailsUrl(evidence)
    return url === undefined ? notListed(evidence) : asks(url)
  }
})

/**
 * GET of versions, details and credentials with the token in different forms, without it and with a random one; and
 * the calls of the partner.
 */
export const versionsProbes: ReadonlyArray<Probe> = [
  { id: "versions", asks: (evidence) => (hasToken(evidence) ? [list(evidence)] : noTokenYet) },
  {
    id: "versions.no-token",
    asks: (evidence) =>
      hasToken(evidence) ? [{ ...list(evidence), credentials: { use: "none" } }] : noTokenYet
  },
  {
    id: "versions.random-token",
    asks: (evidence) =>
      hasToken(evidence) ? [{ ...list(evidence), credentials: { use: "random" } }] : noTokenYet
  },
  { id: "versions.base64", asks: (evidence) => [{ ...list(evidence), credentials: { use: "base64" } }] },
  { id: "versions.raw", asks: (evidence) => [{ ...list(evidence), credentials: { use: "raw" } }] },
  {
    id: "versions.header-case",
    asks: (evidence) =>
      ["authorization", "AUTHORIZATION"].map((headerName) => ({
        ...list(evidence),
        credentials: { use: "live", headerName },
        about: headerName
      }))
  },
  {
    id: "versions.repeat",
    after: ["versions"],
    asks: (evidence) => ["second", "third"].map((about) => ({ ...list(evidence), again: true, about }))
  },
  {
    id: "details",
    after: ["versions"],
    asks: (evidence) => {
      const usable = versionEntries(evidence).flatMap(({ url, version }) =>
        isHttpUrl(url) && version === evidence.profile.version ? [details(url, evidence.profile.version)] : []
      )
      return usable.length === 0 ? notListed(evidence) : usable.slice(0, detailsCap)
    }
  },
  {
    id: "details.others",
    after: ["versions"],
    asks: (evidence) => {
      const others = otherDetails(evidence)
      return others.length === 0
        ? withheld("not_applicable", "the partner lists no other version with a usable URL")
        : others
    }
  },
  {
    // The token belongs to a registration in the run's version: a partner may want it as that version writes it.
    id: "details.others-again",
    after: ["details.others"],
    asks: (evidence) => {
      const refused = evidence
        .answeredInAnyVersion("details.others")
        .flatMap(({ about, response }) => (response.httpStatus === 401 ? [about] : []))
      const again = otherDetails(evidence)
        .filter(({ about }) => refused.includes(about))
        .map((one) => ({
          ...one,
          credentials: { use: one.credentials?.use === "raw" ? ("base64" as const) : ("raw" as const) }
        }))
      return again.length === 0 ? withheld("not_applicable", "no page was refused with HTTP 401") : again
    }
  },
  onDetails("details.no-token", (url) => [{ ...details(url), credentials: { use: "none" } }]),
  onDetails("details.random-token", (url) => [{ ...details(url), credentials: { use: "random" } }]),
  onDetails("details.repeat", (url) =>
    ["second", "third"].map((about) => ({ ...details(url, about), again: true }))
  ),
  {
    id: "details.unknown-version",
    after: ["versions"],
    asks: (evidence) => {
      const url = agreedDetailsUrl(evidence)
      if (url === undefined) return notListed(evidence)
      const at = url.lastIndexOf(evidence.profile.version)
      if (at < 0) return withheld("not_applicable", "the details URL does not contain the version")
      const other = `${url.slice(0, at)}${unknownVersion}${url.slice(at + evidence.profile.version.length)}`
      return [
        { ...details(other, unknownVersion), wrongOnPurpose: { target: "a version that does not exist" } }
      ]
    }
  },
  {
    id: "credentials",
    asks: (evidence) =>
      evidence.party.registration === "registered"
        ? [{ module: "credentials", interfaceRole: "SENDER", operation: "read" }]
        : withheld("not_tested", "the connection is not registered: there is no Token C yet", "operator")
  },
  { id: "inbound", source: "inbound" },
  { id: "inbound.run", source: "inbound.run" },
  { id: "registration", source: "registration" },
  { id: "registration.theirs", source: "registration.theirs" },
  { id: "registration.looked-back", source: "registration.looked-back" }
]
