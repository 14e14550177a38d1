import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"

/**
 * Whole-service tests come last: what is broken in a room shows in its own tests first. The longest begins them, so that
 * no processor waits for it in the end.
 */
class RoomsFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sorted = await super.sort(files)
    const placeOf = ({ moduleId }: TestSpecification) =>
      moduleId.endsWith("/end-to-end/chaos.test.ts") ? 1 : moduleId.includes("/end-to-end/") ? 2 : 0
    return sorted.sort((a, b) => placeOf(a) - placeOf(b))
  }
}

export default defineConfig({
  root: dirname(dirname(fileURLToPath(import.meta.url))),
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/globalSetup.ts"],
    sequence: { sequencer: RoomsFirst },
    // Isolated although loading the packages anew costs time: `layer()` of @effect/vitest writes its testers into vitest's
    // own `it`, so a file that used it would change what `it.effect` means in the files after it.
    pool: "forks",
    // One more than a small machine has processors: tests of the whole service mostly wait.
    poolOptions: { forks: { isolate: true, maxForks: 3 } },
    testTimeout: 20_000,
    hookTimeout: 60_000
  }
})
