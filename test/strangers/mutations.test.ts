/**
 * Single faults in conformant partners: every implemented check has one, or says why not. A few of them are played, others
 * for each commit; `npm run strangers -- --mutations all` plays every one.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { catalogueRows, coverageOf } from "../../docs/tables/catalogue.ts"
import { allChecks } from "../../src/conformance/catalogue/suites.ts"
import { isSampled } from "../support/sampled.ts"
import { checksOfFaults } from "./mutations/journeyFaults.ts"
import { attributed } from "./mutations/Mutation.ts"
import { isPossible, mutations } from "./mutations/mutations.ts"
import { fieldFaults } from "./mutations/objects/fields.ts"
import { type Chosen, everyOnce, playAll } from "./mutations/playAll.ts"
import { playMutation, seedFor } from "./mutations/playMutation.ts"
import { unreached } from "./mutations/unreached.ts"
import { strangerRoles, strangerVersions } from "./partner/Freedoms.ts"

/** Ids of the checks of the catalogue that suites or journeys have, those about partners behind a hub too. */
const implemented = catalogueRows(
  readFileSync(join(import.meta.dirname, "../../docs/tables/catalogue.csv"), "utf8")
)
  .map(coverageOf)
  .filter(({ inSuites, journeys }) => inSuites || journeys.length > 0)
  .map(({ row }) => row.id)
const twice = (ids: ReadonlyArray<string>) => ids.filter((id, index) => ids.indexOf(id) !== index)

describe("single faults", () => {
  it("are one or more for each implemented check, or it says why not", () => {
    assert.deepStrictEqual(
      allChecks.map(({ id }) => id).filter((id) => !implemented.includes(id)),
      [],
      "these have no row in docs/tables/catalogue.csv; run: npm run coverage"
    )
    const caught = new Set([...mutations.map(({ caughtBy }) => caughtBy), ...checksOfFaults.keys()])
    const named = unreached.map(({ check }) => check)
    assert.deepStrictEqual(
      implemented.filter((id) => !caught.has(id) && !named.includes(id)),
      [],
      "these want a fault in test/strangers/mutations/, or in its unreached.ts why there is none"
    )
    assert.deepStrictEqual(
      named.filter((id) => caught.has(id) || !implemented.includes(id)),
      [],
      "these have a fault, or are no checks: unreached.ts does not want them"
    )
    assert.deepStrictEqual(twice(named), [])
    assert.deepStrictEqual(
      [...caught].filter((id) => !implemented.includes(id)),
      [],
      "faults name these, which are no checks"
    )
    assert.strictEqual(caught.size + named.length, implemented.length)
  })

  it("have ids of their own, and a stranger that can have them", () => {
    for (const version of strangerVersions)
      assert.deepStrictEqual(twice([...mutations, ...fieldFaults(version)].map(({ id }) => id)), [])
    assert.deepStrictEqual(
      mutations
        .filter(
          (row) =>
            !strangerVersions.some((version) => strangerRoles.some((role) => isPossible(row, version, role)))
        )
        .map(({ id }) => id),
      []
    )
  })

  it("name what follows by the ids of checks", () => {
    const rows = [...mutations, ...strangerVersions.flatMap(fieldFaults)]
    assert.deepStrictEqual(
      rows.flatMap(({ follows, id }) =>
        follows.filter((one) => !implemented.includes(one)).map((one) => `${id}: ${one}`)
      ),
      []
    )
  })

  it("have as false attributions what is neither their check, nor declared, nor advice", () => {
    const one = { ...mutations[0]!, caughtBy: "PAGE-001", follows: ["PAGE-002"] }
    const off = [
      { id: "PAGE-001", strength: "must", outcome: "failed" },
      { id: "PAGE-002", strength: "must", outcome: "failed" },
      { id: "PAGE-003", strength: "must", outcome: "warned" },
      { id: "PAGE-004", strength: "should", outcome: "warned" },
      { id: "PAGE-018", strength: "may", outcome: "passed" }
    ]
    const { caught, consequences, falsely } = attributed(one, off)
    assert.deepStrictEqual(
      [caught, consequences, falsely].map((all) => all.map(({ id }) => id)),
      [["PAGE-001"], ["PAGE-002"], ["PAGE-003"]]
    )
  })
})

describe("faults that are played one after another", () => {
  it("go on after one that does not end, which is named", async () => {
    const [first, second] = mutations
    const chosen: ReadonlyArray<Chosen> = [first!, second!].map((mutation) => ({
      mutation,
      seed: seedFor(mutation, 0)!
    }))
    const said: Array<string> = []
    assert.isFalse(await playAll(chosen, "full", (text) => said.push(text), 0.001))
    for (const { mutation } of chosen)
      assert.isTrue(
        said.some(
          (line) =>
            line.includes(`${mutation.id}: NOT CAUGHT`) && line.endsWith("it did not end within 0.001 s")
        ),
        said.join("\n")
      )
    assert.isTrue(
      said.some((line) => line.endsWith("2 noticed, 2 without a run")),
      said.join("\n")
    )
  })
})

/** Six of all, each with the stranger that `--mutations all` gives it; with `npm test` three; as far from one another as can be. */
const length = isSampled ? 3 : 6
const turn = Number(process.env["SAMPLE_TURN"] ?? 0)
const all = everyOnce(0)
const sample = Array.from(
  { length },
  (_, index) => all[(turn + Math.floor((index * all.length) / length)) % all.length]!
)

describe("a fault of a stranger", () => {
  it.each(sample.map(({ mutation, seed }) => [mutation.id, seed, mutation] as const))(
    "is caught by its check: %s, seed %i",
    async (_, seed, row) => {
      const { broken, caught, falsely } = await playMutation(seed, row)
      assert.isUndefined(broken)
      assert.deepStrictEqual(
        caught.map(({ id }) => id),
        [row.caughtBy]
      )
      assert.deepStrictEqual(
        falsely.map(({ id, message, reason }) => `${id}: ${message ?? reason}`),
        []
      )
    },
    120_000
  )
})
