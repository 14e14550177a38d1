/**
 * Renews the registration with a new token, other endpoints or another version, and waits for calls that show whether the partner
 * uses them.
 */

import type { OcpiVersion } from "../../../../schema/ocpi/OcpiVersion.ts"
import { profileOf, versionNumbers } from "../../../../schema/ocpi/versions.ts"
import { dataOf, succeeded } from "../../../findings/answers.ts"
import { isObject, type JsonObject } from "../../../findings/json.ts"
import { isHttpUrl } from "../../../findings/links.ts"
import type { Evidence, Observation } from "../../model/Evidence.ts"
import {
  type Awaiting,
  type Probe,
  type ProbeRequest,
  type ProbeStep,
  type WritingProbe,
  withheld
} from "../../model/Probe.ts"
import { leastSeconds, listenedSeconds } from "../shared/listenedSeconds.ts"
import { firstPage } from "../shared/lists.ts"
import { stepOf } from "../shared/stepAnswers.ts"
import { firstList } from "../transport/formsProbes.ts"

const put: ProbeRequest = {
  module: "credentials",
  interfaceRole: "SENDER",
  operation: "PUT credentials",
  method: "PUT",
  registration: "hand over"
}

const versionsOf = ({ party }: Evidence): ProbeRequest => ({
  module: "versions",
  interfaceRole: "SENDER",
  operation: "list",
  url: party.counterpart.versionsUrl
})

/** Modules below our endpoints: not those whose URL a partner has from somewhere else. */
const ofOurEndpoints = ["locations", "sessions", "cdrs", "tariffs", "tokens"]

/** A call at one of our endpoints: a push, or the first page of a list. */
const isAtEndpoint = ({ exchange }: Observation) =>
  ofOurEndpoints.includes(exchange.module) &&
  (exchange.request.method !== "GET" || !new URL(exchange.request.url).searchParams.has("offset"))

/** Strictly after: a call of the same millisecond may have been sent before. */
const isAfter = (seen: Observation, step: Observation | undefined, seconds = 0) =>
  step !== undefined &&
  Date.parse(seen.exchange.startedAt) >
    Date.parse(step.exchange.startedAt) + step.exchange.durationMs + seconds * 1000

const toCall = (
  evidence: Evidence,
  matches: Awaiting["matches"],
  seconds = listenedSeconds(evidence)
): { readonly wait: Awaiting } => ({
  wait: {
    seconds,
    instruction: "The partner must call us: let it push an object, or read one of our lists",
    matches,
    provoke:
      "the partner has not called us by itself: make it push or read something while the run goes on (listenSeconds)"
  }
})

/** Only when that step of the probe was a success. */
const once =
  (probe: string, step: string, act: ProbeStep["act"]): ProbeStep["act"] =>
  (evidence) => {
    const done = stepOf(evidence, `${probe}#${step}`)
    return done !== undefined && done.exchange.module === "credentials" && succeeded(done)
      ? act(evidence)
      : undefined
  }

const objectsOf = (data: unknown): ReadonlyArray<JsonObject> =>
  Array.isArray(data) ? data.filter(isObject) : []

/** Another version that both sides have, the one next to ours first; and where its details are. */
export const otherVersion = (
  evidence: Evidence
): { readonly version: OcpiVersion; readonly url: string } | undefined => {
  const list = stepOf(evidence, "credentials.version#versions")
  const at = versionNumbers.indexOf(evidence.profile.version)
  return objectsOf(list === undefined ? undefined : dataOf(list))
    .flatMap(({ url, version }) => {
      const index = (versionNumbers as ReadonlyArray<unknown>).indexOf(version)
      const known = versionNumbers[index]
      return known === undefined || index === at || !isHttpUrl(url) ? [] : [{ index, version: known, url }]
    })
    .toSorted((a, b) => Math.abs(a.index - at) - Math.abs(b.index - at) || a.index - b.index)[0]
}

