/** An archive in a bucket of S3, or of a server that speaks its protocol. */
import { createHash } from "node:crypto"
import { AwsClient } from "aws4fetch"
import { Effect, Option, Redacted } from "effect"
import { ArchiveAway, type ArchiveStore, named } from "./ArchiveStore.ts"
import { type ArchiveAddress, addressText } from "./archiveAddress.ts"

/** The credentials for the bucket, and its region and server. */
export interface S3Access {
  readonly region: string
  /** Root of a server that is not AWS, e.g. `https://s3.example.com`; its buckets are asked for by path. */
  readonly endpoint: string | undefined
  readonly accessKeyId: Redacted.Redacted<string>
  readonly secretAccessKey: Redacted.Redacted<string>
  readonly sessionToken: Redacted.Redacted<string> | undefined
}

/** Longest time of a request. An object of the largest runs has some megabytes. */
const timeoutMillis = 60_000
/** How often a request is repeated that is answered 5xx or 429, after 50, 100 and 200 ms at most. */
const retries = 3

/** The adapter. It needs the rights GetObject, PutObject and DeleteObject, and lists nothing. */
export const s3Archive = (
  address: Extract<ArchiveAddress, { readonly kind: "s3" }>,
  access: S3Access
): ArchiveStore["Type"] => {
  const place = addressText(address)
  const root = rootOf(address, access)
  const client = new AwsClient({
    accessKeyId: Redacted.value(access.accessKeyId),
    secretAccessKey: Redacted.value(access.secretAccessKey),
    ...(access.sessionToken === undefined ? {} : { sessionToken: Redacted.value(access.sessionToken) }),
    region: access.region,
    service: "s3",
    retries
  })
  const away = (why: string, cause?: unknown) =>
    new ArchiveAway({ message: `The archive ${place} cannot be used now (${why})`, cause })

  const ask = <A>(
    name: string,
    method: "GET" | "PUT" | "DELETE",
    answer: (response: Response) => Promise<A>,
    object?: Buffer
  ) =>
    Effect.zipRight(
      named(name),
      Effect.tryPromise({
        try: async (signal) => {
          const response = await client.fetch(`${root}/${name}`, {
            method,
            // The archive is where the setting says: nobody else is asked.
            redirect: "manual",
            signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMillis)]),
            headers: { "x-amz-content-sha256": sha256(object ?? "") },
            ...(object === undefined ? {} : { body: new Uint8Array(object) })
          })
          return await answer(response)
        },
        catch: (cause) => (cause instanceof ArchiveAway ? cause : away(reasonOf(cause), cause))
      })
    )
  const refused = async (response: Response) => {
    const code = codeIn(await response.text().catch(() => ""))
    return away(code === undefined ? `HTTP ${response.status}` : `HTTP ${response.status}, ${code}`)
  }

  return {
    place,
    put: (name, object) =>
      ask(
        name,
        "PUT",
        async (response) => {
          if (!response.ok) throw await refused(response)
          await response.body?.cancel()
        },
        object
      ),
    get: (name, mostBytes) =>
      ask(name, "GET", async (response) => {
        if (response.ok) return Option.some(await bytesOf(response, mostBytes))
        const error = await refused(response)
        // A bucket that is not there has the same status.
        if (response.status === 404 && error.message.includes("NoSuchKey")) return Option.none<Buffer>()
        throw error
      }),
    remove: (name) =>
      ask(name, "DELETE", async (response) => {
        if (!response.ok) {
          const error = await refused(response)
          if (response.status !== 404 || !error.message.includes("NoSuchKey")) throw error
        }
        await response.body?.cancel().catch(() => {})
      })
  }
}

/** The URL before the names, without a slash at its end. */
function rootOf(
  { bucket, prefix }: { readonly bucket: string; readonly prefix: string },
  { endpoint, region }: S3Access
): string {
  const isOfHostName = endpoint === undefined && !bucket.includes(".")
  const base = isOfHostName
    ? `https://${bucket}.s3.${region}.amazonaws.com`
    : `${withoutSlash(endpoint ?? `https://s3.${region}.amazonaws.com`)}/${bucket}`
  return prefix === "" ? base : `${base}/${prefix}`
}

const withoutSlash = (url: string): string => (url.endsWith("/") ? withoutSlash(url.slice(0, -1)) : url)

/** The body, and no more than a byte beyond the bound. */
async function bytesOf(response: Response, mostBytes: number): Promise<Buffer> {
  const chunks: Array<Uint8Array> = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > mostBytes) break
  }
  return Buffer.concat(chunks).subarray(0, mostBytes + 1)
}

const sha256 = (data: Buffer | string): string => createHash("sha256").update(data).digest("hex")

/** The code of an S3 error, such as `AccessDenied`. */
const codeIn = (xml: string): string | undefined => /<Code>([A-Za-z]{1,60})<\/Code>/.exec(xml)?.[1]

/** Why a request had no answer: the code of the socket's error, which `fetch` has as its cause. */
function reasonOf(error: unknown): string {
  const { cause, message, name } = error as Error & { readonly cause?: NodeJS.ErrnoException }
  if (name === "TimeoutError") return `no answer within ${timeoutMillis / 1000} s`
  return cause?.code ?? cause?.message ?? message
}
