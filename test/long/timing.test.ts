/**
 * How long a 401 takes: the same, whatever is wrong with the key. Samples of all kinds are taken by turns, so that what
 * slows the machine down slows all of them down, and a set of samples that shows a difference is taken again: noise goes
 * away, a difference in the code does not.
 */
import { createHash, randomBytes } from "node:crypto"
import { Agent, request } from "node:http"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { apiKeyOf } from "../../src/store/secrets/apiKey.ts"
import { migratedDatabase, rows } from "../support/service/database.ts"
import { type Service, startService } from "../support/service/Service.ts"
import { succeeded } from "../support/service/shapes.ts"
import { median, type Samples, together } from "../support/timeSamples.ts"
import { tried } from "../support/tried.ts"

/** Samples of each kind in a set, and how many sets may be taken. */
const samples = 2000
/** What differs by a look at the database is seen with fewer. */
const controlSamples = 400
const sets = 5
const keys = "/api/v1/settings/api-keys"
/** A wrong key for the n-th question. */
type Wrong = (at: number) => string

describe("how long a wrong key is looked at", () => {
  let database: string
  let service: Service
  let good: { readonly _id: string; readonly key: string }
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })

  beforeAll(async () => {
    database = await migratedDatabase(inject("pgUrl"))
    service = await startService({ DATABASE_URL: database })
    good = succeeded(await service.call("POST", keys, { name: "good", scopes: ["read"] }), 201)
  }, 60_000)
  afterAll(async () => {
    agent.destroy()
    await service?.kill("SIGTERM")
  })

  /** Milliseconds until the 401 is there, all of it. */
  const asking = (key: string) =>
    new Promise<number>((resolve, reject) => {
      const began = performance.now()
      request(
        `${service.url}/api/v1/settings/account`,
        { agent, headers: { authorization: `Bearer ${key}` } },
        (answer) => {
          answer.resume().once("end", () => {
            if (answer.statusCode === 401) resolve(performance.now() - began)
            else reject(new Error(`HTTP ${answer.statusCode}`))
          })
        }
      )
        .once("error", reject)
        .end()
    })

  const sampled = async (kinds: Readonly<Record<string, Wrong>>, first: number, count: number) => {
    const names = Object.keys(kinds)
    const taken = new Map<string, Array<number>>(names.map((name) => [name, []]))
    for (let at = first; at < first + count; at++)
      for (const turn of names.keys()) {
        const name = names[(at + turn) % names.length]!
        taken.get(name)!.push(await asking(kinds[name]!(at)))
      }
    return taken
  }

  /** Sets of samples until one shows what is claimed; says what the last one showed. */
  const measured = async (
    what: string,
    kinds: Readonly<Record<string, Wrong>>,
    holds: (seen: Samples) => boolean,
    count = samples
  ) => {
    for (let set = 0; ; set++) {
      const seen = await sampled(kinds, set * count, count)
      const said = [...seen]
        .map(([name, values]) => `${name} ${(median(values) * 1000).toFixed(0)}`)
        .join(", ")
      if (holds(seen)) {
        tried(
          "B6",
          count === samples ? [`${count} each`] : [],
          `${what}, medians in µs: ${said} (set ${set + 1})`
        )
        return
      }
      if (set === sets - 1) assert.fail(`${what}: ${sets} sets of samples differ; the last in µs: ${said}`)
    }
  }

  it("does not depend on what is wrong with a key that was just looked up", async () => {
    const [revoked, expired] = await stored(database, good._id, 2)
    await rows(database, "UPDATE api_key SET revoked_at = NULL, expires_at = now() WHERE hash = $1", [
      hashOf(expired!)
    ])
    await measured(
      "keys looked up before",
      {
        unknown: always(newKey()),
        "beginning of a good key": always(like(good.key)),
        revoked: always(revoked!),
        expired: always(expired!)
      },
      together
    )
  }, 300_000)

  it("does not depend on it for a key that is seen for the first time, either", async () => {
    const revoked = await stored(database, good._id, samples * sets)
    await measured(
      "keys seen for the first time",
      { unknown: newKey, "beginning of a good key": () => like(good.key), revoked: (at) => revoked[at]! },
      together
    )
  }, 300_000)

  it("would be seen to differ: a wrong checksum, which is no secret, is refused without a look", async () => {
    await measured(
      "with and without a look at the database",
      { "wrong checksum": () => `${newKey().slice(0, -6)}000000`, unknown: newKey },
      (seen) => !together(seen),
      controlSamples
    )
  }, 300_000)
})

const always =
  (key: string): Wrong =>
  () =>
    key

const random = (length: number) => randomBytes(length).toString("hex").slice(0, length)
const newKey = () => apiKeyOf(random(33))
/** As far as possible like that key, with a checksum that fits. */
const like = (key: string) => apiKeyOf(key.slice("pf_live_".length, -6 - 8) + random(8))
const hashOf = (key: string) => createHash("sha256").update(key).digest()

/** That many revoked keys more, made like the one of that id. */
async function stored(database: string, id: string, count: number): Promise<ReadonlyArray<string>> {
  const made = Array.from({ length: count }, newKey)
  await rows(
    database,
    `INSERT INTO api_key (id, owner_id, name, prefix, last4, hash, scopes, created_at, revoked_at)
     SELECT k.id || '_' || encode(made.hash, 'hex'), owner_id, name, prefix, last4, made.hash, scopes, created_at, now()
     FROM api_key k, unnest($2::bytea[]) made(hash) WHERE k.id = $1`,
    [id, made.map(hashOf)]
  )
  return made
}
