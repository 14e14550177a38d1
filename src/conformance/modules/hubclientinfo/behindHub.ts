/** What a partner behind a hub does: whom it answers and addresses, and whose objects it keeps (transport_and_format, Message Routing). */

import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { header, named } from "../../../findings/answers.ts"
import { accepted } from "../../../findings/expectations.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { finding } from "../../../findings/finding.ts"
import { sameId } from "../../../findings/json.ts"
import { isFunctional } from "../../../party/wire/routing.ts"
import type { Party } from "../../../store/parties/Party.ts"
import { type Check, either, inconclusive, type Judgement, noneOf } from "../../model/Check.ts"
import type { Answered, Evidence, Observation } from "../../model/Evidence.ts"
import { observed } from "../../model/observed.ts"
import { judgeReadBack } from "../shared/readBack.ts"
import { stepOf } from "../shared/stepAnswers.ts"
import { taken } from "../shared/takenWrites.ts"
import { routingReference } from "../transport/routing.ts"
import {
  afterOutage,
  clientsList,
  clientsOf,
  clientsWrites,
  names,
  objectOf,
  outage,
  outageSince
} from "./behindHubProbes.ts"

const base = {
  module: "hubclientinfo",
  versions: versionsWhere(({ hub }) => hub !== "none"),
  roles: either,
  hub: true,
  strength: "must",
  reference: routingReference
} as const

const step = (id: string) => `${clientsWrites}#${id}`

/** The step `put` was accepted, and what the step `read` read is the object of that party. */
const keptAs = (
  evidence: Evidence,
  { put, read }: { readonly put: string; readonly read: string },
  owner: "x" | "y",
  name: string
): Judgement => {
  const clients = clientsOf(evidence)
  const done = taken(evidence, step(put))
  return done.is !== "pass" || clients === undefined
    ? done
    : judgeReadBack(evidence, step(read), objectOf(evidence, clients[owner], name))
}

/** The first that did not pass; the last one if all did. */
const both = (one: Judgement, other: Judgement): Judgement => (one.is === "pass" ? other : one)

/** A finding where the answer is addressed to somebody else than that party. */
const answeredTo = (seen: Answered, { countryCode, partyId }: Party["identity"]): ReadonlyArray<Finding> => {
  const [country, party] = ["OCPI-to-country-code", "OCPI-to-party-id"].map((name) => header(seen, name))
  return sameId(country, countryCode) && sameId(party, partyId)
    ? []
    : [
        finding(
          seen,
          `${named(seen)}: the answer is not addressed to ${countryCode} ${partyId}, the party that asked`,
          {
            expected: `OCPI-to of ${countryCode} ${partyId}`,
            actual: `${country ?? "absent"} ${party ?? "absent"}`
          }
        )
      ]
}

const recipientOf = ({ exchange: { request } }: Observation) => ({
  countryCode: request.headers["ocpi-to-country-code"],
  partyId: request.headers["ocpi-to-party-id"]
})

const isTo = (seen: Observation, { countryCode, partyId }: Party["identity"]): boolean => {
  const to = recipientOf(seen)
  return sameId(to.countryCode, countryCode) && sameId(to.partyId, partyId)
}

const isAddressed = (seen: Observation): boolean =>
  seen.exchange.direction === "inbound" &&
  isFunctional(seen.exchange.module) &&
  recipientOf(seen).partyId !== undefined

const calledIn = ({ exchange }: Observation) =>
  `${exchange.request.method} ${exchange.module} from the partner`

const shownTo = (seen: Observation) => Object.values(recipientOf(seen)).join(" ")

const provokeCalls = (evidence: Evidence): string => {
  const clients = clientsOf(evidence)
  const ids = clients === undefined ? "" : `: ${clients.x.partyId} and ${clients.y.partyId}`
  return `order listenSeconds, and make the partner send something to the parties behind the hub${ids}`
}

