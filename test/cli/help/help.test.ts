/** The help of every command, at widths of terminals, and what is said about wrong arguments. */
import { CliConfig, Command, ValidationError } from "@effect/cli"
import { NodeContext } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Console, Effect, HashMap } from "effect"
import { commandGroups, commandNamed, commandNames, commandsFor } from "../../../src/cli/commandTable.ts"
import { helpAskedFor, helpLines } from "../../../src/cli/help/helpFor.ts"
import { mistake, unknownCommand } from "../../../src/cli/help/mistakes.ts"
import { notes } from "../../../src/cli/help/notes.ts"
import { columnsOf, wrap } from "../../../src/cli/help/wrap.ts"
import { TerminalOutput } from "../../../src/cli/terminal/Terminal.ts"
import { nearest } from "../../../src/findings/nearest.ts"

const bare = (_colour: unknown, text: string) => text

/** The words of every command and sub-command. */
const paths = Effect.forEach(commandNames, (name) =>
  Effect.map(
    Effect.promise(() => commandNamed(name)!.read()),
    (command) => [
      [name],
      ...HashMap.toEntries(Command.getSubcommands(command))
        .filter(([inner]) => inner !== name)
        .map(([inner]) => [name, inner])
    ]
  )
).pipe(Effect.map((found) => found.flat()))

describe("help", () => {
  for (const width of [60, 80, 100]) {
    it.effect(
      `of every command has no line over ${width} columns, and nothing of the library's own words`,
      () =>
        Effect.gen(function* () {
          for (const words of [[], ...(yield* paths)]) {
            const lines = yield* helpLines(words, "1.0.0", { width, paint: bare })
            for (const line of lines) assert.isAtMost(line.length, width, `${words.join(" ")}: ${line}`)
            assert.notMatch(lines.join(" "), /user-defined|true or false|This setting|An integer|redacted/)
          }
        }),
      180_000
    )
  }

  it.effect("of every command has usage, two examples with flags that it knows, and exit codes", () =>
    Effect.gen(function* () {
      for (const words of yield* paths) {
        const path = words.join(" ")
        const lines = yield* helpLines(words, "1.0.0", { width: 100, paint: bare })
        assert.include(lines.join("\n"), `  plugfest ${path}`)
        for (const heading of ["Usage", "Examples", "Exit codes"]) assert.include(lines, heading, path)
        const { examples } = notes[path]!
        for (const example of examples) {
          const own = example.slice(example.indexOf("plugfest "))
          const asked = /^plugfest (\w+)(?: (\w+))?/.exec(own)!
          const inner = notes[`${asked[1]} ${asked[2]}`] === undefined ? [] : [asked[2]!]
          const help = yield* helpLines([asked[1]!, ...inner], "1.0.0", { width: 100, paint: bare })
          for (const flag of own.match(/--[a-z-]+/g) ?? [])
            assert.match(help.join("\n"), new RegExp(`^  ${flag}( |$)`, "m"), `${path}: ${example}`)
        }
      }
    })
  )

  it.effect("names every option's default or says that it is required, where it takes a value", () =>
    Effect.gen(function* () {
      const help = (yield* helpLines(["test"], "1.0.0", { width: 100, paint: bare }))
        .join(" ")
        .replace(/ +/g, " ")
      assert.match(help, /--suite <suite> core, full, .*default: core/)
      assert.match(help, /--url <url> .*PLUGFEST_URL; default: http:\/\/127\.0\.0\.1:8080/)
      assert.match(help, /--check <check> .*repeatable/)
      assert.match(help, /--profile lenient\|strict .*default: lenient/)
    })
  )

  it.effect("says for every option of serve what its value is", () =>
    Effect.gen(function* () {
      const help = (yield* helpLines(["serve"], "1.0.0", { width: 100, paint: bare })).join("\n")
      assert.notMatch(help, /<>/)
      for (const option of [
        "--max-connections <number>",
        "--max-connections-per-address <number>",
        "--aws-endpoint-url-s3 <url>"
      ])
        assert.include(help, `  ${option}`)
    })
  )

  it("groups every command once, in an overview of one line each", () => {
    const named = commandGroups.flatMap(([, commands]) => commands)
    assert.strictEqual(new Set(named.map(({ name }) => name)).size, named.length)
    for (const { about, name } of named) assert.isAtMost(about.length + 15, 80, name)
  })

  it("is asked for by --help, -h, help, no argument, and a command that needs another", () => {
    assert.deepStrictEqual(helpAskedFor([]), [])
    assert.deepStrictEqual(helpAskedFor(["test", "--help"]), ["test"])
    assert.deepStrictEqual(helpAskedFor(["help", "keys", "list"]), ["keys", "list"])
    assert.deepStrictEqual(helpAskedFor(["keys"]), ["keys"])
    assert.isUndefined(helpAskedFor(["suites"]))
    assert.isUndefined(helpAskedFor(["validate", "Location", "--", "-h"]))
  })
})

