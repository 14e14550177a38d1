/**
 * A probe: what is done once per run and judged by every check that needs it. One of three kinds: `asks` sends requests
 * that change nothing, `steps` writes in order and cleans up, `source` only looks at what the partner sent to us.
 */
import type { BlockedBy } from "../../../schema/Assertion.ts"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import type { OcpiCall, WrongOnPurpose } from "../../ocpi/OcpiClient.ts"
import type { OurFault } from "../../store/parties/Party.ts"
import type { Evidence, NotGathered, Observation } from "./Evidence.ts"

/**
 * Which credentials a request carries. `live`: as the connection's dialect has it. `raw` and `base64`: the live token
 * in that form. `none`: no header. `random`: a fresh token of legal shape. `literal`: the whole header value, where
 * `$RANDOM` stands for a fresh token of legal shape. `former`: the token that was live before this run replaced or
 * ended it. `longer`, `shorter`, `other case`: the live token with a character more, without its last one, with its letters in
 * the other case. `Bearer`: the live token after that scheme.
 */
export type CredentialsUse =
  | { readonly use: "live" | "raw" | "base64" | "none" | "random" | "former" }
  | { readonly use: "longer" | "shorter" | "other case" | "Bearer" }
  | { readonly use: "literal"; readonly value: string }
  | { readonly use: "live"; readonly headerName: string }

/** Through which of our registrations at the partner: the connection of the run, or, by `second`, the second one of the same partner. */
interface BySomebody {
  readonly by?: "second"
}

/** A request that a probe wants to make. Plain JSON: the ledger keeps those that clean up. */
export interface ProbeRequest extends BySomebody {
  readonly module: string
  readonly interfaceRole: "SENDER" | "RECEIVER"
  readonly operation: string
  /** Default GET. */
  readonly method?: OcpiCall["method"]
  readonly path?: ReadonlyArray<string>
  readonly query?: Readonly<Record<string, string>>
  /** Instead of the module's endpoint. */
  readonly url?: string
  /** `url` stands in a Link or Location header of the answer to a request to this URL. */
  readonly linkedFrom?: string
  /**
   * `url` is a page or picture on the web that the partner's data names: fetched as anyone would, without token and without
   * headers of OCPI, beside the requests to the partner. Its host may be a third one: what that does is not the partner's.
   */
  readonly page?: true
  /** The version whose rules apply, where it is not the one of the run: the details page of another version. */
  readonly ocpiVersion?: string
  /** The answer is judged as it comes: no redirect is followed, no Retry-After is waited for. */
  readonly asIs?: true
  readonly body?: unknown
  /** Sent as it is instead of `body`: what is no JSON. */
  readonly rawBody?: string
  /** Added to ours, or in place of them. */
  readonly headers?: Readonly<Record<string, string>>
  readonly credentials?: CredentialsUse
  /** What the exchange is about, where the probe makes several: a version, a form. */
  readonly about?: string
  /**
   * `url` stands in the versions list or in the version details that the partner serves for this token: its host may get the
   * token, as in a handshake.
   */
  readonly announced?: true
  /** Whether the partner still accepts the token is what is judged: HTTP 401 is an answer as any other. */
  readonly judgesToken?: true
  /**
   * What is wrong with the request on purpose, by its part. Parts that are not named are valid by the text of the version; a token
   * that is wrong is said by `credentials` alone.
   */
  readonly wrongOnPurpose?: WrongOnPurpose
  /** Sent even though the same request was made before in this run. */
  readonly again?: boolean
  /** The command whose asynchronous result is expected: `response_url` is written into the body. In `steps` only. */
  readonly resultOf?: string
  /** How that result is asked for, where it is not as for every command. */
  readonly resultVia?: {
    /** `response_url` goes into the query of the request. */
    readonly in?: "query"
    /** Below whose path it is to come; commands unless said otherwise. */
    readonly module?: string
    /** Query of the `response_url`. */
    readonly query?: Readonly<Record<string, string>>
    /** Whoever calls the `response_url` is answered HTTP 500; what came is kept all the same. */
    readonly refused?: true
  }
  /**
   * In `steps` of a probe with `risk`, or about a first registration, only. `hand over`: the body is our credentials object
   * with a fresh token, over which the fields of `body` are laid; what the answer hands over is our token from then on. `end`: an
   * accepted request ends the registration, and our tokens are forgotten.
   */
  readonly registration?: "hand over" | "end"
}

