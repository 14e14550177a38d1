/** The result of reading the counterpart's versions and version details. */
import type { Endpoint } from "../../../schema/Connection.ts"
import type { TokenForm } from "../../ocpi/tokens.ts"

/** What a discovery found. */
export interface Discovery {
  /** Undefined where it was not asked for. */
  readonly detailsUrl?: string
  readonly endpoints: ReadonlyArray<Endpoint>
  /** The form of the token that the partner accepted. */
  readonly form: TokenForm
  /** Accepted deviations from OCPI, in words. */
  readonly deviations: ReadonlyArray<string>
}