describe("wrong arguments", () => {
  const said = (...args: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const root = Command.make("plugfest").pipe(Command.withSubcommands(yield* commandsFor(args)))
      const run = Command.run(root, { name: "plugfest", version: "1.0.0" })(["node", "plugfest", ...args])
      const failure = yield* Effect.flip(
        Console.consoleWith((console) => Effect.withConsole(run, { ...console, error: () => Effect.void }))
      )
      assert.isTrue(ValidationError.isValidationError(failure))
      return yield* mistake(failure as ValidationError.ValidationError, args)
    }).pipe(
      Effect.provide(NodeContext.layer),
      Effect.provide(TerminalOutput.layer),
      Effect.provide(CliConfig.layer({ showBuiltIns: false, finalCheckBuiltIn: false }))
    )

  it("suggest the command that was probably meant", () => {
    assert.strictEqual(
      unknownCommand(["tset"]),
      "There is no command tset. Did you mean test? plugfest --help lists the commands."
    )
    assert.strictEqual(
      unknownCommand(["frobnicate"]),
      "There is no command frobnicate. plugfest --help lists the commands."
    )
    assert.strictEqual(
      unknownCommand(["--bogus", "test"]),
      "plugfest has no option --bogus in front of a command. plugfest --help lists the commands."
    )
    // The library has one of its own, with other levels.
    assert.match(
      unknownCommand(["--log-level", "trace", "test"]) ?? "",
      /^plugfest has no option --log-level/
    )
    assert.isUndefined(unknownCommand(["--version"]))
    assert.isUndefined(unknownCommand(["test", "x"]))
    assert.strictEqual(nearest("comp", ["connect", "compare"]), "compare")
  })

  it.effect("suggest the option that was probably meant, and name the help", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* said("serve", "--prot", "4"),
        "plugfest serve has no option --prot. Did you mean --port? See plugfest serve --help"
      )
      assert.strictEqual(
        yield* said("keys", "lst"),
        "plugfest keys has no command lst. Did you mean list? See plugfest keys --help"
      )
      assert.match(
        yield* said("test", "my-cpo", "--suit", "x"),
        /has no option --suit. Did you mean --suite\? See plugfest test --help$/
      )
    })
  )

  it.effect("name what is missing, with the usage", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* said("test"),
        "plugfest test needs <target>: plugfest test <target> [options]. See plugfest test --help"
      )
      assert.strictEqual(
        yield* said("connect"),
        "plugfest connect needs --their-role and --ocpi-version: plugfest connect <versions-url> --their-role CPO|EMSP --ocpi-version <version> [options]. See plugfest connect --help"
      )
      assert.match(
        yield* said("compare", "rep_1"),
        /^plugfest compare needs <later>: plugfest compare <earlier> <later>/
      )
      assert.strictEqual(
        yield* said("test", "my-cpo", "--suite"),
        "--suite needs a value. See plugfest test --help"
      )
      assert.strictEqual(
        yield* said("test", "my-cpo", "--html"),
        "--html needs a value. See plugfest test --help"
      )
    })
  )

  it.effect("name the option whose value is wrong, the value, and what it takes", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* said("connect", "u", "--their-role", "CPOO", "--ocpi-version", "2.2.1"),
        '--their-role does not take "CPOO"; expected one of CPO, EMSP. Did you mean CPO? See plugfest connect --help'
      )
      assert.strictEqual(
        yield* said("connect", "u", "--their-role=CPO", "--ocpi-version=9"),
        '--ocpi-version does not take "9"; expected one of 2.1.1, 2.2, 2.2.1, 2.3.0. See plugfest connect --help'
      )
      assert.strictEqual(
        yield* said("keys", "create", "--scope", "read", "--scope", "admin"),
        '--scope does not take "admin"; expected one of read, run, connections:write, keys:write, personal:read. See plugfest keys create --help'
      )
      assert.strictEqual(
        yield* said("sandbox", "--seed", "abc"),
        '--seed does not take "abc"; expected a whole number. See plugfest sandbox --help'
      )
      assert.strictEqual(
        yield* said("keys", "frobnicate"),
        "plugfest keys has no command frobnicate. It has create, revoke, list, audit, generate or roll. See plugfest keys --help"
      )
    })
  )
})

describe("text", () => {
  it("is wrapped at words, and a long list at its commas", () => {
    assert.deepStrictEqual(wrap("one two three", 7), ["one two", "three"])
    assert.deepStrictEqual(wrap("a one,two,three", 8), ["a one,", "two,", "three"])
  })

  it("is as wide as the terminal, within limits", () => {
    assert.strictEqual(columnsOf({ isTTY: true, columns: 60 }), 60)
    assert.strictEqual(columnsOf({ isTTY: true, columns: 500 }), 100)
    assert.strictEqual(columnsOf({ columns: 60 }), 80)
  })
})
