/**
 * A real server of the S3 protocol: versitygw (Apache-2.0), which keeps its objects as files. It is built from its Go module at the
 * first call, which takes some minutes, and kept in a folder of the system's temporary ones. Needs `go`.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { existsSync, mkdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { AwsClient } from "aws4fetch"
import { freePort, sleep, until } from "./Service.ts"

const module = "github.com/versity/versitygw/cmd/versitygw"
const version = "v1.8.0"

/** Who may use the server. */
export const s3Keys = { accessKeyId: "AKIDPLUGFEST", secretAccessKey: "secret-of-the-test-server" }
export const s3Bucket = "plugfest-runs"

/** The program; throws with what is missing, so that a test never passes without a server. */
export function s3Program(): string {
  const folder = join(tmpdir(), "plugfest-test-programs", `versitygw-${version}`)
  const program = join(folder, "versitygw")
  if (existsSync(program)) return program
  mkdirSync(folder, { recursive: true })
  const built = spawnSync("go", ["install", `${module}@${version}`], {
    env: { ...process.env, GOBIN: folder, GOFLAGS: "-mod=mod" },
    encoding: "utf8"
  })
  if (built.status !== 0 || !existsSync(program))
    throw new Error(
      `No S3 server could be built for this test: it needs Go 1.24 or newer and ${module}@${version} from the Go module proxy. ${built.error?.message ?? built.stderr}`
    )
  return program
}

/** A running server with one bucket. */
export interface S3Server {
  readonly endpoint: string
  /** Where the objects of the bucket lie as files. */
  readonly folder: string
  readonly stop: () => Promise<void>
  readonly start: () => Promise<void>
}

/** Starts a server on a folder, which must be there, and makes the bucket. */
export async function startS3Server(folder: string): Promise<S3Server> {
  const program = s3Program()
  const port = await freePort()
  const endpoint = `http://127.0.0.1:${port}`
  const client = new AwsClient({ ...s3Keys, region: "us-east-1", service: "s3", retries: 0 })
  let child: ChildProcess | undefined
  const start = async () => {
    let said = ""
    child = spawn(program, ["--port", `127.0.0.1:${port}`, "--quiet", "posix", "--nometa", folder], {
      env: {
        PATH: process.env["PATH"],
        ROOT_ACCESS_KEY: s3Keys.accessKeyId,
        ROOT_SECRET_KEY: s3Keys.secretAccessKey
      },
      stdio: ["ignore", "pipe", "pipe"]
    })
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk) => {
        said += chunk
      })
    await until(
      "the S3 server",
      async () => {
        if (child?.exitCode !== null) throw new Error(`The S3 server ended at once: ${said}`)
        return client.fetch(`${endpoint}/`).then(
          ({ status }) => (status === 200 ? true : undefined),
          () => undefined
        )
      },
      20_000
    )
  }
  const stop = async () => {
    child?.kill("SIGKILL")
    await sleep(200)
  }
  await start()
  const made = await client.fetch(`${endpoint}/${s3Bucket}`, { method: "PUT" })
  if (made.status !== 200) throw new Error(`The bucket: ${made.status} ${await made.text()}`)
  return { endpoint, folder: join(folder, s3Bucket), start, stop }
}
