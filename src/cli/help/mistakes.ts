/** What is wrong with the arguments, in words that say what to do. */
import { CliConfig, Command, CommandDescriptor, type HelpDoc, type ValidationError } from "@effect/cli"
import { Effect, HashMap } from "effect"
import { nearest } from "../../findings/nearest.ts"
import { commandNamed, commandNames } from "../commandTable.ts"
import { plain } from "../terminal/Terminal.ts"
import { paragraphsOf, partsOf, textOfSpan } from "./docText.ts"
import { usageOf } from "./helpFor.ts"

const config = CliConfig.make({ showBuiltIns: false })

/** Options in front of a command that the library answers. Its --log-level is not among them: it has other levels than LOG_LEVEL. */
const ofTheLibrary = /^--(version|completions|wizard)(=|$)/

/** The sentence for a command, or an option in its place, that does not exist; undefined when the first argument names one. */
export function unknownCommand(args: ReadonlyArray<string>): string | undefined {
  const [first = ""] = args
  if (first === "" || commandNames.includes(first) || ofTheLibrary.test(first)) return undefined
  if (first.startsWith("-"))
    return `plugfest has no option ${plain(first)} in front of a command. plugfest --help lists the commands.`
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
    const near = meant(second === "" ? undefined : nearest(second, insides))
    return [which, near || (second === "" ? choice : `It has ${choice}`), seeHelp(name)].join(" ")
  }
  const path = insides.includes(second) ? `${name} ${second}` : name
  const own = inner.find(([one]) => one === second)?.[1]
  const options = optionsIn(
    own === undefined ? Command.getHelp(command, config) : CommandDescriptor.getHelp(own, config)
  )
  const flags = [...options.keys()]
  const unknownOption = args.find((arg) => /^--./.test(arg) && !flags.includes(arg.split("=")[0] ?? ""))
  if (unknownOption !== undefined) {
    const near = nearest(unknownOption.split("=")[0] ?? "", flags)
    return [`plugfest ${path} has no option ${plain(unknownOption)}.`, meant(near), seeHelp(path)]
      .filter((part) => part !== "")
      .join(" ")
  }
  const missing = [...text.matchAll(/Expected to find option: '(--[a-z-]+)'|Missing argument (<[a-z-]+>)/g)]
  if (missing.length > 0) {
    const needed = missing.map(([, option, argument]) => option ?? argument).join(" and ")
    return `plugfest ${path} needs ${needed}: ${yield* usageOf(path.split(" "))}. ${seeHelp(path)}`
  }
  const wrong =
    wrongValue(text, args, options) ??
    text
      .replace(/^Received unknown argument: '(.*)'\.?$/s, (_, argument: string) =>
        // What has a default is not missed by the library when its value is.
        options.get(argument) ? `${argument} needs a value.` : `plugfest ${path} does not take "${argument}".`
      )
      .replace(/^Expected a value following option: '(--[a-z-]+)'\.?$/, "$1 needs a value.")
  return `${wrong} ${seeHelp(path)}`
})

/** The sentence about a value that an option does not take; undefined when the mistake is another one. */
function wrongValue(
  text: string,
  args: ReadonlyArray<string>,
  options: ReadonlyMap<string, string>
): string | undefined {
  const given = args.flatMap((arg, index): ReadonlyArray<readonly [flag: string, value: string]> => {
    if (!arg.startsWith("--")) return []
    const [flag = "", ...rest] = arg.split("=")
    return [[flag, rest.length > 0 ? rest.join("=") : (args[index + 1] ?? "")]]
  })
  const cases = /^Expected one of the following cases: (.*?)\.?$/.exec(text)?.[1]?.split(", ")
  if (cases !== undefined) {
    const [flag, value] =
      given.find(([name, said]) => options.get(name) === cases.join(" | ") && !cases.includes(said)) ?? []
    if (flag === undefined || value === undefined) return undefined
    const near = nearest(value, cases)
    const said = `${flag} does not take "${plain(value)}"; expected one of ${cases.join(", ")}.`
    return near === undefined ? said : `${said} ${meant(near)}`
  }
  const [, number, kind] = /^'(.*)' is not a (integer|float)\.?$/s.exec(text) ?? []
  if (number === undefined) return undefined
  const flag = given.find(([, said]) => said === number)?.[0]
  const which = flag === undefined ? "" : `${flag} `
  return `${which}does not take "${plain(number)}"; expected a ${kind === "integer" ? "whole " : ""}number.`
}

const meant = (name: string | undefined) => (name === undefined ? "" : `Did you mean ${name}?`)
const seeHelp = (path: string) => `See plugfest ${path} --help`
const sentence = (text: string) => (/[.?!]$/.test(text) ? text : `${text}.`)

/** `--url` and the like, of a command's own options, each with what stands for its value: `text`, `CPO | EMSP`. */
const optionsIn = (doc: HelpDoc.HelpDoc): ReadonlyMap<string, string> =>
  new Map(
    partsOf(doc).flatMap((part) =>
      part._tag === "DescriptionList"
        ? part.definitions.flatMap(([span]) => {
            const [, flag, value = ""] = /^(--[a-z-]+)(?: (.*?))?(?:\.\.\.)?$/.exec(textOfSpan(span)) ?? []
            return flag === undefined ? [] : [[flag, value] as const]
          })
        : []
    )
  )
