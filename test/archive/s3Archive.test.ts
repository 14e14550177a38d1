/** The adapter for buckets against a server that answers as it is told; test/long/archive.test.ts has a real one. */
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { archiveAddress } from "../../src/archive/archiveAddress.ts"
import { openArchive } from "../../src/archive/openArchive.ts"
import { objectName } from "../contracts/archiveStore.ts"

interface Answer {
  readonly status: number
  readonly body?: string
  readonly headers?: Record<string, string>
}

interface Asked {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

/** A store at a server that gives these answers in turn, the last one again and again; and what it was asked. */
const at = (answers: ReadonlyArray<Answer>) =>
  Effect.gen(function* () {
    const asked: Array<Asked> = []
    const server = createServer(async (request, response) => {
      const { headers, method, url } = request
      asked.push({ method, url, headers, body: String(await buffer(request)) })
      const answer = answers[Math.min(asked.length, answers.length) - 1]!
      response.writeHead(answer.status, answer.headers).end(answer.body)
    })
    yield* Effect.acquireRelease(
      Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () => Effect.sync(() => void server.close())
    )
    const { port } = server.address() as AddressInfo
    const store = openArchive({
      address: archiveAddress("s3://some-bucket/pre/fix/"),
      s3: {
        region: "eu-central-1",
        endpoint: `http://127.0.0.1:${port}/`,
        accessKeyId: Redacted.make("AKIDEXAMPLE"),
        secretAccessKey: Redacted.make("wJalrXUtnFEMI-secret"),
        sessionToken: Redacted.make("session-token")
      }
    })
    return { asked, store }
  })

const error = (code: string) =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`

describe("s3Archive", () => {
  it.scopedLive("asks the endpoint by path, signed with region, sum of the body and session token", () =>
    Effect.gen(function* () {
      const { asked, store } = yield* at([{ status: 200 }])
      yield* store.put(objectName("a"), Buffer.from("object"))
      const [{ body, headers, method, url }] = asked as [Asked]
      assert.deepStrictEqual(
        [method, url, body],
        ["PUT", `/some-bucket/pre/fix/${objectName("a")}`, "object"]
      )
      assert.match(
        headers.authorization ?? "",
        /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-central-1\/s3\/aws4_request, SignedHeaders=host;.*x-amz-content-sha256;x-amz-date;x-amz-security-token, Signature=[0-9a-f]{64}$/
      )
      assert.strictEqual(headers["x-amz-security-token"], "session-token")
      assert.strictEqual(
        headers["x-amz-content-sha256"],
        "2958d416d08aa5a472d7b509036cb7eafd542add84527e66a145ea64cb4cdc75"
      )
    })
  )

  it.scopedLive("tells a missing object from a missing bucket and from a refusal", () =>
    Effect.gen(function* () {
      const missing = yield* at([{ status: 404, body: error("NoSuchKey") }])
      assert.isTrue(Option.isNone(yield* missing.store.get(objectName("a"), 10)))
      yield* missing.store.remove(objectName("a"))
      for (const [status, code] of [
        [404, "NoSuchBucket"],
        [403, "AccessDenied"],
        [403, "SignatureDoesNotMatch"],
        [400, "AuthorizationHeaderMalformed"]
      ] as const) {
        const { store } = yield* at([{ status, body: error(code) }])
        for (const tried of [
          store.get(objectName("a"), 10),
          store.put(objectName("a"), Buffer.from("x")),
          store.remove(objectName("a"))
        ]) {
          const { _tag, message } = yield* Effect.flip(tried)
          assert.strictEqual(_tag, "ArchiveAway")
          assert.strictEqual(
            message,
            `The archive s3://some-bucket/pre/fix cannot be used now (HTTP ${status}, ${code})`
          )
        }
      }
    })
  )

  it.scopedLive("asks again after a 503, and follows nobody elsewhere", () =>
    Effect.gen(function* () {
      const busy = yield* at([
        { status: 503, body: error("SlowDown") },
        { status: 200, body: "object" }
      ])
      assert.strictEqual(String(Option.getOrThrow(yield* busy.store.get(objectName("a"), 10))), "object")
      assert.lengthOf(busy.asked, 2)
      const elsewhere = yield* at([{ status: 307, headers: { location: "http://169.254.169.254/" } }])
      const { message } = yield* Effect.flip(elsewhere.store.get(objectName("a"), 10))
      assert.match(message, /HTTP 307/)
      assert.lengthOf(elsewhere.asked, 1)
    })
  )

  it.scopedLive("says that nobody answers, and nothing of the credentials", () =>
    Effect.gen(function* () {
      const store = openArchive({
        address: archiveAddress("s3://some-bucket"),
        s3: {
          region: "eu-central-1",
          endpoint: "http://127.0.0.1:1",
          accessKeyId: Redacted.make("AKIDEXAMPLE"),
          secretAccessKey: Redacted.make("wJalrXUtnFEMI-secret"),
          sessionToken: undefined
        }
      })
      const away = yield* Effect.flip(store.get(objectName("a"), 10))
      assert.match(away.message, /^The archive s3:\/\/some-bucket cannot be used now \(.+\)$/)
      assert.notMatch(`${JSON.stringify(away)}${String(away.cause)}`, /AKIDEXAMPLE|wJalr/)
      const none = openArchive({ address: archiveAddress("s3://some-bucket"), s3: undefined })
      assert.match((yield* Effect.flip(none.get(objectName("a"), 10))).message, /needs AWS_ACCESS_KEY_ID/)
    })
  )
})

describe("the address of an archive", () => {
  it("is an absolute path, a file URL, or a bucket", () => {
    assert.deepStrictEqual(archiveAddress("/var/lib/archive/"), {
      kind: "folder",
      folder: "/var/lib/archive"
    })
    assert.deepStrictEqual(archiveAddress("file:///a%20b"), { kind: "folder", folder: "/a b" })
    assert.deepStrictEqual(archiveAddress("s3://b-1.x"), { kind: "s3", bucket: "b-1.x", prefix: "" })
    assert.deepStrictEqual(archiveAddress("s3://bucket/a/b/"), {
      kind: "s3",
      bucket: "bucket",
      prefix: "a/b"
    })
  })

  it("is nothing that leads elsewhere", () => {
    for (const text of [
      "archive",
      "./archive",
      "",
      "file://host/share",
      "file:///a%2Fb",
      "https://bucket.example",
      "s3://",
      "s3://Bucket",
      "s3://bucket/../other",
      "s3://bucket//a",
      "s3://bucket/a?b",
      "s3://bucket/a b",
      "s3://user:password@bucket"
    ])
      assert.isUndefined(archiveAddress(text), text)
  })
})
