/** What is wrong with the arguments, in words that say what to do. */
import { CliConfig, Command, CommandDescriptor, type HelpDoc, type ValidationError } from "@effect/cli"
import { Effect, HashMap } from "effect"
import { nearest } from "../../findings/nearest.ts"
import { commandNamed, commandNames } from "../commandTable.ts"
import { plain } from "../terminal/Terminal.ts"
import { paragraphsOf, partsOf, textOfSpan } from "./docText.ts"

const config = CliConfig.make({ showBuiltIns: false })

/** The sentence for a command that does not exist; undefined when the first argument names one, or is a flag. */
export function unknownCommand(args: ReadonlyArray<string>): string | undefined {
  const [first = ""] = args
  if (first === "" || first.startsWith("-") || commandNames.includes(first)) return undefined
  return [
    `There is no command ${plain(first)}.`,
    meant(nearest(first, commandNames)),
    "plugfest --help lists the commands."
  ]
    .join(" ")
    .replace(/ {2,}/g, " ")
}

/** The library's sentence about wrong arguments, with a name that was probably meant and where to read on. */
export const mistake = Effect.fnUntraced(function* (
  error: ValidationError.ValidationError,
  args: ReadonlyArray<string>
) {
  const text = paragraphsOf(error.error)
    .map((part) => sentence(plain(part)))
    .join(" ")
  const words = args.filter((arg) => !arg.startsWith("-"))
  const [name = "", second = ""] = words
  const found = commandNamed(name)
  if (found === undefined) return text
  const command = yield* Effect.promise(found.read)
  const inner = HashMap.toEntries(Command.getSubcommands(command)).filter(([one]) => one !== name)
  const insides = inner.map(([one]) => one)
  if (insides.length > 0 && !insides.includes(second)) {
    const which =
      second === ""
        ? `plugfest ${name} needs a command:`
        : `plugfest ${name} has no command ${plain(second)}.`
    const choice = `${insides.slice(0, -1).join(", ")}${insides.length > 1 ? " or " : ""}${insides.at(-1)}.`
    return [which, meant(second === "" ? undefined : nearest(second, insides)) || choice, seeHelp(name)].join(
      " "
    )
  }
  const path = insides.includes(second) ? `${name} ${second}` : name
  const own = inner.find(([one]) => one === second)?.[1]
  const flags = flagsIn(
    own === undefined ? Command.getHelp(command, config) : CommandDescriptor.getHelp(own, config)
  )
  const unknownOption = args.find((arg) => /^--./.test(arg) && !flags.includes(arg.split("=")[0] ?? ""))
  if (unknownOption !== undefined) {
    const near = nearest(unknownOption.split("=")[0] ?? "", flags)
    return [`plugfest ${path} has no option ${plain(unknownOption)}.`, meant(near), seeHelp(path)]
      .filter((part) => part !== "")
      .join(" ")
  }
  const unknown = /^Received unknown argument: '(.*)'\.?$/s.exec(text)?.[1]
  const wrong = unknown === undefined ? text : `plugfest ${path} does not take "${plain(unknown)}".`
  return `${wrong} ${seeHelp(path)}`
})

const meant = (name: string | undefined) => (name === undefined ? "" : `Did you mean ${name}?`)
const seeHelp = (path: string) => `See plugfest ${path} --help`
const sentence = (text: string) => (/[.?!]$/.test(text) ? text : `${text}.`)

/** `--url` and the like, of a command's own options. */
const flagsIn = (doc: HelpDoc.HelpDoc): ReadonlyArray<string> =>
  partsOf(doc).flatMap((part) =>
    part._tag === "DescriptionList"
      ? part.definitions.flatMap(([span]) => /^--[a-z-]+/.exec(textOfSpan(span)) ?? [])
      : []
  )
