/** Validates a JSON file against the definition of an OCPI object, without server and database. */
import { Args, Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import { objectNames, type ValidationReport } from "../../../schema/Validation.ts"
import { meantOrListed } from "../../findings/nearest.ts"
import { validateObject } from "../../main.ts"
import { exitWith } from "../terminal/exitCode.ts"
import { readText } from "../terminal/readText.ts"
import { plain, TerminalOutput } from "../terminal/Terminal.ts"
import { UsageError } from "../terminal/UsageError.ts"

/** `plugfest validate`: validates an OCPI object in a file. Exit code 1 when it is invalid. */
export const validateCommand = Command.make(
  "validate",
  {
    version: Options.choice("ocpi-version", OcpiVersion.literals).pipe(
      Options.withDescription("the OCPI version whose definition applies")
    ),
    json: Options.boolean("json").pipe(Options.withDescription("print the report as JSON")),
    object: Args.text({ name: "object" }).pipe(
      Args.withDescription(`the kind of object, in upper or lower case: ${objectNames.join(", ")}`)
    ),
    file: Args.text({ name: "file" }).pipe(
      Args.withDescription("the JSON file; - or left out: stdin"),
      Args.optional
    )
  },
  Effect.fn(function* (given) {
    const object = yield* objectNamed(given.object)
    const json = yield* jsonOf(Option.getOrElse(given.file, () => "-"))
    const report = yield* validateObject({ ocpiVersion: given.version, object, json }).pipe(
      Effect.mapError(({ message }) => new UsageError({ message }))
    )
    const terminal = yield* TerminalOutput
    for (const line of given.json ? [JSON.stringify(report)] : linesOf(report)) yield* terminal.print(line)
    yield* exitWith(report.valid ? 0 : 1)
  })
)

function objectNamed(text: string) {
  const named = objectNames.find((name) => name.toLowerCase() === text.toLowerCase())
  return named === undefined
    ? Effect.fail(
        new UsageError({
          message: `"${plain(text)}" is no OCPI object${meantOrListed(text, objectNames)}`
        })
      )
    : Effect.succeed(named)
}

function jsonOf(file: string): Effect.Effect<unknown, UsageError> {
  const name = file === "-" ? "stdin" : plain(file)
  return readText(file).pipe(
    Effect.flatMap((text) =>
      Effect.try({
        // Files that Windows tools write may begin with a byte order mark.
        try: (): unknown => JSON.parse(text.replace(/^\uFEFF/, "")),
        catch: (error) =>
          new UsageError({
            message: `${name} is not JSON: ${plain(error instanceof Error ? error.message : "")}`
          })
      })
    )
  )
}

function linesOf(report: ValidationReport): ReadonlyArray<string> {
  const { object, ocpiVersion, unknownFields, unknownWords, violationCount, violations } = report
  const what = `${object} of OCPI ${ocpiVersion} (${report.section})`
  const head = report.valid
    ? `valid ${what}`
    : `not a valid ${what}: ${violationCount} ${violationCount === 1 ? "violation" : "violations"}`
  const more = violationCount - violations.length
  return [
    head,
    ...violations.flatMap(({ actual, expected, message, pointer, rule, section }) => [
      `  ${plain(pointer === "" ? "/" : pointer)}  ${rule}: ${plain(message)}  [${section}]`,
      ...unsaid(message, "seen", rule === "required" ? null : actual),
      ...unsaid(message, "expected", expected)
    ]),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...unknownFields.map((pointer) => `  note: the version does not define ${plain(pointer)}`),
    ...unknownWords.map(
      ({ pointer, word }) => `  note: ${plain(pointer)} is ${plain(JSON.stringify(word))}, a word of its own`
    )
  ]
}

/** A line of what the message does not say: one may say the example of what is expected, without `text like`. */
function unsaid(message: string, name: string, text: string | null): ReadonlyArray<string> {
  return text === null || message.includes(text.replace(/^text like /, ""))
    ? []
    : [`      ${name}: ${plain(text)}`]
}
