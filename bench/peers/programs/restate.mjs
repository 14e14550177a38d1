/** Restate: a handler of steps that do nothing, each kept by its server, which runs as a process of its own. */
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as restate from "@restatedev/restate-sdk"
import * as clients from "@restatedev/restate-sdk-clients"
import { answering, rateOf } from "./answering.mjs"

// The SDK takes it from Node 22.
Promise.withResolvers ??= () => {
  const made = {}
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }))
  return made
}

const journeys = restate.service({
  name: "journeys",
  handlers: {
    play: async (context, steps) => {
      let sum = 0
      for (let step = 0; step < steps; step++) sum += await context.run(`step-${step}`, () => step)
      return sum
    }
  }
})

let server
let folder
let ingress

const untilOk = async (url, options) => {
  let last
  for (let tried = 0; tried < 150; tried++) {
    try {
      const response = await fetch(url, options)
      if (response.ok) return
      last = await response.text()
    } catch (error) {
      last = error.message
    }
    await new Promise((done) => setTimeout(done, 200))
  }
  throw new Error(`${url}: ${last}`)
}

process.on("exit", () => {
  server?.kill("SIGKILL")
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
})

answering({
  /** Ports of this service, and of the server's ingress, admin and nodes. */
  open: async ({ ports: [own, ingressPort, adminPort, nodePort] }) => {
    const platform = `@restatedev/restate-server-${process.platform}-${process.arch}`
    const binary = join(
      dirname(createRequire(import.meta.url).resolve(`${platform}/package.json`)),
      "bin",
      "restate-server"
    )
    folder = mkdtempSync(join(tmpdir(), "plugfest-restate-"))
    server = spawn(binary, ["--base-dir", folder, "--node-name", "peer"], {
      env: {
        PATH: process.env.PATH,
        RESTATE_BIND_ADDRESS: `127.0.0.1:${nodePort}`,
        RESTATE_ADVERTISED_ADDRESS: `http://127.0.0.1:${nodePort}`,
        RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingressPort}`,
        RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${adminPort}`,
        RESTATE_LOG_FILTER: "error",
        RESTATE_LISTEN_MODE: "tcp",
        DO_NOT_TRACK: "1"
      },
      stdio: "ignore"
    })
    await restate.serve({ services: [journeys], port: own, logger: () => {} })
    await untilOk(`http://127.0.0.1:${adminPort}/health`)
    await untilOk(`http://127.0.0.1:${adminPort}/deployments`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ uri: `http://127.0.0.1:${own}` })
    })
    ingress = clients.connect({ url: `http://127.0.0.1:${ingressPort}` }).serviceClient(journeys)
    await ingress.play(1)
  },
  workflows: ({ abreast, seconds, steps }) => rateOf(abreast, seconds, () => ingress.play(steps))
})
