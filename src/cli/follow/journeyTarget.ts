/** Arguments and options of commands that play a journey on a target. */
import { Args, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import type { ConnectionId } from "../../../schema/Ids.ts"
import { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import { namedConnection } from "../connecting/namedConnection.ts"
import type { Service } from "../service/Service.ts"
import { recoverChoices } from "./followJourney.ts"

/** The argument that names the target. */
export const target = Args.text({ name: "target" }).pipe(
  Args.withDescription("the id or label of a connection, or sandbox")
)

/** `--recover`. */
export const recoverOption = Options.choice("recover", recoverChoices).pipe(
  Options.withDescription(
    "the decision to apply when the run is interrupted; default: list the decisions and end with exit code 3"
  ),
  Options.optional
)

/** `--ocpi-version`; only for target `sandbox`. */
export const versionOption = Options.choice("ocpi-version", OcpiVersion.literals).pipe(
  Options.withDescription(
    "the OCPI version of the sandbox partner; default: the newest that the journey supports"
  ),
  Options.optional
)

/** The target as fields of the API: a connection by id or label, or `sandbox` with an optional version. */
export const targetOf = Effect.fnUntraced(function* (
  api: Service["api"],
  name: string,
  version: Option.Option<OcpiVersion>
) {
  if (name !== "sandbox") {
    const { _id } = yield* namedConnection(api, name)
    return { connectionId: _id } satisfies { readonly connectionId: ConnectionId }
  }
  const ocpiVersion = Option.getOrUndefined(version)
  return { target: "sandbox" as const, ...(ocpiVersion === undefined ? {} : { ocpiVersion }) }
})
