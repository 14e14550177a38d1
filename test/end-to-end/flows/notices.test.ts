/** The licence texts that go with the build. */
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { assert, it } from "vitest"
import { bundle } from "../../support/service/Service.ts"

it("dist/THIRD_PARTY_NOTICES.txt has the text of every package in the bundle, with its version", () => {
  const notices = readFileSync(join(dirname(bundle), "THIRD_PARTY_NOTICES.txt"), "utf8")
  const sources = readdirSync(dirname(bundle))
    .filter((file) => /^(service|client)\.cjs\.map$/.test(file))
    .flatMap(
      (file): ReadonlyArray<string> => JSON.parse(readFileSync(join(dirname(bundle), file), "utf8")).sources
    )
  const packages = new Set(
    sources.flatMap((source) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(source)?.[0] ?? [])
  )
  assert.isAbove(packages.size, 25)
  for (const path of packages) {
    const { license, name, version } = JSON.parse(
      readFileSync(join(dirname(bundle), path, "package.json"), "utf8")
    )
    const [, text] = notices.split(`\n${name} ${version}, ${license}\n${"=".repeat(80)}\n`)
    assert.match(String(text?.split("=".repeat(80))[0]), /copyright|permission/i, path)
  }
})
