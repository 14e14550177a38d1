/** The example of a plans file in docs/operations.md, and what is said there of the plans where the file has none. */
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { FileSystem } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Capability } from "../../schema/Account.ts"
import { defaultPlans } from "../../src/services/accounts/Plans.ts"
import { readPlansFile } from "../../src/services/accounts/plansFile.ts"

const root = join(dirname(fileURLToPath(import.meta.url)), "../..")
const text = readFileSync(join(root, "docs/operations.md"), "utf8")
const section = /^## Accounts and plans\n(.*?)^## /ms.exec(text)?.[1] ?? ""
const example = /```json plans\.json\n(.*?)```/s.exec(section)?.[1] ?? ""

const files = Layer.succeed(FileSystem.FileSystem, {
  readFileString: () => Effect.succeed(example)
} as Partial<FileSystem.FileSystem> as FileSystem.FileSystem)

describe("the plans file of docs/operations.md", () => {
  it.effect("is one that the service takes", () =>
    Effect.gen(function* () {
      const { accounts, config, defaultPlan } = yield* readPlansFile("plans.json")
      assert.strictEqual(defaultPlan, "sandbox")
      assert.strictEqual(accounts["acme"], "trial")
      assert.lengthOf(config.plans, 3)
    }).pipe(Effect.provide(files))
  )

  it("names every capability, and every plan of a service without a file", () => {
    for (const capability of Capability.literals) assert.include(section, `"${capability}"`)
    for (const { name } of defaultPlans.plans) assert.include(section, `\`${name}\``)
  })
})
