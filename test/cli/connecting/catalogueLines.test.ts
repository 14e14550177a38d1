import { assert, describe, it } from "vitest"
import type { JourneyCatalogue } from "../../../schema/Journey.ts"
import { catalogueFor, scenarioLines } from "../../../src/cli/connecting/catalogueLines.ts"

const journey = (id: string, over: object = {}) => ({
  id,
  name: `Name of ${id}`,
  ourRole: "EMSP",
  supportedVersions: ["2.2.1"],
  stages: [{}, {}],
  runnable: true,
  reasons: [],
  ...over
})
const scenario = (id: string, templateId: string) => ({ id, templateId, name: `Name of ${id}`, version: 1 })
const catalogue = {
  templates: [
    journey("remote-start"),
    journey("unlock", { runnable: false, reasons: ["The partner offers no commands"] }),
    journey("push-location", { ourRole: "CPO" }),
    journey("older", { supportedVersions: ["2.1.1"] })
  ],
  packs: [{ ...journey("go-live"), templateIds: ["remote-start", "unlock"] }],
  scenarios: [
    scenario("scn_1", "remote-start"),
    scenario("scn_2", "push-location"),
    scenario("scn_3", "older")
  ]
} as unknown as JourneyCatalogue
const connection = { ourRole: "EMSP", ocpiVersion: "2.2.1" } as const

describe("what can be played with a partner", () => {
  it("is what fits it; what does not is counted, and what is in the way of the others is said", () => {
    assert.deepEqual(catalogueFor("my-cpo", catalogue, connection), [
      "Can be played with my-cpo: 2 of 3",
      "  remote-start  2 stages   Name of remote-start",
      "  go-live       pack of 2  Name of go-live",
      "Not played: The partner offers no commands",
      "  unlock",
      "2 more are for partners of another role or version: plugfest journeys"
    ])
  })

  it("is everything with the sandbox, which can be any partner", () => {
    assert.include(catalogueFor("sandbox", catalogue)[0], "4 of 5")
  })

  it("has the scenarios of journeys that fit", () => {
    assert.deepEqual(scenarioLines(catalogue, connection), [
      "scn_1  scenario of remote-start, version 1: Name of scn_1"
    ])
    assert.lengthOf(scenarioLines(catalogue), 3)
  })
})
