/** Plays one journey or pack and ends with its verdict. */
import { Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { followJourney } from "../follow/followJourney.ts"
import { recoverOption, target, targetOf, versionOption } from "../follow/journeyTarget.ts"
import { reaching } from "../service/ServiceUnreachable.ts"
import { serviceFlags, serviceOf } from "../service/serviceFlags.ts"
import { plain, TerminalOutput } from "../terminal/Terminal.ts"
import { UsageError } from "../terminal/UsageError.ts"

/**
 * `plugfest journey`: plays a journey or a pack and follows it. Exit codes as in `exitCodeOfRun`; 3 also when the run
 * is interrupted and needs a decision.
 */
export const journeyCommand = Command.make(
  "journey",
  {
    ...serviceFlags,
    target,
    template: Options.text("template").pipe(
      Options.withDescription("the id of a journey; plugfest journeys lists them"),
      Options.optional
    ),
    pack: Options.text("pack").pipe(
      Options.withDescription("the id of a pack, instead of a journey: several journeys in one run"),
      Options.optional
    ),
    inputs: Options.text("input").pipe(
      Options.withPseudoName("name=value"),
      Options.withDescription(
        "an input of the journey; a value that is JSON is read as JSON, any other as text"
      ),
      Options.repeated
    ),
    version: versionOption,
    recover: recoverOption
  },
  (given) =>
    Effect.gen(function* () {
      const service = yield* serviceOf(given)
      const inputs = yield* inputsIn(given.inputs)
      if (Option.isSome(given.template) === Option.isSome(given.pack))
        return yield* new UsageError({
          message: `Give either --template or --pack; plugfest journeys ${plain(given.target)} lists both`
        })
      const where = yield* targetOf(service.api, given.target, given.version)
      const started = yield* service.api.journeyRuns.start({
        headers: {},
        payload: {
          ...where,
          ...named("templateId", given.template),
          ...named("packId", given.pack),
          inputs
        }
      })
      const terminal = yield* TerminalOutput
      yield* terminal.say(`  again: plugfest watch ${started.runId}`)
      yield* followJourney(service, started, {
        json: given.json,
        recover: Option.getOrUndefined(given.recover)
      })
    }).pipe(reaching)
)

const named = (name: "templateId" | "packId", value: Option.Option<string>) =>
  Option.match(value, { onNone: () => ({}), onSome: (id) => ({ [name]: id }) })

/** Parses `a=1 b=x` into `{a: 1, b: "x"}`. */
function inputsIn(
  pairs: ReadonlyArray<string>
): Effect.Effect<Readonly<Record<string, unknown>>, UsageError> {
  const wrong = pairs.find((pair) => !/^[^=]+=/.test(pair))
  if (wrong !== undefined) {
    return new UsageError({ message: `--input ${plain(wrong)}: expected name=value` })
  }
  return Effect.succeed(
    Object.fromEntries(
      pairs.map((pair) => {
        const at = pair.indexOf("=")
        return [pair.slice(0, at), jsonOr(pair.slice(at + 1))]
      })
    )
  )
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
