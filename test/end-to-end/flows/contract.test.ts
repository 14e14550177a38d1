/** Every row of the API's document, asked for over plain HTTP on the built server: what it answers, and what it refuses. */
import { connect as openSocket } from "node:net"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { makeKey } from "../../support/service/command.ts"
import { migratedDatabase } from "../../support/service/database.ts"
import {
  type Answer,
  connectSandbox,
  freePort,
  type Service,
  startService,
  until
} from "../../support/service/Service.ts"
import {
  connection,
  event,
  has,
  journeyStatus,
  refused,
  report,
  succeeded
} from "../../support/service/shapes.ts"

const faultPoint = new URL("../../support/service/faultPoint.mjs", import.meta.url).href
const api = "/api/v1"
const jsonType = { "content-type": "application/json" }

describe("the contract on the built server", () => {
  let service: Service
  let other: Record<string, string>
  let connectionId: string
  let partner: any
  let pendingId: string
  /** A journey that a kill left with a START_SESSION of unknown outcome. */
  let interrupted: string
  /** One that ran to its end. */
  let completed: any

  beforeAll(async () => {
    const database = await migratedDatabase(inject("pgUrl"))
    const env = { DATABASE_URL: database, PORT: String(await freePort()), LEASE_SECONDS: "3" }
    const doomed = await startService({ ...env, KILL_WORDS: "exchange.intended START_SESSION" }, [
      "--import",
      faultPoint
    ])
    ;({ connectionId, partner } = await connectSandbox(doomed))
    const lost = await doomed.call("POST", `${api}/testing/journey-runs`, journey())
    interrupted = succeeded(lost, 202).runId
    assert.strictEqual(await doomed.gone, "SIGKILL")

    service = await startService(env)
    other = { authorization: `Bearer ${await makeKey({ DATABASE_URL: database }, "other")}` }
    pendingId = succeeded(await service.call("POST", `${api}/connections`, newConnection()), 201)._id
    await until("the lost run to be interrupted", async () => {
      const status = await service.call("GET", `${api}/testing/journey-runs/${interrupted}`)
      return status.body.data.status === "interrupted" ? true : undefined
    })
    const started = await service.call("POST", `${api}/testing/journey-runs`, {
      ...journey(),
      templateId: "first-reads"
    })
    completed = succeeded(started, 202)
    await settled(completed.reportId)
  }, 90_000)
  afterAll(async () => {
    await service?.kill("SIGTERM")
  })

  const journey = () => ({ connectionId, templateId: "remote-start" })
  const newConnection = (more: Record<string, unknown> = {}) => ({
    partnerBaseUrl: partner.partnerBaseUrl,
    ourRole: "EMSP",
    theirRole: "CPO",
    ocpiVersion: "2.2.1",
    tokenA: "token-of-a-contract-test",
    ...more
  })
  const settled = (id: string) =>
    until(`report ${id} to have a verdict`, async () => {
      const answer = await service.call("GET", `${api}/testing/runs/${id}?wait=5`)
      return answer.body.data.verdict === null ? undefined : answer.body.data
    })
  const create = (body: unknown, headers: Record<string, string> = {}) =>
    service.call("POST", `${api}/connections`, body, headers)

  /** The rows of the document that need a key, as [method, path with an id that fits]. */
  const rows = (): ReadonlyArray<readonly [method: string, path: string, allow: string]> => [
    ["POST", "/connections", "GET, HEAD, OPTIONS, POST"],
    ["GET", `/connections/${connectionId}`, "DELETE, GET, HEAD, OPTIONS"],
    ["GET", "/testing/suites", "GET, HEAD, OPTIONS"],
    ["POST", "/testing/command", "OPTIONS, POST"],
    ["GET", "/testing/runs", "GET, HEAD, OPTIONS, POST"],
    ["GET", `/testing/runs/${completed.reportId}`, "GET, HEAD, OPTIONS"],
    ["GET", "/testing/journeys", "GET, HEAD, OPTIONS"],
    ["GET", `/testing/journey-runs/${completed.runId}`, "GET, HEAD, OPTIONS"],
    ["GET", `/testing/journey-runs/${completed.runId}/events`, "GET, HEAD, OPTIONS"],
    ["GET", `/testing/journey-runs/${completed.runId}/stream`, "GET, HEAD, OPTIONS"],
    ["POST", `/testing/journey-runs/${completed.runId}/recovery`, "OPTIONS, POST"]
  ]

  describe("what every row has in common", () => {
    it("401 without a key, with another scheme, and with a key that nobody has; all in the same words", async () => {
      const said = new Set<string>()
      for (const [method, path] of rows()) {
        for (const authorization of ["", "Basic abc", "Token abc", "Bearer", "Bearer pf_live_unknown"]) {
          const answer = await service.call(method, api + path, undefined, { authorization })
          said.add(refused(answer, 401))
          assert.strictEqual(answer.headers.get("www-authenticate"), "Bearer")
        }
      }
      assert.strictEqual(said.size, 1)
    })

    it("405 with Allow for a method that the path does not take", async () => {
      for (const [, path, allow] of rows()) {
        const answer = await service.call("PATCH", api + path)
        refused(answer, 405)
        assert.strictEqual(answer.headers.get("allow"), allow, path)
      }
    })

    it("404 for a path that there is not, also with a broken escape in it", async () => {
      for (const path of [
        "/assets/nothing.js",
        "/connections",
        "/api",
        api,
        `${api}/nothing`,
        `${api}/connections/%`,
        `${api}/connections/%00`
      ]) {
        refused(await service.call("GET", path), 404)
      }
    })

    it("406 for a client that takes no JSON", async () => {
      refused(await service.call("GET", `${api}/testing/suites`, undefined, { accept: "text/html" }), 406)
    })

    it("answers nothing that may be kept, sniffed or framed, and names each request", async () => {
      for (const path of [`${api}/testing/suites`, `${api}/nothing`, "/health/live"]) {
        const { headers } = await service.call("GET", path)
        assert.strictEqual(headers.get("cache-control"), "no-store")
        assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
        assert.isNotNull(headers.get("x-request-id"))
      }
    })

    it("answers what is not HTTP in the same form", async () => {
      const answer = await raw(service, "NOT HTTP AT ALL\r\n\r\n")
      assert.match(answer, /^HTTP\/1\.1 400 /)
      assert.match(answer, /\{"success":false,"message":"[^"]+"\}$/)
    })
  })

  describe("POST /connections", () => {
    it("201: a pending connection without its token", async () => {
      const view = succeeded(await create(newConnection({ label: "mine" })), 201)
      connection(view)
      assert.strictEqual(view.status, "pending")
      assert.strictEqual(view.label, "mine")
      assert.notProperty(view, "lastError")
    })

    for (const ocpiVersion of ["2.1.1", "2.2", "2.2.1", "2.3.0"]) {
      it(`201 for OCPI ${ocpiVersion}`, async () => {
        connection(succeeded(await create(newConnection({ ocpiVersion })), 201))
      })
    }

    it("400 for what is not JSON, and the body is not quoted", async () => {
      for (const body of ["{", "", "[]", "null", '"text"', '{"tokenA":"canary"', "\u0000"]) {
        assert.notInclude(refused(await create(body, jsonType), 400), "canary")
      }
    })

    for (const [name, more] of Object.entries({
      "a URI that is none": { partnerBaseUrl: "not a uri" },
      "an unknown role": { ourRole: "HUB" },
      "the version 2.2.0": { ocpiVersion: "2.2.0" },
      "a version as a number": { ocpiVersion: 2.2 },
      "an empty token": { tokenA: "" },
      "a token that is an object": { tokenA: { canary: "canary" } }
    })) {
      it(`400 for ${name}, with the field's name and never the token`, async () => {
        const said = refused(await create(newConnection(more)), 400, new RegExp(Object.keys(more)[0]!))
        assert.notInclude(said, "canary")
      })
    }

    it("400 for an Idempotency-Key that cannot be one", async () => {
      refused(await create(newConnection(), { "idempotency-key": "x".repeat(300) }), 400, /idempotency-key/i)
    })

    it("409 for a used Idempotency-Key with another body; with the same body the first answer again", async () => {
      const header = { "idempotency-key": "contract-1" }
      const first = await create(newConnection(), header)
      assert.deepStrictEqual(succeeded(await create(newConnection(), header), 201), succeeded(first, 201))
      refused(await create(newConnection({ label: "another" }), header), 409, /Idempotency-Key/)
      assert.notStrictEqual(
        succeeded(await create(newConnection(), { ...header, ...other }), 201)._id,
        first.body.data._id,
        "another account's key is another key"
      )
    })

    it("twenty at once with one Idempotency-Key make one connection", async () => {
      const header = { "idempotency-key": "contract-20" }
      const answers = await Promise.all(Array.from({ length: 20 }, () => create(newConnection(), header)))
      const made = answers
        .filter(({ status }) => status === 201)
        .map(({ body }: Answer<any>) => body.data._id)
      assert.strictEqual(new Set(made).size, 1)
      for (const answer of answers) if (answer.status !== 201) refused(answer, 409)
    })

    it("413 for a body over 256 KiB, declared or chunked", async () => {
      const large = JSON.stringify(newConnection({ label: "x".repeat(300_000) }))
      const declared = await create(large, jsonType)
      refused(declared, 413, /256 KiB/)
      const chunked = await fetch(`${service.url}${api}/connections`, {
        method: "POST",
        headers: { ...jsonType, authorization: other["authorization"]! },
        body: new Blob([large]).stream(),
        duplex: "half"
      } as RequestInit)
      assert.strictEqual(chunked.status, 413)
      assert.deepStrictEqual(Object.keys((await chunked.json()) as object), ["success", "message"])
    })

    it("415 for a body that is not sent as JSON, and for one that is compressed", async () => {
      const body = JSON.stringify(newConnection())
      refused(await create(body, { "content-type": "text/plain" }), 415)
      refused(await create(body, { ...jsonType, "content-encoding": "gzip" }), 415)
    })

    it("422 for the same role on both sides", async () => {
      refused(await create(newConnection({ ourRole: "CPO" })), 422, /ourRole/)
    })

    it("422 for a partner where no partner may live", async () => {
      for (const partnerBaseUrl of [
        "http://127.0.0.1:1/versions",
        "http://10.0.0.1/versions",
        "http://[::1]/versions",
        "http://169.254.169.254/latest",
        "file:///etc/passwd",
        "https://user:password@example.org/versions"
      ]) {
        refused(await create(newConnection({ partnerBaseUrl })), 422, /partnerBaseUrl/)
      }
    })
  })

  describe("GET /connections/{id}", () => {
    it("200 for a registered one, and lastError for one whose handshake failed", async () => {
      const registered = succeeded(await service.call("GET", `${api}/connections/${connectionId}`))
      connection(registered)
      assert.strictEqual(registered.status, "registered")
      const id = succeeded(await create(newConnection()), 201)._id
      await service.call("POST", `${api}/connections/${id}/handshake`)
      const failed = succeeded(await service.call("GET", `${api}/connections/${id}`))
      connection(failed)
      assert.strictEqual(failed.status, "failed")
      assert.match(failed.lastError, /^auth: /)
    })

    it("404 for an unknown one and, in the same words, for another owner's", async () => {
      const unknown = refused(await service.call("GET", `${api}/connections/conn_unknown`), 404)
      const foreign = await service.call("GET", `${api}/connections/${connectionId}`, undefined, other)
      assert.strictEqual(refused(foreign, 404), unknown)
    })
  })

  it("GET /testing/suites: 200, each with its version and description", async () => {
    const suites = succeeded(await service.call("GET", `${api}/testing/suites`))
    assert.isAbove(suites.length, 3)
    for (const suite of suites) {
      has(suite, { id: "string", name: "string", ocpiVersion: "string", description: "string" }, "suite")
    }
  })

  describe("POST /testing/command", () => {
    const send = (more: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
      service.call(
        "POST",
        `${api}/testing/command`,
        { connectionId, command: "UNLOCK_CONNECTOR", ...more },
        headers
      )

    /** A connector of the partner, as the journey that read its locations has seen it. */
    const knownConnector = async () => {
      const events = succeeded(
        await service.call(
          "GET",
          `${api}/testing/journey-runs/${completed.runId}/events?type=exchange.completed&limit=1000`
        )
      )
      const { exchange } = events.find((one: any) => one.exchange.module === "locations")
      const location = JSON.parse(exchange.response.body).data.find((one: any) => one.evses?.length > 0)
      const evse = location.evses[0]
      return { location_id: location.id, evse_uid: evse.uid, connector_id: evse.connectors[0].id }
    }

    it("200: the partner's raw answer, and its asynchronous result by the command's id", async () => {
      const payload = await knownConnector()
      const result = succeeded(await send({ payload }))
      has(result, { httpStatus: "integer", ocpiStatusCode: "integer", response: "object" }, "command result")
      assert.strictEqual(result.httpStatus, 200)
      assert.strictEqual(result.ocpiStatusCode, 1000)
      assert.strictEqual(result.response.data.result, "ACCEPTED")
      const path = `${api}/testing/commands/${result.commandId}`
      const view = await until("the asynchronous result", async () => {
        const seen = succeeded(await service.call("GET", path))
        return seen.results.length > 0 ? seen : undefined
      })
      assert.include(["confirmed", "rejected"], view.state)
      assert.strictEqual(view.results[0].standing, "first")
      assert.isString(view.results[0].body.result)
      assert.strictEqual(view.exchange.response.httpStatus, 200)
      const unknown = refused(await service.call("GET", `${api}/testing/commands/cmd_unknown`), 404)
      assert.strictEqual(refused(await service.call("GET", path, undefined, other), 404), unknown)
    })

    it("200 with the partner's own failure inside data", async () => {
      const result = succeeded(
        await send({ command: "STOP_SESSION", payload: { session_id: 5 }, validate: false })
      )
      assert.isFalse(result.httpStatus === 200 && result.ocpiStatusCode === 1000, JSON.stringify(result))
    })

    it("is sent once for one Idempotency-Key; 409 for another body", async () => {
      const header = { "idempotency-key": "command-1" }
      const first = succeeded(await send({}, header))
      assert.strictEqual(succeeded(await send({}, header)).commandId, first.commandId)
      refused(await send({ command: "STOP_SESSION" }, header), 409)
    })

    it("400 for an unknown command, a missing field, a payload against the schema or over its size", async () => {
      refused(await send({ command: "REBOOT" }), 400, /command/)
      refused(await send({ connectionId: undefined }), 400, /connectionId/)
      refused(await send({ payload: "text" }), 400, /payload/)
      refused(await send({ payload: { evse_uid: 5 } }), 400, /evse_uid/)
      refused(await send({ payload: { more: "x".repeat(70_000) } }), 400, /payload/)
    })

    it("404 for an unknown connection and for another owner's", async () => {
      const unknown = refused(await send({ connectionId: "conn_unknown" }), 404)
      assert.strictEqual(refused(await send({}, other), 404), unknown)
    })

    it("422 for a command that the version does not have", async () => {
      const made = await create(newConnection({ ocpiVersion: "2.1.1" }))
      const id = succeeded(made, 201)._id
      refused(await send({ connectionId: id, command: "CANCEL_RESERVATION" }), 422, /CANCEL_RESERVATION/)
    })

    it("422 for a connection that is not registered, or on which we are the CPO", async () => {
      refused(await send({ connectionId: pendingId }), 422, /not registered/)
      const asCpo = await create(newConnection({ ourRole: "CPO", theirRole: "EMSP" }))
      refused(await send({ connectionId: succeeded(asCpo, 201)._id }), 422, /EMSP/)
    })
  })

  describe("GET /testing/runs", () => {
    it("200: reports of conformance runs and journeys, newest first, page by page", async () => {
      const suiteId = "ocpi-2.2.1-cpo-core"
      const started = succeeded(
        await service.call("POST", `${api}/testing/runs`, { connectionId, suiteId }),
        202
      )
      report(started)
      const graded = await settled(started._id)
      assert.isAbove(graded.summary.total, 0)
      const list = succeeded(await service.call("GET", `${api}/testing/runs`))
      for (const one of list) report(one)
      assert.includeMembers(
        list.map((one: any) => one.kind),
        ["conformance", "journey"]
      )
      const first = await service.call("GET", `${api}/testing/runs?limit=1`)
      const next = /<([^>]+)>; rel="next"/.exec(String(first.headers.get("link")))?.[1]
      const second = succeeded(await service.call("GET", String(next)))
      assert.deepStrictEqual(
        [...succeeded(first), ...second].map((one: any) => one._id),
        list.slice(0, 2).map((one: any) => one._id)
      )
      assert.deepStrictEqual(
        succeeded(await service.call("GET", `${api}/testing/runs`, undefined, other)),
        [],
        "another account sees none of it"
      )
    }, 60_000)

    it("400 for a filter or a page that cannot be", async () => {
      for (const query of ["limit=0", "limit=x", "kind=nothing", "ocpiVersion=9", "verdict=PASS"]) {
        refused(await service.call("GET", `${api}/testing/runs?${query}`), 400)
      }
    })
  })

  describe("GET /testing/runs/{id}", () => {
    it("200 by report and by run, at once when it is over, whatever is waited for", async () => {
      const started = performance.now()
      for (const path of [
        completed.reportId,
        completed.runId,
        `${completed.reportId}?wait=30`,
        `${completed.reportId}?wait=x`
      ]) {
        const view = succeeded(await service.call("GET", `${api}/testing/runs/${path}`))
        report(view)
        assert.strictEqual(view._id, completed.reportId)
        assert.strictEqual(view.status, "completed")
      }
      assert.isBelow(performance.now() - started, 20_000)
    })

    it("404 for an unknown one and for another owner's", async () => {
      const unknown = refused(await service.call("GET", `${api}/testing/runs/rep_unknown`), 404)
      for (const more of ["", "?wait=5", "/checks"]) {
        const path = `${api}/testing/runs/${completed.reportId}${more}`
        assert.strictEqual(refused(await service.call("GET", path, undefined, other), 404), unknown)
      }
    })
  })

  describe("GET /testing/journeys", () => {
    it("200 for a connection, for the sandbox, for a version and role, and for nothing", async () => {
      for (const query of [
        "",
        `?connectionId=${connectionId}`,
        `?target=${connectionId}`,
        "?target=sandbox",
        "?ocpiVersion=2.2.1&theirRole=CPO"
      ]) {
        const found = succeeded(await service.call("GET", `${api}/testing/journeys${query}`))
        has(found, { templates: "array", packs: "array", scenarios: "array" }, "catalogue")
        assert.isAbove(found.templates.length, 0, query)
        for (const template of found.templates) {
          has(
            template,
            { id: "string", name: "string", supportedVersions: "array", stages: "array", outcome: "string" },
            "template"
          )
        }
      }
    })

    it("404 for an unknown target and for another owner's; 400 for a version that is none", async () => {
      const unknown = refused(await service.call("GET", `${api}/testing/journeys?target=conn_unknown`), 404)
      const foreign = `${api}/testing/journeys?connectionId=${connectionId}`
      assert.strictEqual(refused(await service.call("GET", foreign, undefined, other), 404), unknown)
      refused(await service.call("GET", `${api}/testing/journeys?ocpiVersion=1.0`), 400, /ocpiVersion/)
    })
  })

  describe("a journey run", () => {
    const path = (id: string, rest = "") => `${api}/testing/journey-runs/${id}${rest}`

    it("GET: 200 with what can be decided", async () => {
      const status = succeeded(await service.call("GET", path(interrupted)))
      journeyStatus(status)
      assert.strictEqual(status.status, "interrupted")
      assert.isAbove(status.recoveryVersion, 0)
      assert.isAbove(status.recoveryOptions.length, 1)
      journeyStatus(succeeded(await service.call("GET", path(completed.runId))))
    })

    it("GET: 404 for an unknown run and for another owner's, on each of its paths", async () => {
      for (const rest of ["", "/events", "/stream"]) {
        const unknown = refused(await service.call("GET", path("run_unknown", rest)), 404)
        const foreign = await service.call("GET", path(completed.runId, rest), undefined, other)
        assert.strictEqual(refused(foreign, 404), unknown)
      }
      for (const rest of ["/recovery", "/cancel"]) {
        const unknown = refused(await service.call("POST", path("run_unknown", rest)), 404)
        const foreign = await service.call("POST", path(interrupted, rest), undefined, other)
        assert.strictEqual(refused(foreign, 404), unknown)
      }
    })

    it("POST: 409 for a planVersion that is stale, 422 for a connection that is not registered", async () => {
      const start = (more: object) =>
        service.call("POST", `${api}/testing/journey-runs`, { ...journey(), ...more })
      refused(await start({ planVersion: "old" }), 409, /planVersion/)
      refused(await start({ connectionId: pendingId }), 422, /not registered/)
      refused(await start({ templateId: "nothing" }), 404)
      refused(await start({ connectionId: undefined }), 400)
    })

    it("events: 200 by sequence from 1 without a gap, page by page; 400 for a position that cannot be", async () => {
      const all = succeeded(await service.call("GET", path(completed.runId, "/events?limit=1000")))
      all.forEach(event)
      assert.deepStrictEqual(
        all.map((one: any) => one.sequence),
        all.map((_: unknown, index: number) => index + 1)
      )
      const page = await service.call("GET", path(completed.runId, "/events?after=2&limit=3"))
      assert.deepStrictEqual(succeeded(page), all.slice(2, 5))
      assert.match(String(page.headers.get("link")), /after=5.*rel="next"/)
      for (const query of ["after=-1", "after=x", "after=1.5", "limit=0", "type=nothing"]) {
        refused(await service.call("GET", path(completed.runId, `/events?${query}`)), 400)
      }
    })

    it("stream: 200 with frames of id and event; after the last id 204; 400 for an id that cannot be", async () => {
      const all = succeeded(await service.call("GET", path(completed.runId, "/events?limit=1000")))
      const stream = (headers: Record<string, string>) =>
        service.call("GET", path(completed.runId, "/stream"), undefined, headers)
      const whole = await stream({})
      assert.match(String(whole.headers.get("content-type")), /^text\/event-stream/)
      const frames = [...whole.text.matchAll(/^id: (\d+)\ndata: (.+)\n$/gm)]
      assert.deepStrictEqual(
        frames.map((frame) => JSON.parse(frame[2]!)),
        all
      )
      assert.deepStrictEqual(
        frames.map((frame) => Number(frame[1])),
        all.map((one: any) => one.sequence)
      )
      const rest = await stream({ "last-event-id": "3" })
      assert.strictEqual(/^id: (\d+)$/m.exec(rest.text)?.[1], "4")
      assert.strictEqual((await stream({ "last-event-id": String(all.length) })).status, 204)
      for (const id of ["-1", "x", String(all.length + 1)]) {
        refused(await stream({ "last-event-id": id }), 400, /Last-Event-ID/)
      }
    })

    it("recovery: 400, 409, 422, and then one decision for twenty calls at once", async () => {
      const decide = (body?: unknown, id = interrupted) => service.call("POST", path(id, "/recovery"), body)
      const before = succeeded(await service.call("GET", path(interrupted)))
      const { decision } = before.recoveryOptions[0]
      refused(await decide({ decision: "nothing" }), 400, /decision/)
      refused(await decide("{", interrupted), 400)
      refused(await decide({ decision, recoveryVersion: before.recoveryVersion + 1 }), 409)
      refused(await decide({ decision: "retry_stage" }), 422, /not offered/)
      refused(await decide(undefined, completed.runId), 409)
      refused(await decide({ decision: "resume" }, completed.runId), 409)
      const unchanged = succeeded(await service.call("GET", path(interrupted)))
      assert.strictEqual(unchanged.lastSequence, before.lastSequence, "what was refused changed nothing")

      const answers = await Promise.all(
        Array.from({ length: 20 }, () => decide({ decision, recoveryVersion: before.recoveryVersion }))
      )
      for (const answer of answers) journeyStatus(succeeded(answer))
      const lines = succeeded(
        await service.call("GET", path(interrupted, "/events?limit=1000&type=recovery.applied"))
      )
      assert.strictEqual(lines.length, 1)
      await settled(before.reportId)
      refused(await decide(), 409)
    }, 60_000)
  })

  describe("sandbox partners", () => {
    it("are not there for another owner: no reading, no faults, no removal, no listing", async () => {
      const path = `${api}/sandbox/partners/${partner._id}`
      const unknown = refused(await service.call("GET", `${api}/sandbox/partners/sbx_unknown`), 404)
      for (const [method, at, body] of [
        ["GET", path, undefined],
        ["DELETE", path, undefined],
        ["PUT", `${path}/faults`, { faults: [] }],
        ["POST", `${path}/handshake`, {}],
        ["DELETE", `${path}/registration`, undefined]
      ] as const) {
        assert.strictEqual(refused(await service.call(method, at, body, other), 404), unknown)
      }
      assert.deepStrictEqual(
        succeeded(await service.call("GET", `${api}/sandbox/partners`, undefined, other)),
        []
      )
      assert.strictEqual(succeeded(await service.call("GET", path)).registered, true, "and it is still there")
    })

    it("are not there either for another owner's deletes of a connection", async () => {
      const path = `${api}/connections/${connectionId}`
      for (const [method, at] of [
        ["DELETE", path],
        ["POST", `${path}/handshake`],
        ["GET", `${path}/exchanges`]
      ] as const) {
        refused(await service.call(method, at, undefined, other), 404)
      }
    })

    it("show their Token A at creation only; 400 for a fault that is none", async () => {
      const made = await service.call("POST", `${api}/sandbox/partners`, {
        theirRole: "CPO",
        ocpiVersion: "2.2.1"
      })
      const view = succeeded(made, 201)
      assert.isString(view.tokenA)
      assert.isNull(succeeded(await service.call("GET", `${api}/sandbox/partners/${view._id}`)).tokenA)
      const wrong = await service.call("PUT", `${api}/sandbox/partners/${view._id}/faults`, {
        faults: ["nothing"]
      })
      refused(wrong, 400, /faults/)
    })
  })

  it("GET /ocpi/versions and /ocpi/2.2.1/: discovery without a key, in OCPI's envelope", async () => {
    for (const [path, field] of [
      ["/ocpi/versions", undefined],
      ["/ocpi/2.2.1/", "endpoints"],
      [`${api}/ocpi/2.2.1/`, "endpoints"]
    ] as const) {
      const answer = await fetch(service.url + path)
      const json: any = await answer.json()
      assert.strictEqual(answer.status, 200)
      assert.strictEqual(json.status_code, 1000)
      for (const entry of field === undefined ? json.data : json.data[field]) assert.isString(entry.url)
    }
    const unknown = await fetch(`${service.url}/ocpi/9.9/`)
    assert.strictEqual(unknown.status, 404)
    assert.isNumber(((await unknown.json()) as any).status_code)
  })
})

/** What comes back for these bytes, until the server closes. */
function raw(service: Service, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.url)
    const socket = openSocket(Number(port), hostname, () => socket.write(text))
    let answer = ""
    socket.on("data", (chunk) => {
      answer += chunk
    })
    socket.on("end", () => resolve(answer))
    socket.on("error", reject)
  })
}
