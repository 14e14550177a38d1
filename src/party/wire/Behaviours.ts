/**
 * How a party departs from the honest one. The honest behaviour changes nothing; the sandbox supplies behaviours made of
 * faults. Wrapped round the party, never inside its modules.
 */
import { Context, Effect, Option } from "effect"
import type { OcpiCall } from "../../ocpi/OcpiClient.ts"
import type { Party } from "../../store/parties/PartyStore.ts"
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

/**
 * What a CPO does beside its answers and pushes. `authorizes commands`: asks for the token of START_SESSION and
 * RESERVE_NOW. `repeats refused results`: posts a result again when it was answered HTTP 5xx. `authorizes without a
 * place`: leaves the LocationReferences out. `starts denied tokens`: charges whatever the EMSP's verdict is. `starts after a
 * time-out`: charges although it has told that the charge point did not start.
 */
export type Habit =
  | "authorizes commands"
  | "repeats refused results"
  | "authorizes without a place"
  | "starts denied tokens"
  | "forgets Token A"
  /** Whatever their whitelist says. */
  | "asks for no token that it knows"
  | "asks for every token"
  /** Denies a token that is invalid in its list, although the EMSP has just allowed it. */
  | "trusts its list more"
  /** Of an EMSP: its verdicts depend on what it has heard of the place. */
  | "judges by the state of a place"
  | "starts after a time-out"
  /** A reservation that is used stays a session of its own. */
  | "charges beside the reservation"
  /** Forgets the token of a registered party that POSTs its credentials again. */
  | "forgets who registers twice"
  /** Gives the other side two seconds for each call back. */
  | "impatient"
  /** Of one that registers: guesses where our credentials are, and fetches nothing of ours. */
  | "registers unseeing"
  /** Registers with whoever has a credentials endpoint, whatever else is missing. */
  | "registers with anybody"
  /** Takes the token that it hands over only when it has been answered. */
  | "opens late"
  /** Goes on at the endpoints that it knew before our credentials were renewed. */
  | "keeps our old endpoints"
  /** Refuses to go over to another version. */
  | "stays in its version"
  /** Calls once more after its registration was ended. */
  | "calls after the end"
  /** Pushes again what was answered HTTP 5xx. */
  | "repeats refused pushes"
  /** Reads no list after it could not reach us. */
  | "never catches up"
  /** Leaves the pages after one with an object that is not valid. */
  | "stops at what is invalid"
  /** Calls on with the token that it had before its credentials were exchanged. */
  | "keeps its old token"
  /** Of a CPO with which several EMSPs are registered: takes their commands for each other's sessions. */
  | "stops strangers' sessions"
  /** Keeps reservations by their id alone, whoever made them. */
  | "cancels strangers' reservations"

export interface Behaviour {
  /** The last word on an answer: status, headers and body may be changed, or the answer delayed. */
  readonly reply: (request: OcpiRequest, reply: OcpiReply) => OcpiReply & { readonly delayMillis?: number }
  /** None: never sent. Two: sent twice. */
  readonly push: (push: Push) => ReadonlyArray<Push>
  /** The last word on a request that it makes: its ids, headers and body. Absent: as it should be. */
  readonly call?: (call: OcpiCall) => OcpiCall
  /**
   * How it looks at a partner that hands over its credentials. Absent: as it should. `own token`: with the token that it
   * issued itself, on the first registration.
   */
  readonly callBack?: "none" | "list only" | "own token"
  /** Absent: none. */
  readonly habits?: ReadonlyArray<Habit>
}

export const honest: Behaviour = { reply: (_, reply) => reply, push: (push) => [push] }

/** Has a sandbox partner that habit? Nobody else has any. */
export const hasHabit = (behaviours: Behaviours["Type"], party: Party, habit: Habit): boolean =>
  party.kind === "sandbox" && behaviours.of(party).habits?.includes(habit) === true

/** The same where nobody has to know of behaviours: outside of the sandbox there are none. */
export const habitsOf = (party: Party): Effect.Effect<(habit: Habit) => boolean> =>
  Effect.map(
    Effect.serviceOption(Behaviours),
    (found) => (habit: Habit) => Option.isSome(found) && hasHabit(found.value, party, habit)
  )

export class Behaviours extends Context.Tag("party/Behaviours")<
  Behaviours,
  { readonly of: (party: Party) => Behaviour }
>() {}
