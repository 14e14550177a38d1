/** The flag that leaves what drivers are recognised by in a file. */
import { Options } from "@effect/cli"

export const unmasked = Options.boolean("unmasked").pipe(
  Options.withDescription(
    "in files: ids of tokens and contracts, plates and the like as they were sent; the key needs personal:read"
  )
)

export const personalDataOf = (given: { readonly unmasked: boolean }) =>
  given.unmasked ? ({ personalData: "shown" } as const) : {}
