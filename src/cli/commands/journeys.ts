/** Lists journeys, packs and scenarios, and for a target whether they can be run. */
import { Args, Command } from "@effect/cli"
import { Effect, Option } from "effect"
import { namedConnection } from "../connecting/namedConnection.ts"
import { reaching } from "../service/ServiceUnreachable.ts"
import { serviceFlags, serviceOf } from "../service/serviceFlags.ts"
import { asCommands } from "../terminal/asCommands.ts"
import { plain, TerminalOutput } from "../terminal/Terminal.ts"

/** `plugfest journeys`: lists what can be played. For a target it also says why a journey cannot be run there. */
export const journeysCommand = Command.make(
  "journeys",
  {
    ...serviceFlags,
    target: Args.text({ name: "target" }).pipe(
      Args.withDescription("the id or label of a connection, or sandbox; left out: the whole catalogue"),
      Args.optional
    )
  },
  (given) =>
    Effect.gen(function* () {
      const { api } = yield* serviceOf(given)
      const name = Option.getOrUndefined(given.target)
      const id = name === undefined || name === "sandbox" ? name : (yield* namedConnection(api, name))._id
      const catalogue = yield* api.testing.journeys({ urlParams: id === undefined ? {} : { target: id } })
      const terminal = yield* TerminalOutput
      if (given.json) return yield* terminal.print(JSON.stringify(catalogue))
      const { packs, scenarios, templates } = catalogue
      for (const one of [...templates, ...packs]) {
        const kind =
          "templateIds" in one
            ? `pack of ${one.templateIds.length}`
            : `${one.stages.length} ${one.stages.length === 1 ? "stage" : "stages"}`
        const standing =
          id === undefined ? "" : one.runnable ? "  runnable" : `  no: ${asCommands(one.reasons.join("; "))}`
        yield* terminal.print(
          plain(`${one.id}  we are ${one.ourRole}, ${kind}, ${one.supportedVersions.join(" ")}${standing}`)
        )
      }
      for (const { id, name, templateId, version } of scenarios) {
        yield* terminal.print(plain(`${id}  scenario of ${templateId}, version ${version}: ${name}`))
      }
    }).pipe(reaching)
)
