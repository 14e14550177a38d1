/** What a stage does, as data: RunActor performs it. docs/journey-templates.md says which act to use when. */

import type { Exchange } from "../../../schema/Exchange.ts"
import type { Trace } from "../../../schema/LedgerEvent.ts"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import type { ModuleId } from "../../../schema/ocpi/VersionProfile.ts"
import type { JsonObject } from "../../findings/json.ts"
import type { CallRequest } from "../../party/wire/CallRequest.ts"
import type { PartyObject } from "../../store/parties/PartyStore.ts"
import type { RunHistory } from "./RunHistory.ts"

/** A request to the partner, before it has ids. */
export type Call = Omit<CallRequest, "exchangeId" | "correlationId">

/**
 * The stage cannot be performed, through no fault of the partner. `ours`: because of what happened on our side, and not because
 * of what the partner has. `goesOn`: later stages still can.
 */
export interface Unmet {
  readonly unmet: string
  readonly ours?: true
  readonly goesOn?: true
}

/** The verdict of a read on an earlier write whose answer was lost. */

/** How to find out what an unknown write did, without sending it again. */
export interface ReadBack {
  /** The request, for display, e.g. `GET sessions`. */
  readonly reads: string
  readonly call: (history: RunHistory, write: Exchange) => Call
  /** The verdict of this page. */
  readonly found: (history: RunHistory, write: Exchange, answer: Exchange) => Trace
  /** Is the object of the write on this page, so that later pages need not be read? */
  readonly onPage?: (history: RunHistory, answer: Exchange) => boolean
  /** Do the partner's own messages already prove that the write was carried out? */
  readonly proven: (history: RunHistory, write: Exchange) => boolean
  /** Seconds within which the partner may still show the write, before `absent` counts. */
  readonly patienceSeconds: number
}

/**
 * Own objects as they are when the act is done: stored before the request leaves or the wait begins, so that the partner
 * can read them, or ask about them. `now`: ISO 8601 UTC.
 */
export type Keeps = (history: RunHistory, now: string) => ReadonlyArray<PartyObject>

/** An act: one request to the partner. */
export interface ExchangeAct {
  readonly act: "exchange"
  /** The request, for display, e.g. `POST commands/START_SESSION`. */
  readonly sends: string
  /** A command's name: a response_url of ours is made before the request is built. */
  readonly command?: string
  /** The module of ours in the path of the response_url; default commands. */
  readonly resultModule?: ModuleId
  /** `responseUrl` is empty unless `command` is given. `now`: ISO 8601 UTC. */
  readonly call: (history: RunHistory, responseUrl: string, now: string) => Call | Unmet
  /** Of a list: is what is looked for on none of the pages that were read, so that the next one is read, too? Twenty at most. */
  readonly readsOn?: (history: RunHistory) => boolean
  /**
   * It reads what the partner has accepted before. As long as that breaks a rule it is read again, for some seconds: the text does not
   * say that a partner has stored an object when it answers.
   */
  readonly readsStored?: true
  readonly keeps?: Keeps
  readonly readBack?: ReadBack
}

/** One message of our own party. */
export interface ActStep {
  /** The request, for display, e.g. `PATCH sessions`. */
  readonly sends: string
  /** Seconds after the previous step; default 0. */
  readonly afterSeconds?: (history: RunHistory) => number
  /** Builds the request just before it is sent. `now`: ISO 8601 UTC. */
  readonly call: (history: RunHistory, now: string) => Call | Unmet
  readonly keeps?: Keeps
  readonly readBack?: ReadBack
}

/** An act: our party changes its own objects and pushes them to the partner, one request after another. */
export interface SimulateAct {
  readonly act: "simulate"
  readonly steps: ReadonlyArray<ActStep>
}

/** What has come so far of an awaited message. */
export interface Sighting {
  readonly found: boolean
  /** Messages that almost matched, each with what was wrong. */
  readonly nearMisses: ReadonlyArray<string>
}

