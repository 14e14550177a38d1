/** What was gathered about a partner: the exchanges of each probe. Checks are judged from it and from nothing else. */
import type { Attribution, BlockedBy } from "../../../schema/Assertion.ts"
import type { Exchange, ExchangeResponse } from "../../../schema/Exchange.ts"
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import type { FollowUp } from "../../ocpi/followUp.ts"
import type { EvseClaim, Party } from "../../store/parties/Party.ts"
import type { PartyToken } from "../../store/parties/TokenSlot.ts"

/** One exchange as evidence. */
export interface Observation {
  /** Scrubbed, as the ledger has it. */
  readonly exchange: Exchange
  /**
   * The whole body as JSON, unscrubbed and uncut; undefined when it is not JSON. Of an answer; of a call of the partner it
   * is the body that the partner sent, scrubbed. What is read back from the ledger is scrubbed too.
   */
  readonly json: unknown
  /** Why the JSON was not read although it may be valid: a limit of ours. Absent: it was read, or there is none. */
  readonly unread?: string
  /** A page or picture on the web: of whichever host, and not OCPI. */
  readonly page?: true
  /** Our request was wrong on purpose, or came without the token in use. Absent too of what is read back from the ledger. */
  readonly isUnusual?: true
  /** The URL of the request whose answer named the URL of this one, in a Link or Location header. */
  readonly linkedFrom?: string
  /** The request was sent once more: the answer redirected to the other slash at the end, asked to wait, or was too large for us. */
  readonly followedBy?: FollowUp["why"]
  /** The last exchange of a handshake of ours that failed: why. Absent: what is read back from the ledger has none. */
  readonly handshakeError?: string
  /** What this exchange is about where a probe makes several: a version, a form. */
  readonly about: string
}

/** An exchange that was answered over HTTP. */
export interface Answered extends Observation {
  readonly response: ExchangeResponse
}

/** Why a probe has no exchanges: the outcome of the checks that need it, and the reason. */
export type NotGathered = {
  readonly withheld: "not_tested" | "not_applicable" | "unobservable" | "error"
  readonly reason: string
  /** Whose act it is; absent: as for a `Judgement` that is inconclusive. */
  readonly attribution?: Attribution
  /** What the partner did, so that there was nothing to ask for; with `not_tested`. */
  readonly blockedBy?: BlockedBy
  /** The run was to stop before this was gathered. */
  readonly cutShort?: true
  /** Requests of this kind alone are not sent any more: others of the same probe were. */
  readonly ofKind?: true
  /**
   * We did not wait as long as the partner may take: no check fails because nothing came. `silence`: what the partner did
   * not send either in a wait of this run that was as long as it may take.
   */
  readonly givenUp?: { readonly silence?: string }
}

/** What a probe gathered: its exchanges, or why there are none. */
export type Gathered =
  | {
      readonly seen: ReadonlyArray<Observation>
      /** Why a probe that follows links, or a script (`run`: the run was to stop), stopped before the end. */
      readonly stopped?: "cap" | "cycle" | "run"
      /** Of what reads calls: the modules of which more came than are kept. */
      readonly cut?: ReadonlyArray<string>
    }
  | NotGathered

/** What `cut` names in place of a module for calls about none of those of the version, as those for our versions are. */
export const noModule = "none"

/** How many calls from before the run are evidence: the newest ones. */
export const earlierCalls = 50

/** Facts about a token that do not show it. */
export interface TokenFacts {
  readonly slot: PartyToken["slot"]
  readonly name: PartyToken["name"]
  /** The placeholder of the token in scrubbed exchanges. */
  readonly placeholder: string
  readonly length: number
  /** Printable ASCII without white space. */
  readonly printable: boolean
  /** It reads as the Base64 form of printable text. */
  readonly encoded?: boolean
}

/** Fixed points of a run: what all its probes and judgements are made from. */
export interface EvidenceBasis {
  readonly party: Party
  readonly profile: VersionProfile
  /** Start of the run, ISO 8601 UTC. */
  readonly startedAt: string
  /** Address prefixes that are our own (the sandbox): plain HTTP is no finding there. */
  readonly trustedPrefixes: ReadonlyArray<string>
  /** Begins the id of everything that the run creates at the partner: `TST-` and six characters of its own. */
  readonly mark: string
  /** How long a partner may go on accepting a token that was replaced, in seconds. */
  readonly graceSeconds: number
  /** How long the partner is given to do something of its own accord; absent: no time at all. */
  readonly listenSeconds?: number
  /**
   * Our side of another connection of the same owner at the same partner, in the same role and version: what a second EMSP
   * does. Absent: the owner has none.
   */
  readonly second?: Party
  /** The EVSEs that open runs of the connection have; absent: none are known. */
  readonly evses?: {
    /** Those of this run, and those of other runs, as they were when this run took its own. */
    readonly claims: () => {
      readonly own: ReadonlyArray<EvseClaim>
      readonly others: ReadonlyArray<EvseClaim>
    }
  }
  /** The connection's tokens when the run began, or went on in another process. */
  readonly tokens: ReadonlyArray<TokenFacts>
}