/** Judge a partner behind a hub of ours, with two parties behind it that it can exchange messages with. */
export const behindHubChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "HUB-004",
    mode: "OBS",
    strength: "should",
    title: "ClientInfo: nothing is sent to a party that is OFFLINE",
    reference: "mod_hub_client_info, Scenarios",
    sends: "PUT of the ClientInfo of the second party behind the hub, with status OFFLINE",
    passes: "after that the partner addresses the first party, and not the second",
    hint: "Send nothing to a party that the hub reports as OFFLINE, and queue no pushes: it reads what it missed when it is back.",
    requires: () => [{ answers: `${outage}#offline`, what: "PUT of a ClientInfo with status OFFLINE" }],
    needs: () => [`${outage}#offline`, afterOutage],
    judge: (evidence) => {
      const [clients, since] = [clientsOf(evidence), outageSince(evidence)]
      if (clients === undefined || since === undefined)
        return inconclusive("not_tested", "the parties behind the hub are not known")
      return observed({
        source: "inbound.run",
        matches: (seen) =>
          isAddressed(seen) &&
          Date.parse(seen.exchange.startedAt) > since &&
          (isTo(seen, clients.x) || isTo(seen, clients.y)),
        provoke: provokeCalls(evidence),
        findings: (seen) =>
          seen
            .filter((one) => isTo(one, clients.y))
            .map((one) =>
              finding(one, `${calledIn(one)} was addressed to ${shownTo(one)}, which is OFFLINE`, {
                expected: `nothing for ${clients.y.partyId}`,
                actual: shownTo(one)
              })
            )
      })({ ...evidence, seen: () => evidence.seen(afterOutage) })
    }
  },
  {
    ...base,
    id: "HUB-101",
    mode: "RO",
    // After the ClientInfo objects were PUT: a partner may refuse parties that the hub has not announced to it.
    phase: "write",
    title: "Behind a hub: a list is answered to the party that asks through the hub",
    sends: "GET of a list with each of the parties behind the hub in OCPI-from",
    passes: "HTTP 200, status_code 1000, and OCPI-to of the answer names the party that asked",
    hint: "Answer to the party in OCPI-from, which is not the platform that has registered: that is the hub.",
    needs: () => [clientsList],
    judge: (evidence) =>
      noneOf(
        evidence.answered(clientsList).flatMap((seen) => {
          const refused = accepted(seen)
          const clients = clientsOf(evidence)
          if (refused.length > 0 || clients === undefined) return refused
          const client = [clients.x, clients.y].find(({ partyId }) => partyId === seen.about)
          return client === undefined ? [] : answeredTo(seen, client)
        })
      )
  },
  {
    ...base,
    id: "HUB-102",
    mode: "MUT",
    title: "Behind a hub: an object of a party behind the hub is accepted and kept as its own",
    sends: "PUT of a token (at a CPO) or a location (at an EMSP) of a party behind the hub, then GET",
    passes: "HTTP 200 or 201, status_code 1000, and GET returns it",
    hint: "Take the party in the URL as the owner of the object, not the platform whose token came with the request.",
    needs: () => [step("put"), step("read back")],
    judge: (evidence) => keptAs(evidence, { put: "put", read: "read back" }, "x", names.own)
  },
  {
    ...base,
    id: "HUB-103",
    mode: "MUT",
    title: "Behind a hub: objects of two parties with the same id are kept apart",
    reference: `${routingReference}; Client Owned Object Push`,
    sends:
      "PUT of an object of each of the two parties behind the hub, both with the same id, then GET of each",
    passes: "each GET returns the object of its owner",
    hint: "Identify an object by country_code, party_id and id: ids are unique within a party only.",
    requires: () => [{ check: "HUB-102" }],
    needs: () => ["put twin", "put other twin", "read twin", "read other twin"].map(step),
    judge: (evidence) =>
      both(
        keptAs(evidence, { put: "put twin", read: "read twin" }, "x", names.twin),
        keptAs(evidence, { put: "put other twin", read: "read other twin" }, "y", names.twin)
      )
  },
  {
    ...base,
    id: "HUB-104",
    mode: "MUT",
    title:
      "Broadcast push: an object of another party that the hub sends is accepted, and answered to the hub",
    reference: `${routingReference}, Broadcast Push`,
    sends: "PUT of an object of a party behind the hub, with the hub in OCPI-from, then GET",
    passes:
      "HTTP 200 or 201, status_code 1000, OCPI-to of the answer names the hub, and GET returns the object",
    hint: "Answer a broadcast to the hub in OCPI-from, and keep the object under the owner that URL and object name.",
    needs: () => [step("broadcast"), step("read broadcast")],
    judge: (evidence) => {
      const kept = keptAs(evidence, { put: "broadcast", read: "read broadcast" }, "x", names.broadcast)
      const seen = stepOf(evidence, step("broadcast"))
      if (kept.is !== "pass" || seen === undefined) return kept
      return noneOf(answeredTo(seen, evidence.party.identity))
    }
  },
  {
    ...base,
    id: "HUB-105",
    mode: "OBS",
    title: "Behind a hub: requests are addressed to the hub or to a party behind it",
    sends: "no request: the check looks at the calls of the partner",
    passes: "OCPI-to, where it is there, names the hub or a party behind it",
    hint: "Address the party that a message is for, or the hub for a broadcast and for the lists of all parties.",
    needs: () => ["inbound"],
    judge: (evidence) => {
      const clients = clientsOf(evidence)
      const known = clients === undefined ? [] : [evidence.party.identity, clients.x, clients.y]
      return observed({
        source: "inbound",
        matches: isAddressed,
        provoke: provokeCalls(evidence),
        findings: (seen) =>
          seen
            .filter((one) => !known.some((party) => isTo(one, party)))
            .map((one) =>
              finding(
                one,
                `${calledIn(one)} was addressed to ${shownTo(one)}, which is neither the hub nor a party behind it`,
                {
                  expected: known.map(({ countryCode, partyId }) => `${countryCode} ${partyId}`).join(", "),
                  actual: shownTo(one)
                }
              )
            )
      })(evidence)
    }
  }
]
