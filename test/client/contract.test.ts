import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { terminalTypes } from "../../schema/LedgerEvent.ts"
import { endingTypes } from "../../src/client/plugfest.ts"
import { contractFiles } from "./support/contractFiles.ts"

describe("the client's contract", () => {
  it("is what the OpenAPI document says; if not: npm run client:contract", async () => {
    for (const [file, text] of Object.entries(await contractFiles()))
      assert.isTrue(readFileSync(file, "utf8") === text, `${file} is older than the contract`)
  }, 60_000)

  it("knows every event that ends a run", () => {
    assert.deepStrictEqual([...endingTypes].sort(), [...terminalTypes].sort())
  })
})
