import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import type { ScenarioDraft } from "../../../schema/Scenario.ts"
import { misfitsOf } from "../../../src/journeys/catalogue/playable.ts"
import {
  problemsInWords,
  readScenarioFile,
  writeScenarioFile
} from "../../../src/services/runs/scenarioFile.ts"

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

  it("is valid where docs/journeys.md shows one", () => {
    const page = fileURLToPath(new URL("../../../docs/journeys.md", import.meta.url))
    const [, file = ""] = /```yaml\n([\s\S]*?)```/.exec(readFileSync(page, "utf8")) ?? []
    assert.deepStrictEqual(read(file).problems, [])
    assert.strictEqual(read(file).scenario?.templateId, "remote-start")
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
    assert.deepStrictEqual(places("nmae: A\ntemplateId: first-reads\n"), ["1:7 nmae"])
    assert.deepStrictEqual(places("templateId: first-reads\n"), ["1:1 name"])
  })

  it("is told one problem for each typo, and what was probably meant", () => {
    const file = (lines: string) => `name: A\n${lines}\n`
    for (const [text, said] of [
      ["templateId: remote-strat", "no pack has the id remote-strat; did you mean remote-start?"],
      ["templateId: remote-start\nlimit: { cdr: 3 }", 'no field "limit"; did you mean limits?'],
      [
        "templateId: remote-start\nlimits: { stop-reslt: 3 }",
        'no stage "stop-reslt"; did you mean stop-result?'
      ],
      ["templateId: remote-start\ninputs: { waitSecond: 3 }", "waitSecond"],
      ["templateId: remote-start\nassertions: { cdr.shap: off }", "did you mean cdr.shape?"],
      ["templateId: remote-start\nassertions: { cdr.shape: mst }", 'expected one of "must"'],
      ["templateId: remote-start\nfaults: [{ fault: late-anser }]", 'expected one of "late-answer"'],
      [
        "templateId: remote-start\nfaults: [{ fault: late-answer, module: sesions }]",
        "did you mean sessions?"
      ],
      ["templateId: remote-start\nfaults: [{ falt: late-answer }]", 'no field "falt"; did you mean fault?'],
      ["templateId: remote-start\nfaults: [{ fault: duplicate-push, stageId: push-tokn }]", "push-tokn"]
    ] as const) {
      const { problems } = read(file(text))
      assert.lengthOf(problems, 1, `${text}: ${problemsInWords(problems)}`)
      assert.include(problems[0]!.message + problems[0]!.path, said)
    }
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
