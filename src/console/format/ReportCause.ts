import type { Assertion } from "../../client/plugfest.ts"

/** What findings of a run come down to, as every form of its report says it. */
export interface ReportCause {
  readonly what: string
  readonly attribution: NonNullable<Assertion["attribution"]>
  /** The partner's own words. */
  readonly partnerSaid?: string
  readonly hint?: string
  /** At how many different places the checks that report it find something wrong; absent in files that an earlier release wrote. */
  readonly places?: number
  /** Ids of the checks that report it, and of those that it keeps from being judged. */
  readonly found: ReadonlyArray<string>
  readonly blocked: ReadonlyArray<string>
}
