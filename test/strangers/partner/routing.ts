/** Routing headers of requests and of answers (transport_and_format, Message Routing). */
import type { Address } from "./hubs.ts"
import type { Peer } from "./Peer.ts"
import type { Self } from "./Self.ts"
import type { Asked } from "./wire.ts"

/** Of a request; `to`: the first party of the partner unless given, `open`: nobody, so that the hub decides. */
export const requestRouting = (
  self: Self,
  peer: Peer,
  owner: Address,
  to: Address | "open" = peer.parties[0]!
): Readonly<Record<string, string>> => {
  const isBare = peer.version === "2.1.1" || (isAlone(self, peer) && self.freedoms.bareRouting)
  if (isBare) return {}
  return {
    "OCPI-from-country-code": owner.country,
    "OCPI-from-party-id": owner.party,
    ...(to === "open" ? {} : { "OCPI-to-country-code": to.country, "OCPI-to-party-id": to.party })
  }
}

/** Of the answer to a request of a registered platform from 2.2 on: as in the request, the other way round. */
export const answerRouting = (
  self: Self,
  peer: Peer | undefined,
  module: string,
  asked: Asked
): Readonly<Record<string, string>> => {
  const isConfiguration = ["versions", "credentials", "hubclientinfo"].includes(module)
  if (isConfiguration || peer === undefined || (isAlone(self, peer) && self.freedoms.bareRouting)) return {}
  const first = self.making.parties[0]!
  const theirs = peer.hub ?? peer.parties[0] ?? first
  const heard = (name: string) => asked.headers[`ocpi-${name}`]
  return {
    "OCPI-from-country-code": heard("to-country-code") ?? first.country,
    "OCPI-from-party-id": heard("to-party-id") ?? first.party,
    "OCPI-to-country-code": heard("from-country-code") ?? theirs.country,
    "OCPI-to-party-id": heard("from-party-id") ?? theirs.party
  }
}

/** Is there one party on each side, so that nobody needs to be told who is meant? */
const isAlone = ({ freedoms, making }: Self, { hub, parties }: Peer): boolean =>
  hub === undefined && parties.length === 1 && making.parties.length === 1 && !freedoms.moreRoles
