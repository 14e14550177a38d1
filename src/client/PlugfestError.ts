/** What went wrong with a request, in words of the service where it has answered. */
export class PlugfestError extends Error {
  override readonly name = "PlugfestError"
  /** The operation, e.g. `testing.startRun`. */
  readonly operation: string
  /** HTTP status of the answer; undefined: there was none. */
  readonly status: number | undefined
  /** Id of the request in the service's log. */
  readonly requestId: string | undefined
  /** For how long the service asks to wait, with 429 and 503. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    message: string,
    of: {
      readonly operation: string
      readonly status?: number | undefined
      readonly requestId?: string | undefined
      readonly retryAfterSeconds?: number | undefined
      readonly cause?: unknown
    }
  ) {
    super(message, "cause" in of ? { cause: of.cause } : undefined)
    this.operation = of.operation
    this.status = of.status
    this.requestId = of.requestId
    this.retryAfterSeconds = of.retryAfterSeconds
  }

  /** May the same request succeed later? No answer, 429, or a service or gateway that is away for now. */
  get mayPass(): boolean {
    return this.status === undefined || [429, 502, 503, 504].includes(this.status)
  }
}
