/** Finds out whether the arguments ask for help, and writes it. */
import { CliConfig, Command, CommandDescriptor, HelpDoc } from "@effect/cli"
import { Effect, HashMap } from "effect"
import { commandGroups, commandNamed } from "../commandTable.ts"
import { TerminalOutput } from "../terminal/Terminal.ts"
import { paragraphsOf } from "./docText.ts"
import { commandHelp, type HelpEntry, type HelpPage, overview } from "./helpText.ts"
import { notes } from "./notes.ts"
import { columnsOf } from "./wrap.ts"

const config = CliConfig.make({ showBuiltIns: false })

/**
 * The words of the command that help is asked for; undefined: it is not asked for. `help` and no argument ask for the overview,
 * a command of commands alone for its own.
 */
export function helpAskedFor(args: ReadonlyArray<string>): ReadonlyArray<string> | undefined {
  const before = args.includes("--") ? args.slice(0, args.indexOf("--")) : args
  const words = before.filter((arg) => !arg.startsWith("-"))
  if (words[0] === "help") return words.slice(1)
  if (args.length === 0 || before.some((arg) => arg === "--help" || arg === "-h")) return words
  const [only = ""] = args
  if (args.length === 1 && Object.keys(notes).some((path) => path.startsWith(`${only} `))) return [only]
  return undefined
}

/** Prints the overview, or the help of the command that the words name; words that name nothing are left out. */
export const printHelp = Effect.fn("cli.help")(function* (words: ReadonlyArray<string>, version: string) {
  const terminal = yield* TerminalOutput
  const page: HelpPage = { width: columnsOf(process.stdout), paint: terminal.paintData }
  for (const line of yield* helpLines(words, version, page)) yield* terminal.print(line)
})

/** The lines that `printHelp` prints. */
export const helpLines = Effect.fnUntraced(function* (
  words: ReadonlyArray<string>,
  version: string,
  page: HelpPage
) {
  const [name = "", second = ""] = words
  const found = commandNamed(name)
  if (found === undefined) return overview(commandGroups, version, page)
  const command = yield* Effect.promise(found.read)
  const places = Object.keys(notes)
  const subcommands = HashMap.toEntries(Command.getSubcommands(command)).sort(
    ([one], [other]) => places.indexOf(`${name} ${one}`) - places.indexOf(`${name} ${other}`)
  )
  const inner = subcommands.find(([inside]) => inside === second)
  if (inner !== undefined) {
    const doc = CommandDescriptor.getHelp(inner[1], config)
    const path = `${name} ${second}`
    return commandHelp({ path, about: aboutOf(doc), doc, subcommands: [], notes: notes[path] }, page)
  }
  const listed = subcommands
    .filter(([inside]) => inside !== name)
    .map(
      ([inside, descriptor]): HelpEntry => ({
        name: inside,
        about: aboutOf(CommandDescriptor.getHelp(descriptor, config))
      })
    )
  const about = [`${found.about}.`, found.more].filter((part) => part !== undefined).join(" ")
  const doc = listed.length > 0 ? HelpDoc.empty : Command.getHelp(command, config)
  return commandHelp({ path: name, about, doc, subcommands: listed, notes: notes[name] }, page)
})

/** The usage of the command that the words name, in one line: `plugfest journeys [<connection>] [options]`. */
export const usageOf = Effect.fnUntraced(function* (words: ReadonlyArray<string>) {
  const lines = yield* helpLines(words, "", { width: Number.POSITIVE_INFINITY, paint: (_, text) => text })
  return (lines[lines.indexOf("Usage") + 1] ?? "").trim()
})

/** The description in a document of the library: its first paragraph. */
const aboutOf = (doc: HelpDoc.HelpDoc): string => paragraphsOf(doc).map((text) => `${text}.`)[0] ?? ""
