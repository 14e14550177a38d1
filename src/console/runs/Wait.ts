/** What a run waits for. Times: ISO 8601 UTC. */
export interface Wait {
  /** `partner`, `operator` or `clock`. */
  readonly party: string
  readonly instruction: string
  /** Undefined: not recorded. */
  readonly since: string | undefined
  readonly deadline: string
  /** Method and address of that request, such as `POST https://…`. */
  readonly request?: string | undefined
  /** The request that would satisfy it, where it is known beforehand. */
  readonly curl: string | undefined
  /** Sentences about what came and did not fit. */
  readonly nearMisses: ReadonlyArray<string>
}
