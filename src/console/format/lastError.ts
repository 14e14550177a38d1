/** Why the last handshake of a connection failed, which the service gives as `<kind>: <cause>`. Pure. */
import { asPages } from "./asPages.ts"

/** The kind, `protocol` where none is said, and the cause in the words of the pages. */
export function partsOfError(lastError: string): { readonly kind: string; readonly cause: string } {
  const [, kind = "protocol", cause = lastError] = /^(\w+): (.*)$/s.exec(lastError) ?? []
  return { kind, cause: asPages(cause) }
}

/** The cause alone. */
export const causeOfError = (lastError: string): string => partsOfError(lastError).cause
