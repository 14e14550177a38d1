/**
 * A partner that answers every request with something expensive to parse: during registration, suites, journeys and
 * commands.
 */

import { quietPartner } from "../../../test/support/service/QuietPartner.ts"
import { connect, sleep } from "../../../test/support/service/Service.ts"
import type { Arena } from "./Arena.ts"
import type { Attack } from "./attacking.ts"
import { type Hostility, hostilities, type Where } from "./hostileAnswers.ts"

/** The modules that it offers beside those of a quiet partner. */
const more = ["cdrs", "tariffs"]
const terminal = ["completed", "cancelled", "failed"]

type Act = (connectionId: string, signal: AbortSignal) => Promise<Response>

/** One attack for each of `hostilities`. */
export async function partnerAnswers(arena: Arena): Promise<ReadonlyArray<Attack>> {
  const partner = await quietPartner()
  const { origin } = new URL(partner.versionsUrl)
  let hostility: Hostility | undefined
  partner.instead = (asked, response) => {
    const [, where = ""] = asked.pathname.split("/")
    if (where === hostility?.where) {
      hostility.answer(asked, response)
      return true
    }
    if (!more.includes(where)) return false
    response.writeHead(200, { "content-type": "application/json" })
    response.end('{"data":[],"status_code":1000,"timestamp":"2026-01-01T00:00:00Z"}')
    return true
  }

  const ask = (
    path: string,
    signal: AbortSignal,
    body?: object,
    method = body === undefined ? "GET" : "POST"
  ) =>
    fetch(`${arena.service().url}/api/v1${path}`, {
      method,
      signal,
      headers: { ...arena.asMallory, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
  /** Waits for the verdict of the report; a run that is not over in time is cancelled. */
  const over = async (started: Response, signal: AbortSignal): Promise<Response> => {
    if (started.status !== 202) return started
    const { _id, reportId = _id } = ((await started.json()) as any).data // both kinds of run
    try {
      for (;;) {
        const answer = await ask(`/testing/runs/${reportId}?wait=1`, signal)
        if (answer.status !== 200) return answer
        const { data } = (await answer.clone().json()) as any // a report
        if (terminal.includes(data.status)) return answer
        await sleep(50)
      }
    } catch (error) {
      await ask(`/testing/runs/${reportId}/cancel`, AbortSignal.timeout(5000), {}).catch(() => undefined)
      throw error
    }
  }
  const order = {
    partnerBaseUrl: partner.versionsUrl,
    tokenA: "quiet-partner-token_A.0123456789",
    ourRole: "EMSP",
    theirRole: "CPO",
    ocpiVersion: "2.2.1"
  }
  const suite =
    (module: Where): Act =>
    async (connectionId, signal) =>
      over(
        await ask("/testing/runs", signal, {
          connectionId,
          suiteId: "ocpi-2.2.1-cpo-core",
          modules: [module]
        }),
        signal
      )
  const shake: Act = async (_, signal) => {
    const made = (await (await ask("/connections", signal, order)).json()) as any // a connection
    const id = made.data._id
    try {
      return await ask(`/connections/${id}/handshake`, signal, {})
    } finally {
      await ask(`/connections/${id}`, AbortSignal.timeout(5000), undefined, "DELETE").catch(() => undefined)
    }
  }
  const preflight: Act = (connectionId, signal) => ask(`/connections/${connectionId}/preflight`, signal, {})
  const journey: Act = async (connectionId, signal) =>
    over(await ask("/testing/journey-runs", signal, { connectionId, templateId: "first-reads" }), signal)
  const command: Act = (connectionId, signal) =>
    ask("/testing/command", signal, { connectionId, command: "UNLOCK_CONNECTOR" })
  const acts: Readonly<Record<Where, Readonly<Record<string, Act>>>> = {
    versions: { handshake: shake, preflight },
    details: { handshake: shake, preflight },
    credentials: { handshake: shake },
    locations: { suite: suite("locations"), journey },
    sessions: { suite: suite("sessions"), journey },
    cdrs: { suite: suite("cdrs") },
    tariffs: { suite: suite("tariffs") },
    commands: { command }
  }

  const details = JSON.stringify({
    status_code: 1000,
    timestamp: "2026-01-01T00:00:00Z",
    data: {
      version: "2.2.1",
      endpoints: ["credentials", "locations", "sessions", "tokens", "commands", ...more].map(
        (identifier) => ({
          identifier,
          role: ["tokens", "commands"].includes(identifier) ? "RECEIVER" : "SENDER",
          url: `${origin}/${identifier}`
        })
      )
    }
  })
  hostility = {
    where: "details",
    name: "all modules",
    answer: (_, response) => response.writeHead(200, { "content-type": "application/json" }).end(details)
  }
  const connectionId = await connect(arena.mallory(), {
    partnerBaseUrl: order.partnerBaseUrl,
    tokenA: order.tokenA
  })
  hostility = undefined
  arena.atTheEnd(partner.close)

  return hostilities.flatMap((one) =>
    Object.entries(acts[one.where]).map(
      ([how, act]): Attack => ({
        name: `${how}, the partner's ${one.where}: ${one.name}`,
        kind: `${how}:${one.where} ${one.name}`,
        ...(one.known === true && how === "suite" ? { known: true } : {}),
        send: async (signal) => {
          hostility = one
          try {
            return await act(connectionId, signal)
          } finally {
            hostility = undefined
          }
        }
      })
    )
  )
}
