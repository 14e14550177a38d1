/**
 * How a sandbox partner departs from OCPI. A port: `src/sandbox` builds each partner's behaviour from its faults, every other
 * party behaves as `honest`.
 */
import { Context, Effect, Option } from "effect"
import type { OcpiCall } from "../../ocpi/OcpiClient.ts"
import type { Party } from "../../store/parties/Party.ts"
import type { OcpiReply, OcpiRequest } from "./Request.ts"

/** A push that the party is about to make to its counterpart. */
export interface Push {
  readonly module: string
  /** `command-result`, `PUT session`, `PATCH session`, `PATCH evse`, `POST cdr`, `PUT location`, `PUT token` … */
  readonly operation: string
  readonly method: "POST" | "PUT" | "PATCH" | "DELETE"
  readonly body: unknown
  /** Of a command's result: which command. */
  readonly command?: string
  readonly delayMillis: number
  /** Where it goes, when the counterpart gave the address: a response_url. */
  readonly url?: string
}

/** One deviation that neither edits an answer nor a push: code of the party's modules asks for it by name. */
export type Quirk =
  /** Asks the EMSP for the token of START_SESSION and RESERVE_NOW, although the command is an authorization. */
  | "authorizes commands"
  /** Posts a command's result again after an answer of HTTP 5xx. */
  | "repeats refused results"
  /** Sends an authorization request without LocationReferences. */
  | "authorizes without a place"
  /** Charges although the EMSP did not allow the token. */
  | "starts denied tokens"
  /** Revokes Token A when it refuses a POST credentials that came with it. */
  | "forgets Token A"
  /** Asks for no token that it has, whatever the token's whitelist field says. */
  | "asks for no token that it knows"
  /** Asks for every token, whatever the token's whitelist field says. */
  | "asks for every token"
  /** Denies a token that is invalid in its list, although the EMSP has just allowed it. */
  | "trusts its list more"
  /** An EMSP's: its verdicts depend on what the CPO has pushed about the location. */
  | "judges by the state of a place"
  /** Charges although its command result was TIMEOUT. */
  | "starts after a time-out"
  /** Starts a second session beside the one of the reservation that is used. */
  | "charges beside the reservation"
  /** Forgets the token of a registered party that POSTs its credentials again. */
  | "forgets who registers twice"
  /** Gives the other side two seconds for each call back. */
  | "impatient"
  /** When it registers: guesses where our credentials endpoint is, and fetches neither our versions nor their details. */
  | "registers unseeing"
  /** Registers with every party that has a credentials endpoint, whatever other module is missing. */
  | "registers with anybody"
  /** Accepts the token that it handed over only after our answer to its POST credentials. */
  | "opens late"
  /** Keeps calling the endpoints that it knew before our credentials were renewed. */
  | "keeps our old endpoints"
  /** Refuses to change to another version. */
  | "stays in its version"
  /** Calls once more after its registration was ended. */
  | "calls after the end"
  /** Pushes again after an answer of HTTP 5xx. */
  | "repeats refused pushes"
  /** Reads no list after it could not reach us. */
  | "never catches up"
  /** Reads no further page after one with an object that is not valid. */
  | "stops at what is invalid"
  /** Keeps calling with the token that it had before its credentials were exchanged. */
  | "keeps its old token"
  /** A CPO's with which several EMSPs are registered: takes their commands for each other's sessions. */
  | "stops other EMSPs' sessions"
  /** Finds the session of a command only where its id is written as in its own list. */
  | "minds the case of session ids"
  /** Keeps the objects that it is sent by their id alone, whoever owns them. */
  | "keeps one object of each id"
  /** Finds a reservation by its id alone, whichever EMSP made it. */
  | "cancels other EMSPs' reservations"

/** Everything by which one party departs from OCPI: edits of its answers, pushes and calls, and its quirks. */
export interface Behaviour {
  /** Edits an answer before it is sent: status, headers, body, or a delay in milliseconds. */
  readonly reply: (request: OcpiRequest, reply: OcpiReply) => OcpiReply & { readonly delayMillis?: number }
  /** The pushes to make instead of this one. Empty: it is never sent. Two: it is sent twice. */
  readonly push: (push: Push) => ReadonlyArray<Push>
  /** Edits a request that the party makes: its ids, headers and body. Absent: no edit. */
  readonly call?: (call: OcpiCall) => OcpiCall
  /**
   * How it discovers a partner that hands over its credentials. Absent: versions and details, as OCPI requires. `none`: not
   * at all. `list only`: the versions list, not the details. `own token`: with the token that it issued itself, on the
   * first registration.
   */
  readonly callBack?: "none" | "list only" | "own token"
  /** Absent: none. */
  readonly quirks?: ReadonlyArray<Quirk>
}

/** Changes nothing: the behaviour of every party that is not a sandbox partner, and of a sandbox partner without faults. */
export const honest: Behaviour = { reply: (_, reply) => reply, push: (push) => [push] }

/** Does this party have that quirk? Only sandbox partners have any. */
export const hasQuirk = (behaviours: PartnerQuirks["Type"], party: Party, quirk: Quirk): boolean =>
  party.kind === "sandbox" && behaviours.of(party).quirks?.includes(quirk) === true

/** `hasQuirk` of one party, for code that also runs without the service `PartnerQuirks`: then there are no quirks. */
export const quirksOf = (party: Party): Effect.Effect<(quirk: Quirk) => boolean> =>
  party.kind === "sandbox"
    ? Effect.map(
        Effect.serviceOption(PartnerQuirks),
        (found) => (quirk: Quirk) => Option.isSome(found) && hasQuirk(found.value, party, quirk)
      )
    : noQuirks

const noQuirks = Effect.succeed(() => false)

/** The behaviour of each party; asked anew for each request, because a sandbox partner's faults can change. */
export class PartnerQuirks extends Context.Tag("party/PartnerQuirks")<
  PartnerQuirks,
  { readonly of: (party: Party) => Behaviour }
>() {}
