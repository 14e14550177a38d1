/** What versions and version details of the counterpart said. */
import type { Endpoint } from "../../../schema/Connection.ts"
import type { TokenForm } from "../../ocpi/tokens.ts"

export interface Discovery {
  /** Undefined where it was not asked for. */
  readonly detailsUrl?: string
  readonly endpoints: ReadonlyArray<Endpoint>
  /** The form of the token that the partner accepted. */
  readonly form: TokenForm
  /** Departures that were let pass, in words. */
  readonly deviations: ReadonlyArray<string>
}
