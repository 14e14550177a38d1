/** Archived runs in a bucket of a real server of the S3 protocol, which checks signatures and sums of its own. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Redacted } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { archiveAddress } from "../../src/archive/archiveAddress.ts"
import { openArchive } from "../../src/archive/openArchive.ts"
import { archiveStoreContract, objectName } from "../contracts/archiveStore.ts"
import { playArchivedRuns } from "../support/service/archivedRuns.ts"
import { type S3Server, s3Bucket, s3Keys, s3Program, startS3Server } from "../support/service/s3Server.ts"

const storeAt = (
  { endpoint }: Pick<S3Server, "endpoint">,
  prefix: string,
  secretAccessKey = s3Keys.secretAccessKey
) =>
  openArchive({
    address: archiveAddress(`s3://${s3Bucket}${prefix}`),
    s3: {
      region: "us-east-1",
      endpoint,
      accessKeyId: Redacted.make(s3Keys.accessKeyId),
      secretAccessKey: Redacted.make(secretAccessKey),
      sessionToken: undefined
    }
  })

describe("a bucket", () => {
  let folder: string
  let server: S3Server
  let opened = 0
  beforeAll(async () => {
    s3Program()
    folder = mkdtempSync(join(tmpdir(), "plugfest-s3-"))
    server = await startS3Server(folder)
  }, 600_000)
  afterAll(async () => {
    await server?.stop()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })

  archiveStoreContract(
    "s3Archive at a real server",
    // Each at a prefix of its own.
    Effect.sync(() => storeAt(server, `/tests/${++opened}`))
  )

  it("refuses another secret, and a body that is not the signed one, in its own words", async () => {
    const wrong = storeAt(server, "", "another-secret")
    const error = await Effect.runPromise(Effect.flip(wrong.get(objectName("a"), 10)))
    assert.match(error.message, /HTTP 403, SignatureDoesNotMatch/)
    const missing = openArchive({
      address: archiveAddress("s3://no-such-bucket"),
      s3: {
        region: "us-east-1",
        endpoint: server.endpoint,
        accessKeyId: Redacted.make(s3Keys.accessKeyId),
        secretAccessKey: Redacted.make(s3Keys.secretAccessKey),
        sessionToken: undefined
      }
    })
    const none = await Effect.runPromise(Effect.flip(missing.get(objectName("a"), 10)))
    assert.match(none.message, /HTTP 404, NoSuchBucket/)
  })
})

playArchivedRuns("runs that are archived in a bucket", async (folder) => {
  mkdirSync(folder)
  const server = await startS3Server(folder)
  return {
    env: {
      ARCHIVE_URL: `s3://${s3Bucket}/pre/fix`,
      AWS_ENDPOINT_URL_S3: server.endpoint,
      AWS_ACCESS_KEY_ID: s3Keys.accessKeyId,
      AWS_SECRET_ACCESS_KEY: s3Keys.secretAccessKey
    },
    folder: server.folder,
    stop: server.stop,
    start: server.start,
    end: server.stop
  }
})