/** What a wait is for. After two silences of one kind in a row nothing of that kind is waited for any more. */
export type WaitKind =
  | "command result"
  | "result about a charging profile"
  | "push of a session"
  | "push of an ACTIVE session"
  | "push of a COMPLETED session"
  | "listed end of a session"
  | "push of an EVSE"
  | "push of a CDR"

/** Waiting for the partner to call us: in the traffic of the registration that `by` names. */
export interface Awaiting extends BySomebody {
  /** Most seconds to wait, 0 to 300. */
  readonly seconds: number
  /** Milliseconds since 1970 from which `seconds` are counted; default: when the wait begins. */
  readonly from?: number
  /** Absent: nothing need come, so that silence says nothing. */
  readonly kind?: WaitKind
  /**
   * The beginning of a longer wait of that kind, which goes on in a later step: when nothing comes, that is no silence yet. It is
   * left out where the kind did not come before.
   */
  readonly isPart?: true
  /** Why the wait is shorter than a partner may ask for. When nothing comes, no check fails because of it. */
  readonly shortBecause?: string
  /** What the partner is to do, for whoever watches the run. */
  readonly instruction: string
  /** Is this the awaited call? Applied to the calls since the run began, oldest first. */
  readonly matches: (seen: Observation, evidence: Evidence) => boolean
  /**
   * Is this call, which we refused or which came where we offer nothing, a failed attempt at it? Then what comes next looks the same,
   * and is awaited for some seconds only. Default: none is.
   */
  readonly attempts?: (seen: Observation, evidence: Evidence) => boolean
  /** A near miss: what was wrong with a call that almost matched, in a sentence. */
  readonly nearMiss?: (seen: Observation, evidence: Evidence) => string | undefined
  /** What the operator can do so that it can be observed. */
  readonly provoke: string
}

/** Faults we inject into our own answers during this step. They test how the partner copes; they are never held against its data. */
interface WithOurFaults {
  readonly ourFaults?: ReadonlyArray<OurFault>
}

/** What a step does. */
export type StepAct =
  | (WithOurFaults & {
      readonly send: ProbeRequest
      /**
       * Brings the partner back to neutral: sent when the script is over, however it ended. Must bear repetition. Not sent
       * when the partner refused, or when a later step with `undoes` did it and was accepted.
       */
      readonly undo?: ProbeRequest
      /** Id of the step whose `undo` this request makes needless. */
      readonly undoes?: string
    })
  | (WithOurFaults & { readonly wait: Awaiting })
  /** Registers with the partner as its connection's handshake does; on a registered one renews, in that version. */
  | (WithOurFaults & { readonly register: true; readonly version?: OcpiVersion })
  /** Lets seconds pass, 0 to 120. */
  | (WithOurFaults & { readonly pause: number; readonly instruction: string })

/**
 * A step of a script that is not played. The report shows `leftOut`, the reason, or the answer that blocks it; the later steps
 * are played all the same.
 */
interface LeftOut {
  readonly leftOut: string | BlockedBy
}

/**
 * One step of a script, by the evidence of those before it (`probe#step`). Undefined, or a reason: it is left out, the others
 * follow. Withheld: the script ends here, and the steps that are left have that reason.
 */
export interface ProbeStep {
  /** Unique in its probe. */
  readonly id: string
  readonly act: (evidence: Evidence) => StepAct | NotGathered | LeftOut | undefined
  /** Taken however the script has ended before it, also when the run is to stop: it puts the registration back in order. */
  readonly always?: true
  /** Taken only when a check of the run needs this step: no later step of the script reads what it brings. */
  readonly forChecks?: true
}

