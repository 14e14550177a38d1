/**
 * What the party asks of its counterpart by itself. The one list here that no code hands out: a test holds it against
 * the operations that are written in src/party.
 */
import type { InterfaceRole, ModuleId } from "../../schema/ocpi/VersionProfile.ts"

export interface PartyAsk {
  readonly module: ModuleId | "versions"
  /** Whose interface at the counterpart; null where there is none. Who may ask follows from it. */
  readonly at: InterfaceRole | null
  /** As the code names it. */
  readonly operation: string
  readonly when: "registering" | "charging" | "on order" | "lively"
}

const registering = (module: PartyAsk["module"], ...operations: ReadonlyArray<string>) =>
  operations.map((operation): PartyAsk => ({ module, at: null, operation, when: "registering" }))
const charging = (module: ModuleId, at: InterfaceRole, ...operations: ReadonlyArray<string>) =>
  operations.map((operation): PartyAsk => ({ module, at, operation, when: "charging" }))
const onOrder = (module: ModuleId, at: InterfaceRole, ...operations: ReadonlyArray<string>) =>
  operations.map((operation): PartyAsk => ({ module, at, operation, when: "on order" }))
const lively = (module: ModuleId, at: InterfaceRole, ...operations: ReadonlyArray<string>) =>
  operations.map((operation): PartyAsk => ({ module, at, operation, when: "lively" }))

export const partyAsks: ReadonlyArray<PartyAsk> = [
  ...registering("versions", "list", "details"),
  ...registering("credentials", "POST credentials", "PUT credentials", "DELETE credentials"),
  // The GETs go before a PUT, where a PATCH met an object that the counterpart has not got.
  ...charging(
    "locations",
    "RECEIVER",
    "PATCH evse",
    "GET evse",
    "PATCH connector",
    "GET connector",
    "PUT location"
  ),
  ...charging("tariffs", "RECEIVER", "PUT tariff"),
  ...charging("sessions", "RECEIVER", "PUT session", "PATCH session", "GET session"),
  ...charging("cdrs", "RECEIVER", "POST cdr"),
  ...charging("tokens", "SENDER", "POST authorize"),
  ...charging("commands", "SENDER", "command-result"),
  ...charging("chargingprofiles", "SENDER", "profile-result", "PUT active-profile"),
  ...onOrder(
    "chargingprofiles",
    "RECEIVER",
    "PUT chargingprofile",
    "GET chargingprofile",
    "DELETE chargingprofile"
  ),
  ...lively("tariffs", "RECEIVER", "PUT tariff"),
  ...lively("tariffs", "SENDER", "list"),
  ...lively("locations", "RECEIVER", "PUT location"),
  ...lively("locations", "SENDER", "list"),
  ...lively("sessions", "SENDER", "PUT charging_preferences"),
  ...lively("tokens", "RECEIVER", "PUT token"),
  ...lively("tokens", "SENDER", "list")
]
