/**
 * The world of a row: processes of the service on one database, and honest sandbox partners in a process of their own.
 */
import { randomUUID } from "node:crypto"
import { startCountingProxy } from "../../../test/support/service/CountingProxy.ts"
import { freshDatabase } from "../../../test/support/service/database.ts"
import {
  connect,
  freePort,
  type Service,
  sleep,
  startService
} from "../../../test/support/service/Service.ts"
import { startBalancer } from "./Balancer.ts"
import { type Follower, follow } from "./Follower.ts"
import { nothingSeen } from "./Seen.ts"

/** A lease that runs out soon, in seconds; a busy machine may lose it without a kill. */
export const shortLease = 2
/** The service's default lease, in seconds: for rows in which no lease should be lost. */
export const longLease = 15
const keys = `k1:${Buffer.alloc(32, 9).toString("base64")}`
const limits =
  "requests=1000000,commands=100000,connectionCommands=100000,runs=20000,streams=5000,connections=20000,partnerCalls=1000000,partnerKilobytes=100000000,accountCalls=1000000,accountKilobytes=100000000,unauthenticatedCalls=1000000"
/**
 * Simulated seconds per second, slow enough for a partner that pushes every five simulated minutes to keep up on a busy
 * machine.
 */
const unhurried = 100
/**
 * Seconds that runs wait for a message: long enough for a partner on a busy machine, short enough for messages that never
 * come.
 */
const waitSeconds = 30
/** Terminal statuses of a run. */
export const terminal = ["completed", "cancelled", "failed"]

/** A process, or a balancer before several. */
export type Caller = Pick<Service, "call" | "url">

/** The processes, partners and clients of a row, and what one can do with them. */
export type World = Awaited<ReturnType<typeof openWorld>>

/**
 * Opens a world. `cluster`: the server on which the partners' database is made. `database`: the service's; default: a
 * fresh one on that server.
 */
