/** The flag for personal data of drivers in exported files. */
import { Options } from "@effect/cli"

/** `--unmasked`. */
export const unmasked = Options.boolean("unmasked").pipe(
  Options.withDescription(
    "show personal data in files (ids of tokens and contracts, plates, contacts) as it was sent; the key needs scope personal:read"
  )
)

/** The query parameter for the flag; empty when it is not given, because `masked` is the default. */
export const personalDataOf = (given: { readonly unmasked: boolean }) =>
  given.unmasked ? ({ personalData: "shown" } as const) : {}
