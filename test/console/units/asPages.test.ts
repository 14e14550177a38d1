/** Messages of the service on a page. */
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"
import { asPages } from "../../../src/console/format/asPages.ts"

const root = join(dirname(fileURLToPath(import.meta.url)), "../../..")

/** The texts of a source file, with `conn_1` in every gap; those of comments are left out. */
const textsOf = (file: string): ReadonlyArray<string> =>
  (
    readFileSync(join(root, file), "utf8")
      .replace(/^\s*(\/\/|\/\*\*|\*).*$/gm, "")
      .match(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g) ?? []
  ).map((text) => text.slice(1, -1).replace(/\$\{[^}]*\}/g, "conn_1"))

/** A request or a field of the API in the middle of a sentence. */
const isAboutRequests = (text: string) =>
  text.includes(" ") &&
  /\b(GET|POST|PUT|DELETE) (\/(connections|testing|settings|sandbox|api|machines)\b|…\/)|"(checks|needs)": \[|run its handshake|POST the connection|\blistenSeconds\b|[^\\]?\\`/.test(
    text
  )

describe("messages of the service on a page", () => {
  const files = ["services", "journeys", "conformance"].flatMap((room) =>
    readdirSync(join(root, "src", room), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => `src/${room}/${name}`)
  )

  it("name pages and their fields, all that name a request or a field of the API", () => {
    const texts = files.flatMap((file) =>
      textsOf(file)
        .filter(isAboutRequests)
        .map((text) => [file, text] as const)
    )
    assert.isAtLeast(texts.length, 12)
    for (const [file, text] of texts)
      assert.isFalse(isAboutRequests(asPages(text)), `${file}: ${asPages(text)}`)
  })

  it("keep ids, and what names a request to the partner", () => {
    assert.strictEqual(
      asPages("The connection is pending, not registered; run POST /connections/conn_7/handshake first"),
      "The connection is pending, not registered; register it first, on its page under Connections"
    )
    const own = "GET versions was answered HTTP 401"
    assert.strictEqual(asPages(own), own)
  })
})