export async function openWorld(
  cluster: string,
  options: {
    readonly database?: string
    readonly env?: Record<string, string>
    readonly leaseSeconds?: number
  } = {}
) {
  const { leaseSeconds = longLease } = options
  const database = options.database ?? (await freshDatabase(cluster))
  const seen = nothingSeen()
  const proxy = await startCountingProxy(await freePort())
  const balancer = await startBalancer(await freePort())
  const common = { EGRESS_ALLOW_CIDRS: "127.0.0.0/8", RATE_LIMITS: limits, ENCRYPTION_KEYS: keys }
  const partnersDatabase = await freshDatabase(cluster)
  const partners = await startService({
    ...common,
    DATABASE_URL: partnersDatabase,
    PUBLIC_URL: proxy.url,
    SIMULATION_SPEED: String(unhurried)
  })
  proxy.target = partners.url
  let services: ReadonlyArray<Service> = []
  const everyone: Array<Service> = []
  const followers: Array<Follower> = []

  const attend = (now: ReadonlyArray<Service>) => {
    services = now
    balancer.ports = now.map(({ url }) => Number(new URL(url).port))
  }

  /** Starts one more process of the service. */
  const boot = async (
    more: Record<string, string> = {},
    node: ReadonlyArray<string> = []
  ): Promise<Service> => {
    const service = await startService(
      {
        ...common,
        DATABASE_URL: database,
        PUBLIC_URL: balancer.url,
        LEASE_SECONDS: String(leaseSeconds),
        PARTNER_TIMEOUT_SECONDS: "15",
        ...options.env,
        ...more
      },
      node
    )
    everyone.push(service)
    attend([...services, service])
    void service.gone.then((ended) => {
      attend(services.filter((one) => one !== service))
      // A kill or an orderly end was intended; for any other exit print the last output.
      if (typeof ended === "number" && ended !== 0) process.stderr.write(`${service.output().slice(-4000)}\n`)
    })
    return service
  }

  /** Creates an honest sandbox partner and returns the id of a registered connection to it. */
  const partner = async (service: Caller, more: Record<string, unknown> = {}): Promise<string> => {
    const made = await partners.call("POST", "/api/v1/sandbox/partners", {
      theirRole: "CPO",
      ocpiVersion: "2.2.1",
      seed: 1 + everyone.length,
      speed: unhurried,
      ...more
    })
    if (made.status !== 201) throw new Error(`sandbox: ${made.status} ${made.text}`)
    return connect(service, made.body.data)
  }

  const connectMany = async (
    service: Caller,
    count: number,
    speed = unhurried
  ): Promise<ReadonlyArray<string>> => {
    const ids: Array<string> = []
    for (let index = 0; index < count; index++) ids.push(await partner(service, { speed }))
    return ids
  }

  /** Starts a run; undefined when no process accepted it. */
  const start = async (
    service: Caller,
    connectionId: string,
    templateId = "remote-start",
    inputs: Record<string, unknown> = { waitSeconds },
    headers: Record<string, string> = {}
  ): Promise<string | undefined> => {
    const order = { connectionId, templateId, inputs: templateId === "remote-start" ? inputs : {} }
    const answer = await service
      .call("POST", "/api/v1/testing/journey-runs", order, headers)
      .catch(() => undefined)
    if (answer?.status !== 202) return undefined
    const runId: string = answer.body.data.runId
    seen.accepted.add(runId)
    return runId
  }

  /** Starts a client that follows that run, at these services as long as they are there, or at all. */
  const watch = (runId: string, at?: ReadonlyArray<Service>): Follower =>
    watchAt(runId, { urls: () => services.filter((one) => at?.includes(one) ?? true).map(({ url }) => url) })

  /** Starts a client that follows that run at these URLs, from that sequence on. */
  const watchAt = (
    runId: string,
    how: Pick<Parameters<typeof follow>[0], "after" | "digest" | "urls">
  ): Follower => {
    const follower = follow({ runId, seen, ...how })
    followers.push(follower)
    return follower
  }

  const status = async (runId: string): Promise<any> => {
    for (let tries = 0; ; tries++) {
      const service = services[tries % Math.max(1, services.length)]
      const answer = await service
        ?.call("GET", `/api/v1/testing/journey-runs/${runId}`)
        .catch(() => undefined)
      if (answer?.status === 200) return answer.body.data
      if (tries > 100) throw new Error(`nobody tells of ${runId}: ${answer?.status} ${answer?.text}`)
      await sleep(100)
    }
  }

  /** Waits until each run is terminal or interrupted, and returns their statuses. */
  const settle = async (runIds: ReadonlyArray<string>, seconds = 60): Promise<ReadonlyArray<any>> => {
    const end = performance.now() + seconds * 1000
    return Promise.all(
      runIds.map(async (runId) => {
        for (;;) {
          const view = await status(runId)
          if ([...terminal, "interrupted"].includes(view.status) || performance.now() > end) return view
          await sleep(150)
        }
      })
    )
  }

  /** Applies a decision to an interrupted run and waits for its end. */
  const decide = async (view: any, decision: string): Promise<any> => {
    const [service] = services
    const choice = { decision, recoveryVersion: view.recoveryVersion }
    const headers = { "idempotency-key": randomUUID() }
    await service?.call("POST", `/api/v1/testing/journey-runs/${view.runId}/recovery`, choice, headers)
    const [after] = await settle([view.runId])
    return after
  }

  const close = async () => {
    for (const follower of followers) follower.stop()
    await Promise.all(everyone.map((one) => one.kill("SIGKILL")))
    await partners.kill("SIGTERM")
    await proxy.close()
    balancer.close()
  }

  return {
    database,
    leaseSeconds,
    /** The partners' database. */
    partnersDatabase,
    seen,
    proxy,
    partners,
    balancer,
    services: () => services,
    followers,
    boot,
    partner,
    connectMany,
    start,
    watch,
    watchAt,
    status,
    settle,
    decide,
    close
  }
}

/** Runs a row in a world that is closed afterwards in every case. */
export async function within<A>(world: World, play: (world: World) => Promise<A>): Promise<A> {
  try {
    return await play(world)
  } finally {
    await world.close()
  }
}
