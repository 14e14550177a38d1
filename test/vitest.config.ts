import { readdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * Whole-service tests come last: what is broken in a room shows in its own tests first. The longest begins them, so that
 * no processor waits for it in the end.
 */
class RoomsFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sorted = await super.sort(files)
    const placeOf = ({ moduleId }: TestSpecification) =>
      moduleId.endsWith("/end-to-end/processes/chaos.test.ts")
        ? 1
        : /\/(end-to-end|attacks|long)\//.test(moduleId)
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
/** SAMPLE_TURN, from the commit: every second of the other attacks; without it all. */
const turn = process.env["SAMPLE_TURN"]
const otherAttacks =
  isAsked("test/attacks") || turn === undefined
    ? []
    : readdirSync(join(root, "test/attacks"))
        .filter((name) => name.endsWith(".test.ts"))
        .filter((_, index) => index % 2 !== Number(turn) % 2)
        .map((name) => `test/attacks/${name}`)
const long = isAsked("test/long")
  ? []
  : readdirSync(join(root, "test/long"))
      .filter((name) => name.endsWith(".test.ts") && !played.includes(name))
      .map((name) => `test/long/${name}`)

export default defineConfig({
  root,
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["**/node_modules/**", ...alone, ...otherAttacks, ...long],
    globalSetup: ["test/globalSetup.ts"],
    sequence: { sequencer: RoomsFirst },
    setupFiles: ["test/support/ownTesters.ts", "test/support/loopTurns.ts"],
    pool: "forks",
    // Not isolated: to load and to warm the modules again for each file took more than half of the processor time. One
    // fork more than a small machine has processors, because tests of the whole service mostly wait. And as many to the end:
    // the pool stumbles when it takes away two that have nothing more to do.
    poolOptions: { forks: { isolate: false, minForks: 3, maxForks: 3 } },
    testTimeout: 20_000,
    hookTimeout: 60_000
  }
})
