/** A sandbox partner in a process of its own, behind a proxy that counts what reaches it. */

import { startCountingProxy } from "./CountingProxy.ts"
import { type Play, partnerSpeed } from "./killPlays.ts"
import { freePort, startProcess } from "./Service.ts"

/** `invitation`: what a connection is made with. */
export async function startPartner(role: Play["theirRole"]) {
  const proxy = await startCountingProxy(await freePort())
  const port = await freePort()
  proxy.target = `http://127.0.0.1:${port}`
  const options = {
    role,
    port,
    "public-url": proxy.url,
    seed: 3,
    speed: partnerSpeed,
    "ocpi-version": "2.2.1"
  }
  const sandbox = await startProcess(
    ["sandbox", ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])],
    { EGRESS_ALLOW_CIDRS: "127.0.0.0/8" },
    /tokenA/
  )
  const printed = sandbox
    .output()
    .split("\n")
    .find((line) => line.startsWith("{"))
  const { tokenA, versionsUrl } = JSON.parse(printed ?? "{}")
  const close = async () => {
    sandbox.child.kill("SIGTERM")
    await proxy.close()
  }
  return { proxy, invitation: { partnerBaseUrl: versionsUrl, tokenA }, close }
}
