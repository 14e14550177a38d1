/** The help of the command line as lines of text, made of what the commands say of themselves. Pure. */
import type { HelpDoc } from "@effect/cli"
import type { Colour } from "../terminal/Terminal.ts"
import { paragraphsOf, partsOf, textOfSpan } from "./docText.ts"
import type { Notes } from "./notes.ts"
import { columns, wrap } from "./wrap.ts"

/** What lines are written for: their width, and how a name or a heading is painted. */
export interface HelpPage {
  readonly width: number
  readonly paint: (colour: Colour, text: string) => string
}

/** A command in the overview. */
export interface HelpEntry {
  readonly name: string
  readonly about: string
}

interface Entry {
  readonly name: string
  readonly values: string
  readonly text: string
  readonly optional: boolean
}

const exits = [
  ["0", "passed, done, or a server stopped by SIGTERM or Ctrl-C"],
  ["1", "the partner, or the object, is wrong"],
  ["2", "wrong use or configuration"],
  ["3", "not enough could be judged"],
  ["4", "API key, plan or rate limit"],
  ["5", "the service could not be reached or started"],
  ["130", "interrupted by Ctrl-C"]
] as const

/** The overview: commands by what one wants to do. */
export function overview(
  groups: ReadonlyArray<readonly [title: string, commands: ReadonlyArray<HelpEntry>]>,
  version: string,
  page: HelpPage
): ReadonlyArray<string> {
  const heading = (text: string) => ["", page.paint("bold", text)]
  const names = groups.flatMap(([, commands]) => commands.map(({ name }) => name.length))
  const padded = Math.max(...names)
  return [
    ...wrap(`plugfest ${version} tests OCPI partner integrations.`, page.width),
    ...heading("Usage"),
    "  plugfest <command> [options]",
    ...groups.flatMap(([title, commands]) => [
      ...heading(title),
      ...columns(
        commands.map(({ about, name }) => [name.padEnd(padded), about] as const),
        page.width,
        { paint: (text) => page.paint("cyan", text) }
      )
    ]),
    ...heading("Exit codes"),
    ...columns(exits, page.width),
    ...heading("More"),
    ...columns(
      [
        ["plugfest <command> --help", "options, examples and exit codes of a command"],
        ["plugfest --completions <shell>", "completions for bash, zsh or fish"],
        ["plugfest --version", "the version"]
      ],
      page.width,
      { most: 32 }
    )
  ]
}

/** What the help of a command is made from. */
interface CommandDoc {
  /** Its name and those of the commands above it: `keys create`. */
  readonly path: string
  readonly about: string
  readonly doc: HelpDoc.HelpDoc
  readonly subcommands: ReadonlyArray<HelpEntry>
  readonly notes: Notes | undefined
}

/** The help of one command: usage, what it does, arguments, options, sub-commands, examples, exit codes. */
export function commandHelp(
  { about, doc, notes, path, subcommands }: CommandDoc,
  page: HelpPage
): ReadonlyArray<string> {
  const { args, options } = entriesOf(doc)
  const heading = (text: string) => ["", page.paint("bold", text)]
  const rows = (entries: ReadonlyArray<Entry>) =>
    columns(
      entries.map(({ name, optional, text, values }) => [
        [name, values].filter((part) => part !== "").join(" "),
        optional || !name.startsWith("-") ? text : `${text} (required)`
      ]),
      page.width,
      { paint: (text) => page.paint("cyan", text) }
    )
  const section = (title: string, lines: ReadonlyArray<string>) =>
    lines.length === 0 ? [] : [...heading(title), ...lines]
  const needed = options.filter(({ optional }) => !optional)
  const usage = [
    `plugfest ${path}`,
    ...(subcommands.length > 0 ? ["<command>"] : []),
    ...args.map(({ name, optional }) => (optional ? `[${name}]` : name)),
    ...needed.map(({ name, values }) => `${name} ${values}`),
    ...(options.length > needed.length || subcommands.length > 0 ? ["[options]"] : [])
  ].join(" ")
  return [
    ...wrap(about, page.width),
    ...heading("Usage"),
    ...wrap(usage, page.width - 4).map((line, index) => (index === 0 ? `  ${line}` : `    ${line}`)),
    ...section(
      "Commands",
      columns(
        subcommands.map(({ about: text, name }) => [name, text]),
        page.width,
        { paint: (text) => page.paint("cyan", text) }
      )
    ),
    ...section("Arguments", rows(args)),
    ...section("Options", rows(options)),
    ...section(
      "Examples",
      (notes?.examples ?? []).flatMap((example) =>
        wrap(example, page.width - 8).map((line, index, all) =>
          [index === 0 ? "  " : "      ", line, index === all.length - 1 ? "" : " \\"].join("")
        )
      )
    ),
    ...section("Exit codes", columns(Object.entries(notes?.exits ?? {}), page.width))
  ]
}

/** Our words for the library's names of types; `text` is named after its option. */
const named: Readonly<Record<string, string | undefined>> = {
  text: undefined,
  redacted: undefined,
  integer: "number"
}

/** What the library adds to an entry of its own; ours say more. */
const ofTheLibrary =
  /^(A user-defined piece of text.*|A true or false value\.|An integer\.|A floating point number\.|This setting is optional\.|This (option|argument) may be repeated.*|One of the following: .*)$/

/** Arguments and options as the library describes them. */
function entriesOf(doc: HelpDoc.HelpDoc) {
  const args: Array<Entry> = []
  const options: Array<Entry> = []
  let into = options
  for (const part of partsOf(doc)) {
    if (part._tag === "Header") into = textOfSpan(part.value) === "ARGUMENTS" ? args : options
    if (part._tag !== "DescriptionList") continue
    for (const [span, words] of part.definitions) into.push(entryOf(textOfSpan(span), paragraphsOf(words)))
  }
  return { args, options }
}

function entryOf(names: string, texts: ReadonlyArray<string>): Entry {
  const repeated = names.endsWith("...")
  const bare = names.replace(/\.\.\.$/, "").trim()
  const [name = "", ...rest] = bare.split(" ")
  const choices = rest.join(" ").split(" | ")
  const many = choices.length > 3
  const kind = name.startsWith("-") ? name.split(/[^a-z]/).at(-1) : undefined
  const optional = texts.some((text) =>
    /^This (setting is optional|(option|argument) may be repeated zero)/.test(text)
  )
  const value = rest.length === 0 || rest[0] === "" ? "" : many ? `<${kind ?? "value"}>` : choices.join("|")
  const said = texts.filter((text) => !ofTheLibrary.test(text)).join("; ")
  const words = [said, ...(many ? [`one of ${choices.join(", ")}`] : []), ...(repeated ? ["repeatable"] : [])]
  return {
    name: repeated && !name.startsWith("-") ? `${name}…` : name,
    values:
      choices.length > 1 || value === ""
        ? value
        : value.includes("|")
          ? value
          : `<${value in named ? (named[value] ?? kind ?? value) : value}>`,
    text: words.filter((part) => part !== "").join("; "),
    optional
  }
}
