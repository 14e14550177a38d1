/** A browser at the built service: it sends no Authorization, but cookies. */
import { afterAll, assert, beforeAll, inject } from "vitest"
import { migratedDatabase } from "../../support/service/database.ts"
import { hasProtectiveHeaders } from "../../support/service/operations.ts"
import { key, type Service, startService } from "../../support/service/Service.ts"
import { succeeded } from "../../support/service/shapes.ts"

/** The place of the session in the API. */
export const place = "/api/v1/session"
/** The header of the console that changes something. */
export const forged = { "x-plugfest-console": "1" }

/** Two services on one database, for the tests of a `describe`, within which its properties can be read. */
export function pairOfServices() {
  let database = ""
  let service: Service | undefined
  let sibling: Service | undefined
  beforeAll(async () => {
    database = await migratedDatabase(inject("pgUrl"))
    ;[service, sibling] = await Promise.all([
      startService({ DATABASE_URL: database }),
      startService({ DATABASE_URL: database })
    ])
  }, 90_000)
  afterAll(async () => {
    await Promise.all([service?.kill("SIGTERM"), sibling?.kill("SIGTERM")])
  })
  return {
    /** Connection string of their database. */
    get database() {
      return database
    },
    get service() {
      return service!
    },
    get sibling() {
      return sibling!
    }
  }
}

/** What a browser asks with. */
export interface Asked {
  readonly body?: unknown
  readonly cookie?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Default: the service that the browser was made for. */
  readonly on?: Service
}

/** Requests of a browser at this service. */
export const browserAt = (service: () => Service) => {
  const ask = async (
    method: string,
    path: string,
    { body, cookie, headers = {}, on = service() }: Asked = {}
  ) => {
    const response = await fetch(`${on.url}${path}`, {
      method,
      headers: {
        ...(cookie === undefined ? {} : { cookie }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await response.text()
    const parsed = text.startsWith("{") ? JSON.parse(text) : undefined
    const answer = { status: response.status, headers: response.headers, text, body: parsed }
    hasProtectiveHeaders(`${method} ${path}`, answer)
    return answer
  }
  const makeKey = async (scopes = ["read", "run", "connections:write", "keys:write"], more = {}) =>
    succeeded(
      await service().call("POST", "/api/v1/settings/api-keys", { name: "of a person", scopes, ...more }),
      201
    )
  const signIn = async (credential: unknown, more: Asked = {}) => {
    const answer = await ask("POST", place, { body: credential, ...more })
    const set = answer.headers.get("set-cookie") ?? ""
    return { answer, set, cookie: set.split(";")[0]! }
  }
  const signedIn = async (credential: unknown = { apiKey: key }) => {
    const { answer, cookie } = await signIn(credential)
    assert.strictEqual(answer.status, 201, answer.text)
    return cookie
  }
  return { ask, makeKey, signIn, signedIn }
}

/** A stream that a browser has open. */
export function openStream(on: Service, path: string, cookie: string) {
  const controller = new AbortController()
  let closed = false
  let opened: () => void
  const isOpen = new Promise<void>((resolve) => {
    opened = resolve
  })
  const read = async () => {
    const response = await fetch(on.url + path, { headers: { cookie }, signal: controller.signal })
    assert.strictEqual(response.status, 200)
    for await (const _ of response.body!) opened()
  }
  const over = read()
    .catch(() => {})
    .then(() => {
      closed = true
    })
  return { opened: isOpen, closed: over, isClosed: () => closed, abort: () => controller.abort() }
}
