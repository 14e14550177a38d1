/** What the configurations of docs/proxy try again when a process dies with a request: what does nothing more when it comes twice. */
import { type ChildProcess, spawn } from "node:child_process"
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer, request, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { program } from "../support/programs.ts"
import { freePort, until } from "../support/service/Service.ts"

const folder = fileURLToPath(new URL("../../docs/proxy", import.meta.url))

interface Sent {
  readonly method: string
  readonly path: string
  readonly key?: string
}
const runs = "/api/v1/testing/journey-runs"
const ocpi = "/ocpi/2.2.1"

const again: ReadonlyArray<Sent> = [
  { method: "GET", path: runs },
  { method: "POST", path: runs, key: "k" },
  { method: "PUT", path: "/api/v1/testing/scenarios/scn_1" },
  { method: "GET", path: `${ocpi}/sessions/DE/CPO/S1` },
  { method: "PUT", path: `${ocpi}/sessions/DE/CPO/S1` },
  { method: "PATCH", path: `/api/v1${ocpi}/sessions/DE/CPO/S1` },
  { method: "PUT", path: `/sandbox/sbx_1${ocpi}/tokens/NL/MSP/T1` },
  { method: "POST", path: `${ocpi}/cdrs` },
  { method: "POST", path: `${ocpi}/commands/START_SESSION/cmd_1` },
  { method: "POST", path: `${ocpi}/chargingprofiles/ACTIVE_CHARGING_PROFILE/cmd_1` },
  { method: "POST", path: `${ocpi}/tokens/T1/authorize` }
]
const once: ReadonlyArray<Sent> = [
  { method: "POST", path: runs },
  { method: "DELETE", path: "/api/v1/testing/scenarios/scn_1" },
  { method: "POST", path: "/api/v1/session" },
  { method: "POST", path: `${ocpi}/commands/START_SESSION` },
  // The key is of the API of clients; at the OCPI side nobody knows it.
  { method: "POST", path: `${ocpi}/commands/START_SESSION`, key: "k" },
  { method: "POST", path: `${ocpi}/credentials` },
  { method: "PUT", path: `${ocpi}/credentials` },
  { method: "DELETE", path: `${ocpi}/credentials` },
  { method: "PUT", path: `/sandbox/sbx_1${ocpi}/chargingprofiles/S1` },
  { method: "DELETE", path: `${ocpi}/tariffs/DE/CPO/T1` }
]

interface Proxy {
  readonly name: string
  /** Path of the program; undefined: it cannot be installed here. */
  readonly program: string | undefined
  /** The largest body that is tried again. */
  readonly bytes: number
  readonly start: (path: string, port: number, processes: ReadonlyArray<number>) => Promise<ChildProcess>
}

const proxies: ReadonlyArray<Proxy> = [
  {
    name: "haproxy.cfg",
    program: program({ names: ["haproxy"], debianPackage: "haproxy" }),
    bytes: 60_000,
    start: async (path, port, processes) =>
      spawn(path, ["-db", "-f", join(folder, "haproxy.cfg")], {
        stdio: "ignore",
        env: {
          BIND: `127.0.0.1:${port}`,
          ...Object.fromEntries(processes.map((one, at) => [`PLUGFEST_${at + 1}`, `127.0.0.1:${one}`]))
        }
      })
  },
  {
    name: "nginx.conf",
    program: program({ names: ["nginx"], debianPackage: "nginx" }),
    bytes: 1_000_000,
    start: async (path, port, processes) => {
      const room = mkdtempSync(join(tmpdir(), "plugfest-nginx-"))
      // Its workers are another account where root starts it.
      chmodSync(room, 0o755)
      const servers = processes.map((one) => `server 127.0.0.1:${one} max_fails=0;`).join(" ")
      const conf = readFileSync(join(folder, "nginx.conf"), "utf8")
        .replace("server 127.0.0.1:8080;", servers)
        .replace("listen 443 ssl http2;", `listen 127.0.0.1:${port};`)
        .replace("listen 80;", `listen 127.0.0.1:${await freePort()};`)
        .replaceAll(/^ *ssl_.*$/gm, "")
      const temps = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
        (one) => `${one}_temp_path ${room}/${one};`
      )
      writeFileSync(
        join(room, "nginx.conf"),
        `daemon off; pid ${room}/pid; error_log stderr; events {} http { access_log off; ${temps.join(" ")}\n${conf}}`
      )
      const child = spawn(path, ["-p", room, "-c", join(room, "nginx.conf")], { stdio: "ignore" })
      child.once("exit", () => rmSync(room, { recursive: true, force: true }))
      return child
    }
  }
]

