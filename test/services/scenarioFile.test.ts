import { assert, describe, it } from "@effect/vitest"
import type { ScenarioDraft } from "../../schema/Scenario.ts"
import { misfitsOf } from "../../src/journeys/catalogue/playable.ts"
import { problemsInWords, readScenarioFile, writeScenarioFile } from "../../src/services/runs/scenarioFile.ts"

const read = (file: string) => readScenarioFile(file, misfitsOf)
const places = (file: string) =>
  read(file).problems.map(({ column, line, path }) => `${line}:${column} ${path}`)

const draft: ScenarioDraft = {
  name: "All of it",
  templateId: "remote-start",
  inputs: { waitSeconds: 30 },
  limits: { "session-active": 60 },
  assertions: { "start-session.accepted": "should" },
  faults: [
    { fault: "late-answer", seconds: 5, module: "commands", times: 2 },
    { fault: "duplicate-push", stageId: "push-token" }
  ]
}

describe("a scenario file", () => {
  it("comes back from YAML and from JSON as it was written", () => {
    for (const format of ["yaml", "json"] as const) {
      assert.deepStrictEqual(read(writeScenarioFile(draft, format)), {
        valid: true,
        problems: [],
        scenario: draft
      })
    }
  })

  it("may begin with a byte order mark and hold comments", () => {
    assert.isTrue(read("\uFEFF# ours\nname: A # so\ntemplateId: first-reads\n").valid)
  })

  it("is told where a value is wrong", () => {
    const file = "name: A\ntemplateId: remote-start\nfaults:\n  - fault: late-answer\n    seconds: soon\n"
    assert.deepStrictEqual(places(file), ["5:14 faults.0.seconds"])
  })

  it("is told where a name is that its template does not know", () => {
    const file = "name: A\ntemplateId: remote-start\nlimits:\n  nowhere: 3\nassertions: {no.rule: off}\n"
    assert.deepStrictEqual(places(file), ["4:12 limits.nowhere", "5:23 assertions.no.rule"])
  })

  it("is told of inputs that the template does not take, and of a template that there is none", () => {
    assert.deepStrictEqual(places("name: A\ntemplateId: remote-start\ninputs:\n  waitSeconds: -1\n"), [
      "4:16 inputs.waitSeconds"
    ])
    assert.deepStrictEqual(places("name: A\ntemplateId: nothing\n"), ["2:13 templateId"])
  })

  it("is told of a misspelt field, and of one that is missing where the rest begins", () => {
    const problems = places("nmae: A\ntemplateId: first-reads\n")
    assert.includeMembers(problems, ["1:7 nmae", "1:1 name"])
  })

  it("is told where it is no YAML and no JSON", () => {
    assert.match(problemsInWords(read('{"name": "A",\n "templateId": }}').problems), /^line 2, column \d+/)
    assert.isFalse(read("").valid)
    assert.isFalse(read("- a\n- b\n").valid)
  })

  it("does not grow without bounds from nested aliases", () => {
    const levels = Array.from({ length: 12 }, (_, at) =>
      at === 0
        ? "a0: &a0 [x, x, x, x]"
        : `a${at}: &a${at} [${Array(8)
            .fill(`*a${at - 1}`)
            .join(", ")}]`
    )
    assert.match(problemsInWords(read(levels.join("\n")).problems), /alias/i)
  })
})
