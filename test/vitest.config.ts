import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * Whole-service tests come last: what is broken in a room shows in its own tests first. The longest begin them, so that
 * no processor waits for one in the end.
 */
class RoomsFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sorted = await super.sort(files)
    const placeOf = ({ moduleId }: TestSpecification) =>
      /\/(end-to-end\/processes\/chaos|long\/\w+)\.test\.ts$/.test(moduleId)
        ? 1
        : /\/(end-to-end|attacks)\//.test(moduleId)
          ? 2
          : 0
    return sorted.sort((a, b) => placeOf(a) - placeOf(b))
  }
}

const isAsked = (folder: string) => process.argv.some((word) => word.startsWith(folder))
/** These measure how long others wait, so they want a machine to themselves: `npm run attacks`. */
const alone = isAsked("test/attacks") ? [] : ["test/attacks/alone/**"]
/** Each of these takes a minute or so. `npm run test:long` plays them all, `npm test` those that LONG_TESTS names. */
const played = (process.env["LONG_TESTS"] ?? "").split(",")
const testsIn = (folder: string) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => `${folder}/${name}`)
/** Each page of the console is looked at in a browser, which costs as much as the service; what needs none takes no time. */
const isInBrowser = (path: string) => readFileSync(join(root, path), "utf8").includes("/ConsoleBrowser.ts")
/** SAMPLE_TURN, from the commit: one of so many files of these; without it all. */
const turn = process.env["SAMPLE_TURN"]
/** Each of these takes a minute: leases that run out, a whole database that is written and read, suites that wait. */
const waiting = [
  "test/conformance/run/waits.test.ts",
  "test/placement/PlacementCluster.test.ts",
  "test/services/operators/backups.test.ts"
]
const inTurn: ReadonlyArray<readonly [number, ReadonlyArray<string>]> = [
  [waiting.length, waiting],
  [12, testsIn("test/attacks")],
  [12, testsIn("test/end-to-end/security")],
  [12, testsIn("test/console").filter(isInBrowser)],
  [10, testsIn("test/end-to-end/flows")],
  [10, testsIn("test/end-to-end/processes").filter((path) => !path.endsWith("/chaos.test.ts"))]
]
const otherFiles = inTurn.flatMap(([parts, files]) =>
  turn === undefined ? [] : files.filter((_, index) => index % parts !== Number(turn) % parts)
)
const long = isAsked("test/long")
  ? []
  : testsIn("test/long").filter((path) => !played.includes(path.slice("test/long/".length)))

export default defineConfig({
  root,
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["**/node_modules/**", ...alone, ...otherFiles, ...long],
    globalSetup: ["test/globalSetup.ts"],
    sequence: { sequencer: RoomsFirst },
    setupFiles: ["test/support/ownTesters.ts", "test/support/loopTurns.ts"],
    pool: "forks",
    // Not isolated: to load and to warm the modules again for each file took more than half of the processor time. One
    // fork more than a small machine has processors, because tests of the whole service mostly wait. And as many to the end:
    // the pool stumbles when it takes away two that have nothing more to do.
    poolOptions: { forks: { isolate: false, minForks: 3, maxForks: 3 } },
    testTimeout: 60_000,
    hookTimeout: 60_000
  }
})
