/** What our party asks of its partner, and on what occasion. */
import type { Role } from "../../schema/ocpi/Role.ts"
import type { InterfaceRole, VersionProfile } from "../../schema/ocpi/VersionProfile.ts"
import { probesOf } from "../../src/conformance/catalogue/probes.ts"
import { templates } from "../../src/journeys/catalogue/catalogue.ts"
import { codes } from "./markdown.ts"
import { type PartyAsk, partyAsks } from "./partyAsks.ts"

/** `` registering: `POST credentials`; conformance: 3 probes ``; empty when the role asks nothing of the module. */
export const asked = (profile: VersionProfile, role: Role, module: string): string => {
  const partner: Role = role === "CPO" ? "EMSP" : "CPO"
  const offers = (side: InterfaceRole | null) =>
    side === null || profile.interfaces[partner].some(([id, one]) => id === module && one === side)
  const byItself = (occasion: PartyAsk["when"]) =>
    partyAsks
      .filter((ask) => ask.module === module && ask.when === occasion && offers(ask.at))
      .map(({ operation }) => operation)
  const commands =
    module === "commands" && offers("RECEIVER") ? profile.commands.map((command) => `POST ${command}`) : []
  const probes = [...probesOf(profile, partner).keys()].filter((id) => id.split(".")[0] === module)
  const parts: ReadonlyArray<readonly [occasion: string, what: string]> = [
    ["registering", codes(byItself("registering"))],
    ["charging", codes(byItself("charging"))],
    ["lively", codes(byItself("lively"))],
    ["on order", codes([...byItself("on order"), ...commands])],
    ["journeys", codes(inJourneys(profile, role, module))],
    ["conformance", probes.length === 0 ? "" : `${probes.length} ${probes.length === 1 ? "probe" : "probes"}`]
  ]
  return parts
    .filter(([, what]) => what !== "")
    .map(([occasion, what]) => `${occasion}: ${what}`)
    .join("; ")
}

function inJourneys(profile: VersionProfile, role: Role, module: string): ReadonlySet<string> {
  const stages = templates
    .filter(
      ({ ourRole, supportedVersions }) => ourRole === role && supportedVersions.includes(profile.version)
    )
    .flatMap(({ stages }) => stages)
  const acts = stages.flatMap(({ act }) => (act.act === "exchange" ? [act] : []))
  const requests = acts.flatMap(({ readBack, sends }) => [sends, readBack?.reads ?? []].flat())
  // In words, `POST commands/START_SESSION`: the method, then the path from the module on.
  return new Set(requests.filter((request) => request.split(" ")[1]?.split("/")[0] === module))
}