/** A request that is expected from the partner, with the values of the run; a person can send it as well. */
export interface ExpectedCall {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly module: ModuleId
  /** Segments below our endpoint of that module. */
  readonly path: ReadonlyArray<string>
  readonly query?: Readonly<Record<string, string>>
  /** Instead of module and path: an absolute URL that we gave (response_url). */
  readonly url?: string
  readonly body?: unknown
}

/** An act: the partner must send us a message. */
export interface AwaitAct {
  readonly act: "await"
  /** What the partner must do, in one sentence: shown while the run waits. */
  readonly instruction: (history: RunHistory) => string
  /** Searches everything since the run was ordered: an early message counts. */
  readonly look: (history: RunHistory) => Sighting
  /** Instead of the stage's `timeoutSeconds`. */
  readonly seconds?: (history: RunHistory) => number
  /** The time that an earlier request of ours gives the partner: no input makes the wait shorter. */
  readonly atLeastSeconds?: (history: RunHistory) => number
  /** The partner's service sends what is awaited, once: where we refused it, the next one comes soon, or not at all. */
  readonly isSentOnce?: true
  /** A message that would match. `now`: ISO 8601 UTC. Undefined: none can be given in advance. */
  readonly expects?: (history: RunHistory, now: string) => ExpectedCall | undefined
  readonly keeps?: Keeps
}

/** The scripted result of a command. */
interface ScriptedResult {
  /** A CommandResult of the version. */
  readonly body: JsonObject
  /** Seconds after the command; default 0. */
  readonly afterSeconds?: number
}

/** An act: the partner must send us, the CPO, a command, and we answer it as scripted here. */
export interface ServeAct {
  readonly act: "serve"
  readonly command: string
  /** The CommandResponseType of the answer. */
  readonly answer: (history: RunHistory) => string
  /** The result, which the stage posts to the response_url if the answer was ACCEPTED. None: no result is ever posted. */
  readonly result?: (history: RunHistory, command: JsonObject) => ScriptedResult | undefined
  readonly instruction: (history: RunHistory) => string
  /** Is this command, of those with that name, the awaited one? Default: any is. */
  readonly isOurs?: (history: RunHistory, command: JsonObject) => boolean
  readonly seconds?: (history: RunHistory) => number
  readonly expects?: AwaitAct["expects"]
  readonly keeps?: Keeps
}

/** An act: time must pass. */
export interface WaitAct {
  readonly act: "wait"
  readonly seconds: (history: RunHistory) => number
  /** Why the run waits, in one sentence. */
  readonly instruction: (history: RunHistory) => string
  readonly keeps?: Keeps
}

/** An act: only a person can attest something; the run stops and asks. */
export interface CheckpointAct {
  readonly act: "checkpoint"
  /** A full question, in words that a newcomer can follow. */
  readonly question: (history: RunHistory) => string
  /** The answers to choose from, e.g. `yes` and `no`; the first is the hoped-for one. */
  readonly answers: readonly [string, ...ReadonlyArray<string>]
  readonly keeps?: Keeps
}

/**
 * An act: our party changes its registration with the partner by its own handshake, whose requests are the stage's.
 * Afterwards the new token and the old one are tried.
 */
export interface RegisterAct {
  readonly act: "register"
  /** `register`: POST, or PUT if we are registered. `unregister`: DELETE, and both tokens are deleted. */
  readonly change: "register" | "unregister"
  /** The request that makes the change, for display, e.g. `PUT credentials`. */
  readonly sends: string
  /** The version to change to; default: the connection's own. */
  readonly version?: (history: RunHistory) => OcpiVersion | Unmet
  readonly readBack?: ReadBack
}

/** The operation of the request that ends a registration. */
export const unregistrationRequest = "DELETE credentials"

/** The operation of the request that tries the new token after a change. */
export const withNewToken = "GET credentials"
/** The operation of the request that tries the old token after a change. */
export const withOldToken = "list with the old token"

/** An act: nothing is sent; the rules judge what was recorded so far. */
interface JudgeAct {
  readonly act: "judge"
}

/** What a stage does. */
export type Act =
  | ExchangeAct
  | SimulateAct
  | AwaitAct
  | ServeAct
  | WaitAct
  | CheckpointAct
  | RegisterAct
  | JudgeAct
