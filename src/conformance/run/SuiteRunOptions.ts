/** What a conformance run works with. */
import type { SuiteRunAsk } from "../../../machines/suiteRun.ts"
import type { HeldRun } from "../../runs/RunHost.ts"
import type { Party } from "../../store/parties/PartyStore.ts"
import type { GradingOptions } from "../grading/grading.ts"
import type { Check } from "../model/Check.ts"
import type { ProberOptions } from "./Prober.ts"

export interface SuiteRunOptions extends GradingOptions, HeldRun<SuiteRunAsk> {
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
}
