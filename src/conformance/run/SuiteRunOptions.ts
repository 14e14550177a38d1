/** What a conformance run works with. */
import type { Effect } from "effect"
import type { SuiteRunAsk } from "../../../machines/suiteRun.ts"
import type { EventDraft, StaleRun } from "../../ledger/Ledger.ts"
import type { RunLog } from "../../ledger/run/RunLog.ts"
import type { Party } from "../../store/parties/PartyStore.ts"
import type { GradingOptions } from "../grading/grading.ts"
import type { Check } from "../model/Check.ts"
import type { ProberOptions } from "./Prober.ts"

export interface SuiteRunOptions extends GradingOptions {
  readonly log: RunLog
  /** Appends events to the run's ledger, one call after the other: a cancel from outside the runner goes through it, too. */
  readonly record: (drafts: ReadonlyArray<EventDraft>) => Effect.Effect<void, StaleRun>
  /** What the machine has asked for last, once. */
  readonly takeAsk: () => SuiteRunAsk | undefined
  readonly checks: ReadonlyArray<Check>
  readonly party: Party
  /** Our side of another registration at the same partner, where there is one: a second EMSP. */
  readonly second?: Party | undefined
  /** How long the partner's traffic is waited for before what was observed is judged. */
  readonly listenSeconds: number
  /** How long a partner may go on accepting a token that was replaced. */
  readonly graceSeconds: number
  /** Why nothing more is to be sent; undefined while the run goes on. */
  readonly stopped: () => string | undefined
  readonly limit: ProberOptions["limit"]
  readonly trustedPrefixes: ReadonlyArray<string>
  /** How the run came to this process: new, given back by another, or left behind by one that was lost. */
  readonly found: "new" | "released" | "lost"
}
