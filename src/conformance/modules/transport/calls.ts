/** The partner's calls to us, whatever they are about: message ids, routing, content type, and what a PATCH must say. */

import { versionNumbers, versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { requestName } from "../../../findings/answers.ts"
import { uninvitedName } from "../../../findings/calledPath.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { finding, given, repeated, unless } from "../../../findings/finding.ts"
import { objectIn } from "../../../findings/json.ts"
import { isFunctional } from "../../../party/wire/routing.ts"
import { type Check, either } from "../../model/Check.ts"
import type { Evidence, Observation } from "../../model/Evidence.ts"
import { observed } from "../../model/observed.ts"
import { isHub } from "../shared/hubs.ts"
import { noObject } from "../shared/pushedObjects.ts"
import { transportChapter } from "./everyAnswer.ts"
import { isPointToPoint, routed, routingNames, routingReference } from "./routing.ts"

const source = "inbound"
const base = {
  module: "transport",
  roles: either,
  mode: "OBS",
  strength: "must",
  sends: "no request: the check looks at the calls that the partner made to us",
  needs: () => [source]
} as const

const provoke = "the partner has sent nothing of that kind: make it register, or change an object at its side"

const headerOf = ({ exchange }: Observation, name: string): string | undefined => {
  const value = exchange.request.headers[name.toLowerCase()]
  return value === undefined || value === "" ? undefined : value
}
const called = ({ exchange }: Observation) => requestName(exchange)
const isConfiguration = ({ exchange }: Observation) => ["versions", "credentials"].includes(exchange.module)
const hasBody = ({ exchange }: Observation) => ["POST", "PUT", "PATCH"].includes(exchange.request.method)

const wrong = (
  seen: Observation,
  message: string,
  { actual, expected }: { readonly expected: string; readonly actual: string | undefined },
  name = called(seen)
): Finding => finding(seen, `${name}: ${message}`, { expected, actual: actual ?? "absent" })

const missing = (seen: Observation, names: ReadonlyArray<string>, call?: string): ReadonlyArray<Finding> =>
  names
    .filter((name) => headerOf(seen, name) === undefined)
    .map((name) => wrong(seen, `there is no ${name}`, { expected: name, actual: undefined }, call))

/** The parties that may stand in the headers do not stand there. A hub passes on what any party behind it sends. */
const misrouted = (seen: Observation, evidence: Evidence): ReadonlyArray<Finding> => {
  const { party } = evidence
  const ours = [`${party.identity.countryCode}-${party.identity.partyId}`.toUpperCase()]
  const theirs = (party.counterpart.parties ?? []).map(({ countryCode, partyId }) =>
    `${countryCode}-${partyId}`.toUpperCase()
  )
  return (
    [
      ["from", theirs, "one of the partner's parties"],
      ["to", ours, "our party"]
    ] as const
  ).flatMap(([side, known, whose]) => {
    const named =
      `${headerOf(seen, `OCPI-${side}-country-code`)}-${headerOf(seen, `OCPI-${side}-party-id`)}`.toUpperCase()
    const isAny = side === "from" && isHub(evidence)
    return unless(isAny || known.length === 0 || known.includes(named), () =>
      wrong(seen, `OCPI-${side} is not ${whose}`, { expected: known.join(", "), actual: named })
    )
  })
}

/** Modules with a PATCH of objects: elsewhere it is refused, whatever its body has. */
const patched: ReadonlyArray<string> = ["locations", "sessions", "tokens"]

/** Judge headers and bodies of the calls of the partner to us (transport_and_format). */
export const callsChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "TRANS-028",
    versions: versionsWhere(({ messageIds }) => messageIds),
    title:
      "Requests of the partner: X-Request-ID and X-Correlation-ID are given, and each X-Request-ID is new",
    reference: `${transportChapter}, Unique message IDs`,
    passes: "X-Request-ID and X-Correlation-ID are given; no X-Request-ID comes twice",
    hint: "Make a new X-Request-ID for every request; the X-Correlation-ID stays over one conversation.",
    judge: observed({
      source,
      matches: () => true,
      provoke,
      findings: (seen, { profile }) => [
        ...seen.flatMap((one) =>
          missing(one, ["X-Request-ID", "X-Correlation-ID"], uninvitedName(one.exchange, profile))
        ),
        ...repeated(
          seen.filter((one) => headerOf(one, "X-Request-ID") !== undefined),
          (one) => headerOf(one, "X-Request-ID") ?? ""
        ).map((one) =>
          wrong(one, "X-Request-ID was used before", {
            expected: "a new id",
            actual: headerOf(one, "X-Request-ID")
          })
        )
      ]
    })
  },
  {
    ...base,
    id: "TRANS-030",
    versions: routed,
    title: "Requests of the partner: routing headers name one of its parties and ours",
    lenient: () => true,
    reference: routingReference,
    passes:
      "requests to functional modules have the four routing headers, from one of its parties (a hub: from any party) to ours; they may be left out where both sides are one party",
    hint: "Name in OCPI-from the party of yours that sends the request, and in OCPI-to the party of ours that it is for.",
    judge: (evidence) =>
      observed({
        source,
        matches: (seen) =>
          isFunctional(seen.exchange.module) &&
          !(isPointToPoint(evidence) && routingNames.every((name) => headerOf(seen, name) === undefined)),
        nearMiss: (seen) =>
          isFunctional(seen.exchange.module)
            ? `${called(seen)} had no routing headers, which are optional where each platform has one party`
            : undefined,
        provoke,
        findings: (seen) =>
          seen.flatMap((one) => {
            const none = missing(one, routingNames)
            return none.length > 0 ? none : misrouted(one, evidence)
          })
      })(evidence)
  },
  {
    ...base,
    id: "TRANS-032",
    versions: routed,
    title: "Requests of the partner for versions and credentials: no routing headers",
    lenient: () => true,
    reference: routingReference,
    passes: "requests to our versions and credentials have no OCPI-to and OCPI-from headers",
    hint: "Leave OCPI-to and OCPI-from out of these requests: versions and credentials are between platforms.",
    judge: observed({
      source,
      matches: isConfiguration,
      provoke: "the partner has not fetched our versions yet: make it register",
      findings: (seen) =>
        seen.flatMap((one) =>
          routingNames
            .filter((name) => headerOf(one, name) !== undefined)
            .map((name) =>
              wrong(one, `the request came with ${name}`, {
                expected: "no routing headers",
                actual: headerOf(one, name)
              })
            )
        )
    })
  },
  {
    ...base,
    id: "TRANS-043",
    versions: versionNumbers,
    title: "Requests of the partner: Content-Type is application/json",
    reference: `${transportChapter}, JSON / HTTP implementation guide`,
    passes: "POST, PUT and PATCH have Content-Type application/json",
    hint: "Send Content-Type: application/json with every body.",
    judge: observed({
      source,
      matches: (seen) => hasBody(seen) && seen.exchange.request.body !== null,
      provoke,
      findings: (seen) =>
        seen
          .filter((one) => !/^application\/json\s*(;|$)/i.test(headerOf(one, "Content-Type") ?? ""))
          .map((one) =>
            wrong(one, "another Content-Type", {
              expected: "application/json",
              actual: headerOf(one, "Content-Type")
            })
          )
    })
  },
  {
    ...base,
    id: "TRANS-053",
    versions: versionsWhere(({ patchNeedsLastUpdated }) => patchNeedsLastUpdated),
    title: "PATCH of the partner: last_updated is in the body",
    reference: "mod_locations, PATCH Method; mod_sessions, PATCH Method; mod_tokens, PATCH Method",
    passes: "the body of every PATCH has last_updated",
    hint: "Put last_updated into the body of every PATCH, whatever else it changes.",
    judge: observed({
      source,
      matches: ({ exchange }) => exchange.request.method === "PATCH" && patched.includes(exchange.module),
      provoke:
        "the partner has sent no PATCH: change a part of an object at its side, as the status of an EVSE",
      findings: (seen) =>
        seen
          // Where the body is no object, the module's own check of pushes reports that.
          .filter((one) => objectIn(one.json)["last_updated"] === undefined && noObject(one).length === 0)
          .map((one) =>
            wrong(one, "there is no last_updated", { expected: "last_updated", actual: undefined })
          )
    })
  },
  {
    ...base,
    id: "TRANS-060",
    versions: versionNumbers,
    strength: "should",
    title: "Requests of the partner: only to URLs of the endpoints that we offered",
    reference:
      "version_information_endpoint, Version details endpoint; transport_and_format, Client Owned Object Push",
    passes: "no request to a URL that leads to none of the endpoints in our version details",
    hint: "Take the URL of each endpoint from our version details, and append to it only what the module says.",
    judge: observed({
      source,
      matches: ({ exchange }) => isFunctional(exchange.module) || exchange.response?.httpStatus === 404,
      provoke,
      findings: (seen, { profile }) =>
        seen.flatMap((one) =>
          given(uninvitedName(one.exchange, profile), (what) =>
            finding(one, what, {
              expected: "a URL of the endpoints in our version details",
              actual: `${one.exchange.request.method} ${one.exchange.request.url}`
            })
          )
        )
    })
  }
]
