/** `plugfest sandbox` as a process of its own, in every version and role. */
import { assert, describe, it } from "vitest"
import { plugfest } from "../../support/service/command.ts"
import { startProcess, until } from "../../support/service/Service.ts"

const cases = ["2.1.1", "2.2", "2.2.1", "2.3.0"].flatMap((version) =>
  ["CPO", "EMSP"].map((role) => ({ version, role }))
)

describe("plugfest sandbox", () => {
  it.each(cases)(
    "serves a $role in $version and nothing else",
    async ({ role, version }) => {
      const args = ["sandbox", "--role", role, "--ocpi-version", version]
      const { child, gone, output } = await startProcess(args, {}, /"tokenA":"[^"]+"/)
      try {
        const { tokenA, versionsUrl } = JSON.parse(/\{.*\}/.exec(output())![0])
        const token = version === "2.1.1" ? tokenA : Buffer.from(tokenA).toString("base64")
        const get = async (url: string) => {
          const response = await fetch(url, { headers: { authorization: `Token ${token}` } })
          return (await response.json()) as any // any: JSON of a partner
        }
        const listed = (await get(versionsUrl)).data
        assert.deepStrictEqual(
          listed.map((entry: any) => entry.version),
          [version]
        )
        const { endpoints } = (await get(listed[0].url)).data
        const sender = role === "CPO" ? "cdrs" : "tokens"
        assert.isTrue(endpoints.some(({ identifier }: any) => identifier === sender))
        assert.strictEqual((await fetch(versionsUrl)).status, 401)
      } finally {
        child.kill("SIGTERM")
      }
      assert.strictEqual(
        await until("its end", () => gone.then((code) => ({ code }))).then(({ code }) => code),
        0
      )
    },
    60_000
  )

  it("lists the faults where one is named that does not exist", async () => {
    const { code, stderr } = await plugfest(["sandbox", "--fault", "locations.no-connector"])
    assert.strictEqual(code, 2)
    assert.match(
      stderr,
      /^There is no fault locations\.no-connector\. Did you mean locations\.no-connectors\?\nThere are:\n/
    )
    assert.include(stderr, "\n  tariffs.text-twice\n")
    const other = await plugfest(["sandbox", "--role", "EMSP", "--fault", "locations.no-connectors"])
    assert.match(other.stderr, /^The fault locations\.no-connectors is for CPO/)
  }, 30_000)
})
