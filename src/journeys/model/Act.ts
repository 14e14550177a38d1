/** What a stage does, as data: RunActor performs it. docs/journeys.md says when to use which. */

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

/** The stage cannot be done, through no fault of the partner's. `goesOn`: later stages can be done all the same. */
export interface Unmet {
  readonly unmet: string
  readonly goesOn?: true
}

/** What a read says about an earlier write whose answer was lost. */

/** How to find out what an unknown write did, without sending it again. */
export interface ReadBack {
  /** In words, e.g. `GET sessions`. */
  readonly reads: string
  readonly call: (history: RunHistory, write: Exchange) => Call
  /** What this page says. */
  readonly found: (history: RunHistory, write: Exchange, answer: Exchange) => Trace
  /** What the write is about is on this page: later ones say no more. */
  readonly onPage?: (history: RunHistory, answer: Exchange) => boolean
  /** The partner's own messages already prove that it was carried out. */
  readonly proven: (history: RunHistory, write: Exchange) => boolean
  /** How long the partner is given to show it before "absent" is believed. */
  readonly patienceSeconds: number
}

/**
 * Objects of ours as they stand when the act is done: kept on our side before the request leaves or the wait begins,
 * so that the partner can read them, or ask about them. `now`: ISO 8601 UTC.
 */
export type Keeps = (history: RunHistory, now: string) => ReadonlyArray<PartyObject>

/** One request to the partner. */
export interface ExchangeAct {
  readonly act: "exchange"
  /** In words, e.g. `POST commands/START_SESSION`. */
  readonly sends: string
  /** A command: gets a response_url of ours before it is built. */
  readonly command?: string
  /** Of the response_url: below which module of ours it lies; commands unless said otherwise. */
  readonly resultModule?: ModuleId
  /** `responseUrl` is empty unless `command` is given. `now`: ISO 8601 UTC. */
  readonly call: (history: RunHistory, responseUrl: string, now: string) => Call | Unmet
  readonly keeps?: Keeps
  readonly readBack?: ReadBack
}

/** One message of our own party's. */
export interface ActStep {
  /** In words, e.g. `PATCH sessions`. */
  readonly sends: string
  /** How long after the step before; at once when unsaid. */
  readonly afterSeconds?: (history: RunHistory) => number
  /** Built just before it is sent. `now`: ISO 8601 UTC. */
  readonly call: (history: RunHistory, now: string) => Call | Unmet
  readonly keeps?: Keeps
  readonly readBack?: ReadBack
}

/** Our party lives: it changes objects of its own and tells the partner, one request after another. */
export interface SimulateAct {
  readonly act: "simulate"
  readonly steps: ReadonlyArray<ActStep>
}

/** What was seen so far of something awaited. */
export interface Sighting {
  readonly found: boolean
  /** Messages that came and almost fit, each with what was off. */
  readonly nearMisses: ReadonlyArray<string>
}

/** A request that is expected from the partner, filled with the values of the run: a person can send it as well. */
export interface Expectation {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
  readonly module: ModuleId
  /** Segments below our endpoint of that module. */
  readonly path: ReadonlyArray<string>
  readonly query?: Readonly<Record<string, string>>
  /** Instead of module and path: an absolute URL that we gave (response_url). */
  readonly url?: string
  readonly body?: unknown
}

/** The partner must send us something. */
export interface AwaitAct {
  readonly act: "await"
  /** Who must do what, and what exactly we look for. */
  readonly instruction: (history: RunHistory) => string
  /** Looks at everything since the run was ordered: an early message counts. */
  readonly look: (history: RunHistory) => Sighting
  /** Instead of the stage's `timeoutSeconds`. */
  readonly seconds?: (history: RunHistory) => number
  /** One message that would do. `now`: ISO 8601 UTC. undefined: none can be told beforehand. */
  readonly expects?: (history: RunHistory, now: string) => Expectation | undefined
  readonly keeps?: Keeps
}

/** What our charge point says to a command in the end. */
export interface ScriptedResult {
  /** A CommandResult, as the version has it. */
  readonly body: JsonObject
  /** After the command; at once when unsaid. */
  readonly afterSeconds?: number
}

/** The partner must send us a command, and we, the CPO, answer it as laid down here. */
export interface ServeAct {
  readonly act: "serve"
  readonly command: string
  /** CommandResponseType of the answer. */
  readonly answer: (history: RunHistory) => string
  /** Posted to the response_url by the stage itself, when the answer was ACCEPTED. None: the result never comes. */
  readonly result?: (history: RunHistory, command: JsonObject) => ScriptedResult | undefined
  readonly instruction: (history: RunHistory) => string
  /** Of the commands of that name that come while the stage is at work: is it the one? Any, when unsaid. */
  readonly isOurs?: (history: RunHistory, command: JsonObject) => boolean
  readonly seconds?: (history: RunHistory) => number
  readonly expects?: AwaitAct["expects"]
  readonly keeps?: Keeps
}

/** Time must pass. */
export interface WaitAct {
  readonly act: "wait"
  readonly seconds: (history: RunHistory) => number
  /** What the time passes for. */
  readonly instruction: (history: RunHistory) => string
  readonly keeps?: Keeps
}

/** What only a person can attest: the run stops and asks. */
export interface CheckpointAct {
  readonly act: "checkpoint"
  /** A whole question, in words a newcomer can follow. */
  readonly question: (history: RunHistory) => string
  /** To choose from, e.g. `yes` and `no`; the first is the one that is hoped for. */
  readonly answers: readonly [string, ...ReadonlyArray<string>]
  readonly keeps?: Keeps
}

/**
 * Our party changes its registration with the partner, as the handshake of a connection does: the requests are the
 * party's own. What the change has made of our tokens is tried out at once, with the new one and with the old one.
 */
export interface RegisterAct {
  readonly act: "register"
  /** `register`: POST, or PUT where we are registered. `unregister`: DELETE, and both tokens are forgotten. */
  readonly change: "register" | "unregister"
  /** The request that makes the change, in words, e.g. `PUT credentials`. */
  readonly sends: string
  /** The version to go over to; the connection's own when unsaid. */
  readonly version?: (history: RunHistory) => OcpiVersion | Unmet
  readonly readBack?: ReadBack
}

/** Operation of the request that ends a registration. */
export const partingRequest = "DELETE credentials"

/** Operations of the two questions that follow such a change: with the token that is new, and with the one that is over. */
export const withNewToken = "GET credentials"
export const withOldToken = "list with the old token"

/** Nothing is done: what was recorded so far is judged. */
export interface JudgeAct {
  readonly act: "judge"
}

export type Act =
  | ExchangeAct
  | SimulateAct
  | AwaitAct
  | ServeAct
  | WaitAct
  | CheckpointAct
  | RegisterAct
  | JudgeAct