/** The partner's first list in that version. */
const listThere = (evidence: Evidence): ProbeRequest | undefined => {
  const module = firstList(evidence)
  const details = stepOf(evidence, "credentials.version#details")
  const data = details === undefined ? undefined : dataOf(details)
  const url = objectsOf(isObject(data) ? data["endpoints"] : undefined).find(
    ({ identifier, role }) => identifier === module && role !== "RECEIVER"
  )?.["url"]
  const other = otherVersion(evidence)
  return module === undefined || other === undefined || !isHttpUrl(url)
    ? undefined
    : {
        ...firstPage(module, evidence),
        url,
        credentials: { use: profileOf(other.version).authorization },
        ocpiVersion: other.version,
        judgesToken: true,
        about: `version ${other.version}`
      }
}

/**
 * PUT of credentials with a new token, with other endpoints and in another version; after each a wait for calls of the
 * partner.
 */
export const renewingProbes: ReadonlyArray<Probe> = [
  {
    id: "credentials.renewed",
    risk: true,
    steps: [
      { id: "put", act: () => ({ send: put }) },
      {
        id: "grace",
        act: once("credentials.renewed", "put", ({ graceSeconds }) => ({
          pause: graceSeconds,
          instruction: `The partner may go on with its old token for ${graceSeconds} seconds`
        }))
      },
      {
        id: "call",
        act: once("credentials.renewed", "put", (evidence) =>
          toCall(evidence, (seen, { graceSeconds }) =>
            isAfter(seen, stepOf(evidence, "credentials.renewed#put"), graceSeconds)
          )
        )
      }
    ]
  },
  {
    id: "credentials.moved",
    risk: true,
    steps: [
      {
        id: "put",
        act: () => ({ send: put, ourFaults: [{ fault: "endpoints-moved", module: "versions", times: 20 }] })
      },
      {
        id: "call",
        act: once("credentials.moved", "put", (evidence) =>
          toCall(
            evidence,
            (seen) => isAtEndpoint(seen) && isAfter(seen, stepOf(evidence, "credentials.moved#put"))
          )
        )
      },
      // We answer at both addresses, so no call is lost when this step fails.
      { id: "back", always: true, act: once("credentials.moved", "put", () => ({ send: put })) }
    ]
  },
  {
    id: "credentials.version",
    risk: true,
    steps: [
      { id: "versions", act: (evidence) => ({ send: versionsOf(evidence) }) },
      {
        id: "details",
        act: (evidence) => {
          const other = otherVersion(evidence)
          return other === undefined
            ? withheld("not_applicable", "the partner lists no other version that we have")
            : {
                send: {
                  ...versionsOf(evidence),
                  operation: "details",
                  url: other.url,
                  credentials: { use: profileOf(other.version).authorization },
                  ocpiVersion: other.version
                }
              }
        }
      },
      {
        id: "there",
        act: (evidence) => {
          const other = otherVersion(evidence)
          return other === undefined ? undefined : { register: true, version: other.version }
        }
      },
      {
        id: "list",
        act: once("credentials.version", "there", (evidence) => {
          const send = listThere(evidence)
          return send === undefined ? undefined : { send }
        })
      },
      {
        id: "call",
        act: once("credentials.version", "there", (evidence) =>
          toCall(
            evidence,
            (seen) => isAtEndpoint(seen) && isAfter(seen, stepOf(evidence, "credentials.version#there")),
            leastSeconds / 2
          )
        )
      },
      {
        id: "back",
        always: true,
        act: once("credentials.version", "there", ({ profile }) => ({
          register: true,
          version: profile.version
        }))
      }
    ]
  },
  { id: "inbound.moved", source: "inbound.run", after: ["credentials.moved"] }
]

/** After the end of the registration. */
export const silenceProbe: WritingProbe = {
  id: "credentials.silence",
  risk: true,
  after: ["credentials.end"],
  steps: [
    {
      id: "call",
      act: (evidence) => {
        const ended =
          stepOf(evidence, "credentials.end#delete again") ?? stepOf(evidence, "credentials.end#delete")
        return {
          wait: {
            seconds: listenedSeconds(evidence),
            instruction: "The registration is over: the partner must not call us any more",
            matches: (seen) => isAfter(seen, ended),
            provoke: "the partner has not called us since the registration was ended"
          }
        }
      }
    }
  ]
}
