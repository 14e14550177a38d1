/** `plugfest sandbox` as a process of its own, in every version and role. */
import { assert, describe, it } from "vitest"
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
})
