/** Row 2: files of scenarios that are small to send and long to read. Whoever may only read asks; nobody else may wait. */
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { makeKey } from "../../support/service/command.ts"
import { migratedDatabase } from "../../support/service/database.ts"
import { api, attack, isRefusal, seconds, shown, Victim } from "../support/attack.ts"
import { bearable, type Lag, worst } from "../support/lag.ts"

const most = 102_000
/** As often as it fits into a file of that size. */
const fill = (line: (at: number) => string, size = most): string => {
  let text = ""
  for (let at = 0; text.length < size; at += 1) text += line(at)
  return text
}
const times = (count: number, text: string) => text.repeat(count)
const head = "name: a\ntemplateId: first-reads\n"

/** Each is valid JSON as a body, far below its limit, and asks for as much work as its shape can. */
const files: Readonly<Record<string, () => string>> = {
  "many keys": () => fill((at) => `k${at.toString(36)}: 1\n`),
  "many keys of one letter more": () => fill((at) => `${"a".repeat((at % 400) + 1)}${at}: \n`),
  "many keys in a flow": () => `{${fill((at) => `k${at.toString(36)}: 1,`)}}`,
  "many keys as JSON": () =>
    JSON.stringify(Object.fromEntries(Array.from({ length: 9000 }, (_, at) => [`k${at}`, 1]))),
  "many keys in inputs": () => `${head}inputs:\n${fill((at) => `  k${at.toString(36)}: 1\n`)}`,
  "many keys in assertions": () => `${head}assertions:\n${fill((at) => `  k${at.toString(36)}: must\n`)}`,
  "one key again and again": () => fill(() => "a: 1\n"),
  "keys that are lists": () => fill((at) => `? [${at}]\n: 1\n`),
  "keys that are maps": () => fill((at) => `? {a: ${at}}\n: 1\n`),
  "keys that are null": () => fill(() => "? \n: 1\n"),
  "keys that are quoted": () => fill((at) => `"\\x6b${at}": 1\n`),
  "many sets": () => `!!set\n${fill((at) => `? k${at}\n`)}`,
  "an ordered map": () => `!!omap\n${fill((at) => `- k${at}: 1\n`)}`,
  "many flaws": () => `${head}faults:\n${fill(() => "  - fault: none\n")}`,
  "many flaws of syntax": () => fill(() => "a: b: c\n"),
  "many tabs": () => fill(() => "\t\t\ta\n"),
  "many unknown tags": () => fill((at) => `- !t${at} a\n`),
  "many anchors": () => fill((at) => `- &a${at} x\n`),
  "many aliases": () => `- &a x\n${fill(() => "- *a\n")}`,
  "many merges": () =>
    `a: &a {${Array.from({ length: 200 }, (_, at) => `k${at}: 1`).join(", ")}}\nb:\n${fill(() => "  - <<: *a\n")}`,
  "a billion laughs": () =>
    `${["a: &a [x,x,x,x,x,x,x,x,x]", ..."bcdefghij".split("").map((one, at) => `${one}: &${one} [${times(9, `*${"abcdefghi"[at]},`)}]`)].join("\n")}\n`,
  "deep lists": () => times(50_000, "["),
  "deep lists that are closed": () => times(3000, "[") + times(3000, "]"),
  "deep maps": () => times(3000, "{a: ") + times(3000, "}"),
  "deep blocks": () => Array.from({ length: 400 }, (_, at) => `${" ".repeat(at)}a:\n`).join(""),
  dashes: () => times(50_000, "- "),
  "question marks": () => times(50_000, "? "),
  colons: () => times(most, ":"),
  quotes: () => times(most / 2, "' "),
  "an open quote": () => `a: "${times(most, "x")}`,
  "an open quote of lines": () => `a: "${times(most / 2, "x\n")}`,
  escapes: () => `a: "${times(most / 6, "\\u0041")}"`,
  "a plain text of spaces": () => `a: b${times(most, " ")}c`,
  "a plain text of lines": () => `a: b\n${times(most / 3, " c\n")}`,
  "a block of spaces": () => `a: |\n${times(most / 20, `${" ".repeat(19)}\n`)}`,
  "a folded block": () => `a: >\n${times(most / 4, "  x\n")}`,
  "many documents": () => times(most / 6, "a: 1\n---\n"),
  "many directives": () => times(most / 11, "%YAML 1.2\n"),
  "many comments": () => times(most / 3, "#a\n"),
  "many empty lines": () => times(most, "\n"),
  "carriage returns": () => times(most, "\r"),
  "a long number": () => `a: ${times(most, "9")}`,
  "a long number with a bad end": () => `a: ${times(most / 2, "1_")}x`,
  "a long time": () => `a: 2001-12-14t21:59:43.${times(most, "1")}x`,
  exponents: () => fill(() => "- 1e999999999\n")
}

describe("a file of a scenario", () => {
  let victim: Victim
  let reader: Record<string, string>
  let other: string
  const lags: Array<Lag> = []
  let slowest = 0
  let requests = 0

  beforeAll(async () => {
    const database = { DATABASE_URL: await migratedDatabase(inject("pgUrl")) }
    victim = new Victim({ ...database })
    const service = await victim.alive()
    other = await makeKey(database, "another")
    const made = await api(service, "/settings/api-keys", {
      method: "POST",
      body: { name: "reader", scopes: ["read"] }
    })
    reader = { authorization: `Bearer ${made.json.data.key}` }
  }, 60_000)
  afterAll(async () => {
    attack("2", `${requests} files`, `slowest answer ${seconds(slowest)}`, worst(lags))
    await victim?.end()
  })

  /** Files that an old reader chokes on one by one; those that do it no harm go together. */
  for (const [shape, make] of Object.entries(files)) {
    it(`of ${shape} stops nobody`, async () => {
      const service = await victim.alive()
      const body = JSON.stringify({ file: make() })
      assert.isBelow(body.length, 256 * 1024)
      const heard = await bearable(shape, service, other, lags, () =>
        api(service, "/testing/scenarios/validate", { method: "POST", headers: reader, body, within: 12_000 })
      )
      requests += 1
      slowest = Math.max(slowest, heard.millis)
      assert.notStrictEqual(heard.status, 0, `no answer in ${seconds(heard.millis)}`)
      assert.isBelow(heard.status, 500, shown(heard.text))
      if (heard.status >= 400) isRefusal(shape, heard)
      else assert.isBelow(heard.text.length, 200_000, "the answer is no flood either")
    }, 60_000)
  }

  it("is imported no slower than it is validated, and ten at once stop nobody", async () => {
    const service = await victim.alive()
    const bodies = ["many keys", "many flaws", "many merges"].map((shape) =>
      JSON.stringify({ file: files[shape]!() })
    )
    const heard = await bearable("ten at once", service, other, lags, () =>
      Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          api(service, `/testing/scenarios/${at % 2 === 0 ? "import" : "validate"}`, {
            method: "POST",
            body: bodies[at % bodies.length]!,
            within: 12_000
          })
        )
      )
    )
    requests += heard.length
    for (const { status, text } of heard)
      assert.isTrue(status > 0 && status < 500, `${status} ${shown(text)}`)
  }, 60_000)
})
