/** The inputs of a conformance run. */
import type { SuiteRunAction, SuiteRunContext } from "../../../machines/suiteRun.ts"
import type { EvseClaims } from "../../runs/evseClaims.ts"
import type { HeldRun } from "../../runs/RunHost.ts"
import type { Party } from "../../store/parties/Party.ts"
import type { GradingOptions } from "../grading/gradeSafely.ts"
import type { Check } from "../model/Check.ts"
import type { ProberOptions } from "./Prober.ts"

/** Everything that a conformance run needs beside the services: its checks, its connection and its limits. */
export interface SuiteRunOptions extends GradingOptions, HeldRun<SuiteRunAction, SuiteRunContext> {
  readonly checks: ReadonlyArray<Check>
  readonly party: Party
  readonly environment: "test" | "production"
  readonly openedBefore: ProberOptions["openedBefore"]
  /** The EVSEs of the partner that the run takes for its scripts. */
  readonly evses: EvseClaims
  /** Our second connection at the same partner, if there is one: a second EMSP. */
  readonly second?: Party | undefined
  /** How long the run waits for the partner's traffic before it grades the checks that observe it. */
  readonly listenSeconds: number
  /** How long a partner may go on accepting a token that was replaced. */
  readonly graceSeconds: number
  /** Why nothing more may be sent; undefined while the run goes on. */
  readonly stopped: () => string | undefined
  readonly limit: ProberOptions["limit"]
  /** URL prefixes of our own (the sandbox), where plain HTTP is no finding. */
  readonly trustedPrefixes: ReadonlyArray<string>
}