/**
 * Which of the partner's traffic: `inbound`, the newest calls from before the run and those since it began; `inbound.run`, those since
 * it began, of each module the first 500; `answers`, every answer so far to what the run has asked over OCPI; and what
 * `registrationTraffic` tells of registrations.
 */
export type Source = "inbound" | "inbound.run" | "answers" | RegistrationSource

/**
 * `registration`: the last accepted POST or PUT credentials of either side, then every call while it was open. Of those
 * that the partner asked for, `theirs`: its requests for our version information, each of its POST and PUT credentials,
 * and the calls that came next, oldest first; `looked-back`: the last of them, then what we asked it while it was open.
 */
export type RegistrationSource = "registration" | "registration.theirs" | "registration.looked-back"

interface Named {
  readonly id: string
  /** Probes that must be over before this one knows what to ask. They are run for its sake. */
  readonly after?: ReadonlyArray<string>
  /** Probes that must be over before this one where they are run at all; they are not run for its sake. */
  readonly behind?: ReadonlyArray<string>
}

/** A probe that sends requests that change nothing. */
export interface ReadingProbe extends Named {
  /** Independent requests, or why there are none. */
  readonly asks: (evidence: Evidence) => ReadonlyArray<ProbeRequest> | NotGathered
  /** The request after `seen`, if there is one more; bounded by the page cap. */
  readonly next?: (seen: ReadonlyArray<Observation>, evidence: Evidence) => ProbeRequest | undefined
}

/** A probe that takes steps in order and then cleans up. */
export interface WritingProbe extends Named {
  readonly steps: ReadonlyArray<ProbeStep>
  /** Waits for acts of a driver or an operator at the partner. */
  readonly ofActs?: true
  /** What it has made at the partner stays until the run is over, and is cleaned up then. */
  readonly lasting?: true
  /** Not beside other scripts. Those run in the order of the catalogue of probes, after the ones that are side by side. */
  readonly alone?: boolean
  /** Names of what it needs an EVSE of the partner for (`commandTargets.ts`): other runs get none of these until the script is over. */
  readonly targets?: ReadonlyArray<string>
  /** May this script run beside all others, also where it is `alone`? It begins with the first stage that writes. Asked then. */
  readonly beside?: (evidence: Evidence) => boolean
  /** May end the registration: needed by checks of the last phase only. Implies `alone`. */
  readonly risk?: boolean
}

/** Sends nothing; the evidence is what the partner sent to us. */
export interface WatchingProbe extends Named {
  readonly source: Source
}

/** Any probe. */
export type Probe = ReadingProbe | WritingProbe | WatchingProbe

/** Most pages that one crawl reads of a list that does not say how long it is, or that goes on beyond what it says. */
export const pageCap = 100
/** Most pages that one crawl reads of a list that says that it has more of them, by its total. */
export const announcedPageCap = 1000
/** A crawl of more than `pageCap` pages ends with the page that brings it beyond this, in bytes as they are kept. */
export const longCrawlBytes = 16 * 1024 * 1024
/** Any crawl ends with the page that brings it beyond this: whatever a run has read is in memory until it ends. */
export const mostCrawlBytes = 32 * 1024 * 1024
/** And so does each crawl of a run that has brought more than this with all of them. */
export const mostRunBytes = 96 * 1024 * 1024

/** The reason why a probe or step sends nothing. */
export const withheld = (
  why: NotGathered["withheld"],
  reason: string,
  attribution?: NotGathered["attribution"]
): NotGathered => ({ withheld: why, reason, ...(attribution === undefined ? {} : { attribution }) })

/** Not gathered because the run was to stop, for that reason. */
export const cutShort = (reason: string): NotGathered => ({
  ...withheld("not_tested", reason, "operator"),
  cutShort: true
})

/** Withheld because of what the partner did before. */
export const withheldBy = (blockedBy: BlockedBy): NotGathered => ({
  withheld: "not_tested",
  reason: blockedBy.what,
  blockedBy
})
