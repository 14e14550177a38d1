import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"
import { asCommands } from "../../../src/cli/terminal/asCommands.ts"

const root = join(dirname(fileURLToPath(import.meta.url)), "../../..")

/** Texts about what the command line has no command for: machines, sandbox partners of the service, sessions of browsers. */
const elsewhere = [
  "src/services/operators/Machines.ts",
  "src/services/sandboxes/Sandboxes.ts",
  "src/services/accounts/Sessions.ts",
  "src/sandbox/Sandbox.ts"
]

/** The texts of a source file, with `conn_1` in every gap. */
const textsOf = (file: string): ReadonlyArray<string> =>
  (readFileSync(join(root, file), "utf8").match(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g) ?? [])
    .map((text) => text.slice(1, -1).replace(/\$\{[^}]*\}/g, "conn_1"))
    // One word alone is a name in the code, not a sentence.
    .filter((text) => text.includes(" "))

const isAboutRequests = (text: string) =>
  /\b(GET|POST|PUT|DELETE) (\/|…\/)|under Settings|"(checks|needs)": \[|run its handshake|POST the connection|\blistenSeconds\b(?!.*\bconn_1 seconds)/.test(
    text
  )

describe("messages of the service", () => {
  it("lead to the list of runs", () => {
    assert.match(
      asCommands("There is no such run among those of this key's owner"),
      /; plugfest runs lists them$/
    )
  })

  it("name commands and flags, all that name a request", () => {
    const files = ["services", "journeys", "conformance"].flatMap((room) =>
      readdirSync(join(root, "src", room), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts"))
        .map((name) => `src/${room}/${name}`)
    )
    const texts = files
      .filter((file) => !elsewhere.includes(file))
      .flatMap((file) => textsOf(file).filter(isAboutRequests))
    assert.isAtLeast(texts.length, 9)
    for (const text of texts) {
      assert.isFalse(isAboutRequests(asCommands(text)), text)
      assert.match(asCommands(text), /plugfest |--/, text)
    }
  })

  it("keep what is said of ids", () => {
    assert.strictEqual(
      asCommands(
        "checks, modules and clauses select nothing of the suite ocpi-1; GET /testing/suites/ocpi-1 lists its checks"
      ),
      "--check, --module and --clause select nothing of the suite ocpi-1; plugfest suites ocpi-1 lists its checks"
    )
    assert.strictEqual(asCommands("GET versions was answered HTTP 401"), "GET versions was answered HTTP 401")
  })
})