/** What checks are judged by: the fixed points of the run and the exchanges of the probes. */
export interface Evidence extends EvidenceBasis {
  /** By the id of a probe, or `probe#step` for one step of a probe that writes. */
  readonly gathered: (probe: string) => Gathered | undefined
  /** Exchanges of a probe, answered or not, in the order seen; empty when it was withheld. */
  readonly seen: (probe: string) => ReadonlyArray<Observation>
  /**
   * Answered exchanges of a probe to which the rules of this run's version apply, in the order asked; empty when it was
   * withheld or not answered.
   */
  readonly answered: (probe: string) => ReadonlyArray<Answered>
  /** As `answered`, also those to which the rules of another version apply. */
  readonly answeredInAnyVersion: (probe: string) => ReadonlyArray<Answered>
  /**
   * For what several checks derive from the same evidence: computed once, and again when a probe that it was computed
   * from has gathered something since. `compute` must read evidence of this run only, and at once.
   */
  readonly once: <A>(key: string, compute: () => A) => A
}

/** What the answer is about that shows that the partner refuses the token of the registration, which neither side has ended. */
export const tokenLost = "the token that was accepted before"
/** The same, where the token has opened nothing since the run began. */
export const tokenUnknown = "the token of a registration from before the run"

/** The probe's id in `probe#step`. */
export const probeOf = (id: string): string => id.split("#")[0] ?? id

/** Was nothing gathered? */
export const isWithheld = (gathered: Gathered): gathered is NotGathered => "withheld" in gathered

/** Was there nothing to send, for want of what another answer had to bring? */
export const isForWantOf = ({ attribution, givenUp, withheld }: NotGathered): boolean =>
  withheld === "not_tested" && attribution === undefined && givenUp === undefined

/** Was the exchange answered over HTTP? */
export const hasAnswer = (seen: Observation): boolean => seen.exchange.response !== null

/** Do the rules of that version apply to the exchange? */
const isOfVersion = ({ ocpiVersion }: Exchange, { version }: VersionProfile): boolean =>
  ocpiVersion === undefined || ocpiVersion === version

/** The exchange with its response; an empty list when it was not answered. */
export const asAnswered = (seen: Observation): ReadonlyArray<Answered> =>
  seen.exchange.response === null ? [] : [{ ...seen, response: seen.exchange.response }]

/** What was derived, and what each probe that it was derived from had gathered by then; undefined: nothing yet. */
interface Derived {
  readonly value: unknown
  readonly from: ReadonlyMap<string, Gathered | undefined>
}

/**
 * Evidence that reads from `results`; probes that are added later are seen from then on, and what was derived before they
 * were is derived anew.
 */
export const makeEvidence = (world: EvidenceBasis, results: ReadonlyMap<string, Gathered>): Evidence => {
  const derived = new Map<string, Derived>()
  /** What the derivations under way have read, the innermost last. */
  const reading: Array<Map<string, Gathered | undefined>> = []
  const read = (id: string): Gathered | undefined => {
    const gathered = results.get(id)
    for (const from of reading) from.set(id, gathered)
    return gathered
  }
  const isCurrent = ({ from }: Derived) => [...from].every(([id, gathered]) => results.get(id) === gathered)
  const derive = (key: string, compute: () => unknown): Derived => {
    const from = new Map<string, Gathered | undefined>()
    reading.push(from)
    try {
      const one = { value: compute(), from }
      derived.set(key, one)
      return one
    } finally {
      reading.pop()
    }
  }
  const find = (id: string): Gathered | undefined => {
    const known = read(id)
    const whole = read(probeOf(id))
    if (known !== undefined || whole === undefined || isWithheld(whole)) return known ?? whole
    return {
      withheld: "not_tested",
      reason: "the request was not sent: the answers before it gave no reason to send it"
    }
  }
  const seen = (id: string): ReadonlyArray<Observation> => {
    const gathered = find(id)
    return gathered === undefined || isWithheld(gathered) ? [] : gathered.seen
  }
  return {
    ...world,
    gathered: find,
    seen,
    answered: (id) =>
      seen(id)
        .filter(({ exchange }) => isOfVersion(exchange, world.profile))
        .flatMap(asAnswered),
    answeredInAnyVersion: (id) => seen(id).flatMap(asAnswered),
    once: <A>(key: string, compute: () => A): A => {
      const before = derived.get(key)
      if (before === undefined || !isCurrent(before)) return derive(key, compute).value as A
      for (const from of reading) for (const [id, gathered] of before.from) from.set(id, gathered)
      // The key names what was computed, so its type is that of `compute`.
      return before.value as A
    }
  }
}
