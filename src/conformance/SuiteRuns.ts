/** Suites, and conformance runs in this process. */
import { Context, type Effect, type Option } from "effect"
import type { OwnerId, PartyId, RunId } from "../../schema/Ids.ts"
import type { Profile, SuiteDetail } from "../../schema/Suite.ts"
import type { RunRow } from "../ledger/Ledger.ts"

export interface StartSuite {
  readonly ownerId: OwnerId
  readonly partyId: PartyId
  readonly connectionLabel: string
  readonly environment: "test" | "production"
  readonly suiteId: string
  /** Ids or globs; undefined = all of the suite. */
  readonly checks?: ReadonlyArray<string>
  readonly modules?: ReadonlyArray<string>
  readonly profile: Profile
}

export class SuiteRuns extends Context.Tag("conformance/SuiteRuns")<
  SuiteRuns,
  {
    readonly suites: ReadonlyArray<SuiteDetail>
    readonly suite: (id: string) => Option.Option<SuiteDetail>
    /** The caller has checked that the suite fits the connection. */
    readonly start: (order: StartSuite) => Effect.Effect<RunRow>
    /** Stops at the next safe point and keeps what was graded. False: the run is over or not of this process. */
    readonly cancel: (runId: RunId) => Effect.Effect<boolean>
  }
>() {}
