/** Where a journey is played: a connection by id or label, or `sandbox`. */
import { Args, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import type { ConnectionId } from "../../schema/Ids.ts"
import { OcpiVersion } from "../../schema/ocpi/OcpiVersion.ts"
import { recoverChoices } from "./followJourney.ts"
import { namedConnection } from "./namedConnection.ts"
import type { Service } from "./Service.ts"

export const target = Args.text({ name: "target" }).pipe(
  Args.withDescription("the id or label of a connection, or: sandbox")
)

export const recoverOption = Options.choice("recover", recoverChoices).pipe(
  Options.withDescription(
    "what to do when the run is interrupted; default: say what can be done, and end with 3"
  ),
  Options.optional
)

export const versionOption = Options.choice("ocpi-version", OcpiVersion.literals).pipe(
  Options.withDescription("of the sandbox partner; default: the newest that can be played"),
  Options.optional
)

/** As the API wants it. */
export const targetOf = (api: Service["api"], name: string, version: Option.Option<OcpiVersion>) =>
  Effect.gen(function* () {
    if (name !== "sandbox") {
      const { _id } = yield* namedConnection(api, name)
      return { connectionId: _id } satisfies { readonly connectionId: ConnectionId }
    }
    const ocpiVersion = Option.getOrUndefined(version)
    return { target: "sandbox" as const, ...(ocpiVersion === undefined ? {} : { ocpiVersion }) }
  })
