/** Probes of the registration: the URL that it brought, and its renewal. */

import { dataOf, succeeded } from "../../../findings/answers.ts"
import { isObject } from "../../../findings/json.ts"
import { isHttpUrl } from "../../../findings/links.ts"
import type { Evidence, Observation } from "../../model/Evidence.ts"
import { asAnswered } from "../../model/Evidence.ts"
import { type Awaiting, type Probe, type ProbeRequest, type ProbeStep, withheld } from "../../model/Probe.ts"
import { firstPage } from "../shared/lists.ts"
import { stepOf } from "../shared/stepAnswers.ts"
import { firstList } from "../transport/formsProbes.ts"

/** `data` of the answer to the last registration. */
const registered = (evidence: Evidence): unknown => {
  const [opener] = evidence.seen("registration")
  return opener === undefined || opener.exchange.direction === "inbound"
    ? undefined
    : asAnswered(opener).map(dataOf)[0]
}

const credentials = (method: "POST" | "PUT"): ProbeRequest => ({
  module: "credentials",
  interfaceRole: "SENDER",
  operation: `${method} credentials`,
  method,
  registration: "hand over"
})

const versions = (
  evidence: Evidence,
  more: Pick<ProbeRequest, "credentials" | "judgesToken"> = {}
): ProbeRequest => ({
  module: "versions",
  interfaceRole: "SENDER",
  operation: "list",
  url: evidence.party.counterpart.versionsUrl,
  ...more
})

/** How long a partner may take to do what it has answered HTTP 202 to, in seconds. */
const queuedSeconds = 15

/** A versions URL at which no server listens, from any host. */
const refusing = "http://127.0.0.1:1/ocpi/versions"

const gone = (id: string, more: Pick<ProbeRequest, "method" | "body" | "wrongOnPurpose">): ProbeStep => ({
  id,
  act: () => ({
    send: {
      module: "credentials",
      interfaceRole: "SENDER",
      operation: `${more.method} credentials after the end`,
      credentials: { use: "former" },
      ...more
    }
  })
})

/** Calls to our versions since that step, which was not to lead to one. */
const calledSince = (evidence: Evidence, step: string): { readonly wait: Awaiting } | undefined => {
  const since = stepOf(evidence, step)
  return since === undefined
    ? undefined
    : {
        wait: {
          seconds: 1,
          instruction: "The partner must not call the versions URL of a request with an unknown token",
          provoke: "the partner did not call the versions URL of a request with an unknown token",
          matches: ({ exchange }: Observation) =>
            exchange.module === "versions" &&
            Date.parse(exchange.startedAt) >= Date.parse(since.exchange.startedAt)
        }
      }
}

/** The partner fetches our versions while our PUT is open, so the call precedes the answer. */
const callBack = (operation: "list" | "details"): Awaiting => ({
  seconds: 1,
  instruction: "The partner must fetch our versions and details while our PUT credentials is open",
  provoke: `the partner did not fetch our ${operation === "list" ? "versions" : "version details"} while our PUT credentials was open`,
  matches: ({ exchange }: Observation, evidence) => {
    const put = stepOf(evidence, "credentials.rotate#put")?.exchange
    return (
      put !== undefined &&
      exchange.module === "versions" &&
      exchange.operation === operation &&
      Date.parse(exchange.startedAt) >= Date.parse(put.startedAt)
    )
  }
})

/**
 * GET of the url that the registration brought; credentials requests with a random token, a second POST, PUT with an
 * unreachable url, PUT with a new token, and DELETE.
 */
export const registrationProbes: ReadonlyArray<Probe> = [
  {
    id: "credentials.url",
    after: ["registration"],
    asks: (evidence) => {
      const data = registered(evidence)
      const url = isObject(data) ? data["url"] : undefined
      return isHttpUrl(url)
        ? [{ module: "versions", interfaceRole: "SENDER", operation: "list", url, judgesToken: true }]
        : withheld("not_tested", "no registration of ours with a usable url is on record", "operator")
    }
  },
  {
    id: "credentials.random-token",
    risk: true,
    steps: [
      ...(["POST", "PUT"] as const).map(
        (method): ProbeStep => ({
          id: method.toLowerCase(),
          act: () => ({ send: { ...credentials(method), credentials: { use: "random" } } })
        })
      ),
      { id: "called", act: (evidence) => calledSince(evidence, "credentials.random-token#post") },
      {
        id: "delete",
        act: () => ({
          send: {
            module: "credentials",
            interfaceRole: "SENDER",
            operation: "DELETE credentials",
            method: "DELETE",
            credentials: { use: "random" }
          }
        })
      },
      { id: "still", act: (evidence) => ({ send: versions(evidence, { judgesToken: true }) }) }
    ]
  },
  {
    id: "credentials.again",
    risk: true,
    steps: [
      { id: "post", act: () => ({ send: credentials("POST") }) },
      {
        id: "versions",
        act: (evidence) => {
          const post = stepOf(evidence, "credentials.again#post")
          const token = post !== undefined && succeeded(post) ? ("former" as const) : ("live" as const)
          return { send: versions(evidence, { credentials: { use: token }, judgesToken: true }) }
        }
      }
    ]
  },
  {
    id: "credentials.unreachable",
    risk: true,
    steps: [
      {
        id: "put",
        act: () => ({
          send: {
            ...credentials("PUT"),
            about: "with a versions URL where nothing listens",
            body: { url: refusing }
          }
        })
      },
      { id: "versions", act: (evidence) => ({ send: versions(evidence, { judgesToken: true }) }) },
      {
        // A partner that accepted the URL would use it from now on.
        id: "mended",
        act: (evidence) => {
          const put = stepOf(evidence, "credentials.unreachable#put")
          return put !== undefined && succeeded(put) ? { send: credentials("PUT") } : undefined
        }
      }
    ]
  },
  {
    id: "credentials.rotate",
    risk: true,
    steps: [
      { id: "put", act: () => ({ send: credentials("PUT") }) },
      { id: "versions fetched", act: () => ({ wait: callBack("list") }) },
      { id: "details fetched", act: () => ({ wait: callBack("details") }) },
      { id: "new token", act: (evidence) => ({ send: versions(evidence, { judgesToken: true }) }) },
      {
        id: "grace",
        act: ({ graceSeconds }) => ({
          pause: graceSeconds,
          instruction: `The old token may live for ${graceSeconds} seconds after the rotation`
        })
      },
      {
        id: "old token",
        act: (evidence) => ({ send: versions(evidence, { credentials: { use: "former" } }) })
      }
    ]
  },
  {
    // The last probe: it ends the registration.
    id: "credentials.end",
    risk: true,
    steps: [
      {
        id: "delete",
        act: () => ({
          send: {
            module: "credentials",
            interfaceRole: "SENDER",
            operation: "DELETE credentials",
            method: "DELETE",
            registration: "end"
          }
        })
      },
      {
        // HTTP 202 says that it is done later.
        id: "later",
        act: (evidence) =>
          stepOf(evidence, "credentials.end#delete")?.response.httpStatus === 202
            ? {
                pause: queuedSeconds,
                instruction: `The partner has answered HTTP 202 to DELETE credentials: it has ${queuedSeconds} seconds to carry that out`
              }
            : undefined
      },
      {
        id: "list",
        act: (evidence) => {
          const list = firstList(evidence)
          return list === undefined
            ? undefined
            : { send: { ...firstPage(list, evidence), credentials: { use: "former" } } }
        }
      },
      gone("put", { method: "PUT", body: {}, wrongOnPurpose: { body: "an empty object" } }),
      gone("delete again", { method: "DELETE" })
    ]
  }
]