for (const proxy of proxies) {
  if (proxy.program === undefined)
    process.stdout.write(
      `skipped: docs/proxy/${proxy.name} is not played, its program is not here and cannot be installed\n`
    )
  describe.skipIf(proxy.program === undefined)(`docs/proxy/${proxy.name}`, () => {
    const names = new Map<string, Array<unknown>>()
    let servers: ReadonlyArray<Server> = []
    let child: ChildProcess
    let port = 0

    /** Each request with a number is cut off at its first try, wherever that is. */
    const process = () =>
      new Promise<Server>((resolve) => {
        const server = createServer((asked, answer) => {
          const number = String(asked.headers["x-number"] ?? "")
          asked.resume().once("end", () => {
            const before = names.get(number) ?? []
            if (number !== "") names.set(number, [...before, asked.headers["plugfest-delivery"]])
            if (number !== "" && before.length === 0) asked.socket.destroy()
            else answer.end("done")
          })
        }).listen(0, "127.0.0.1", () => resolve(server))
      })
    let count = 0
    const send = ({ key, method, path }: Sent, bytes: number) =>
      new Promise<{ readonly status: number; readonly seen: ReadonlyArray<unknown> }>((resolve) => {
        const number = String(++count)
        const body = method === "GET" ? "" : "a".repeat(bytes)
        const headers = {
          host: "plugfest.example",
          "x-number": number,
          "plugfest-delivery": "a name of the client's",
          ...(key === undefined ? {} : { "idempotency-key": key }),
          ...(body === "" ? {} : { "content-length": body.length })
        }
        request({ host: "127.0.0.1", port, method, path, headers }, (answer) =>
          answer
            .resume()
            .once("end", () => resolve({ status: answer.statusCode ?? 0, seen: names.get(number) ?? [] }))
        )
          // HAProxy closes a connection that has been used before, in place of 502.
          .once("error", () => resolve({ status: 502, seen: names.get(number) ?? [] }))
          .end(body)
      })

    beforeAll(async () => {
      servers = await Promise.all([process(), process(), process()])
      port = await freePort()
      const ports = servers.map((server) => (server.address() as AddressInfo).port)
      child = await proxy.start(proxy.program!, port, ports)
      const headers = { host: "plugfest.example" }
      await until(`${proxy.name} to serve`, () =>
        fetch(`http://127.0.0.1:${port}/health/live`, { headers }).then(
          ({ status }) => (status === 200 ? true : undefined),
          () => undefined
        )
      )
    }, 60_000)
    afterAll(() => {
      child?.kill()
      for (const server of servers) server.close()
    })

    it.each(again)("tries $method $path again, under one name", async (sent) => {
      const { seen, status } = await send(sent, proxy.bytes)
      assert.strictEqual(status, 200)
      assert.lengthOf(seen, 2)
      assert.strictEqual(seen[0], seen[1])
      assert.match(String(seen[0]), /^\d{10}\.?\d{3}-[\w-]{16,64}$/)
    })

    it.each(once)("does not try $method $path again", async (sent) => {
      const { seen, status } = await send(sent, 100)
      assert.deepStrictEqual([status, seen.length], [502, 1])
    })
  })
}
