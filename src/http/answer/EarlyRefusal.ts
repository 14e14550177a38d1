/** A refusal that is made outside the contract's endpoints; `ErrorBodies` gives it the error body. */
export interface EarlyRefusal {
  readonly status: number
  readonly message: string
  readonly headers?: Readonly<Record<string, string>>
}

/** The 404 of a path where there is nothing. */
export const notThere: EarlyRefusal = {
  status: 404,
  message: "There is nothing at this path; /docs lists what there is"
}

/** Refusals have no tag; errors of the contract have one. */
export function isRefusal(error: unknown): error is EarlyRefusal {
  return (
    typeof error === "object" &&
    error !== null &&
    !("_tag" in error) &&
    "status" in error &&
    "message" in error
  )
}
