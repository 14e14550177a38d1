import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, Option } from "effect"
import { isEventOf } from "../../../schema/LedgerEvent.ts"
import { objectIn } from "../../../src/findings/json.ts"
import type { ActStep, Call } from "../../../src/journeys/model/Act.ts"
import type { Rule } from "../../../src/journeys/model/JourneyTemplate.ts"
import {
  checkpointAnswerOf,
  exchangesOf,
  listedObjects,
  listGoesOn
} from "../../../src/journeys/model/RunHistory.ts"
import { partnerRegisters } from "../../../src/journeys/stages/registration/partnerRegisters.ts"
import { commandScripts } from "../../../src/party/modules/commands/commandScripts.ts"
import { play, stage } from "../support/ActBench.ts"

const push = (id: string): Call => ({
  module: "sessions",
  interfaceRole: "RECEIVER",
  operation: "PUT session",
  method: "PUT",
  path: ["NL", "PLF", id],
  body: { id }
})
const rule = (id: string, judge: Rule["judge"]): Rule => ({
  id,
  title: id,
  strength: "must",
  reference: "none",
  judge
})
const typesOf = (events: ReadonlyArray<{ readonly type: string }>) => events.map(({ type }) => type)

describe("exchange, of a list", () => {
  const reading = (isEnough: (items: ReadonlyArray<object>) => boolean) =>
    stage({
      id: "read",
      act: {
        act: "exchange",
        sends: "GET locations",
        call: () => ({
          module: "locations",
          interfaceRole: "SENDER",
          operation: "list",
          method: "GET",
          query: { limit: "20" }
        }),
        readsOn: (history) => !isEnough(listedObjects(history, "read"))
      },
      expect: [
        rule("read.found", (history) => ({ message: `${listGoesOn(history, "read")}` })),
        rule("read.fine", () => undefined)
      ]
    })
  const played = (isEnough: (items: ReadonlyArray<object>) => boolean, pages: number) =>
    Effect.gen(function* () {
      const run = yield* play([reading(isEnough)], { pages: { locations: pages } })
      yield* run.pass(2)
      const sent = run.events().filter(isEventOf("exchange.intended"))
      const [found] = run.events().flatMap(({ assertions }) => assertions)
      return { steps: sent.map(({ data }) => data?.step), goesOn: found?.message }
    })

  it.scoped("reads on while its template says so, each page as a step", () =>
    Effect.gen(function* () {
      const { goesOn, steps } = yield* played((items) => items.length > 0, 3)
      assert.deepStrictEqual([steps, goesOn], [[undefined, 1, 2], "false"])
    })
  )
  it.scoped("reads no page for which nobody asks, and no more than twenty", () =>
    Effect.gen(function* () {
      const one = yield* played(() => true, 3)
      assert.deepStrictEqual([one.steps.length, one.goesOn], [1, "true"])
      const most = yield* played(() => false, 30)
      assert.deepStrictEqual([most.steps.length, most.goesOn], [20, "true"])
    })
  )
})

describe("exchange, of what the partner has stored", () => {
  /** The rule is kept from the reading of that number on. */
  const played = (from: number, change: { readonly readsStored?: true; readonly failing?: string }) =>
    Effect.gen(function* () {
      const { failing, ...act } = change
      const reading = stage({
        id: "read",
        act: {
          act: "exchange",
          sends: "GET locations",
          call: () => ({ module: "locations", interfaceRole: "SENDER", operation: "list", method: "GET" }),
          ...act
        },
        expect: [
          rule("read.same", (history) =>
            exchangesOf(history, "read").length >= from ? undefined : { message: "not yet" }
          )
        ]
      })
      const run = yield* play([reading], failing === undefined ? {} : { busy: { [failing]: 9 } })
      yield* run.pass(20)
      const sent = run.events().filter(isEventOf("exchange.intended"))
      const graded = run.events().flatMap(({ assertions }) => assertions)
      return [sent.length, graded.find(({ id }) => id === "read.same")?.outcome]
    })

  it.scoped("is read again for some seconds while it breaks a rule", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* played(1, { readsStored: true }), [1, "passed"])
      assert.deepStrictEqual(yield* played(2, { readsStored: true }), [2, "passed"])
      assert.deepStrictEqual(yield* played(9, { readsStored: true }), [3, "failed"])
      assert.deepStrictEqual(yield* played(2, {}), [1, "failed"])
    })
  )
  it.scoped("is not read again where the answer says nothing of it", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* played(9, { readsStored: true, failing: "list" }), [2, "not_tested"])
    })
  )
})

describe("simulate", () => {
  it.scoped("sends its steps in order, each with an intent, and keeps what they are about", () =>
    Effect.gen(function* () {
      const run = yield* play([
        stage({
          id: "charge",
          writes: true,
          act: {
            act: "simulate",
            steps: [
              {
                sends: "PUT sessions",
                call: () => push("S1"),
                keeps: (_, now) => [
                  { module: "sessions", key: "S1", side: "own", json: { id: "S1" }, lastUpdated: now }
                ]
              },
              { sends: "PATCH sessions", afterSeconds: () => 3, call: () => push("S2") }
            ]
          }
        })
      ])
      yield* run.pass(2)
      assert.strictEqual(run.partner.hits.length, 1)
      yield* run.pass(3)
      assert.strictEqual(run.view().status, "completed")
      assert.deepStrictEqual(
        run
          .events()
          .filter(isEventOf("exchange.intended", "exchange.completed"))
          .map(({ data, type }) => `${type} ${data?.step}`),
        ["exchange.intended 0", "exchange.completed 0", "exchange.intended 1", "exchange.completed 1"]
      )
      assert.isTrue(Option.isSome(yield* run.store.object(run.party.id, "sessions", "own", "s1")))
    })
  )
})

describe("simulate, when the answer to a step is lost", () => {
  const step = (id: string, found: "present" | "absent"): ActStep => ({
    sends: "PUT sessions",
    call: () => ({ ...push(id), operation: `PUT ${id}` }),
    readBack: {
      reads: "GET sessions",
      call: () => ({ ...push(id), operation: "GET session", method: "GET" }),
      found: () => found,
      proven: () => false,
      patienceSeconds: 0
    }
  })
  const charging = (found: "present" | "absent") =>
    stage({
      id: "charge",
      writes: true,
      idempotent: false,
      act: { act: "simulate", steps: [step("S1", found), step("S2", found), step("S3", found)] },
      expect: [rule("charge.fine", () => undefined)]
    })
  const lostAtTheSecond = (found: "present" | "absent", pages = 1) =>
    Effect.gen(function* () {
      const run = yield* play([charging(found)], { hanging: ["PUT S2"], pages: { sessions: pages } })
      yield* run.pass(2)
      yield* run.loseAndDecide("verify_and_resume")
      yield* run.pass(3)
      return {
        run,
        puts: run.partner.hits.filter(({ method }) => method === "PUT").map(({ operation }) => operation)
      }
    })

  it.scoped("reads that step back, sends none again, and goes on with the next", () =>
    Effect.gen(function* () {
      const { puts, run } = yield* lostAtTheSecond("present")
      assert.deepStrictEqual(puts, ["PUT S1", "PUT S2", "PUT S3"])
      assert.strictEqual(run.view().status, "completed")
    })
  )
  it.scoped("ends the stage without blame when the step had no effect", () =>
    Effect.gen(function* () {
      const { puts, run } = yield* lostAtTheSecond("absent")
      assert.deepStrictEqual(puts, ["PUT S1", "PUT S2"])
      const [graded] = run.events().flatMap(({ assertions }) => assertions)
      assert.strictEqual(graded?.outcome, "unobservable")
    })
  )
  it.scoped.each([
    [20, "absent"],
    [21, "undecided"]
  ] as const)("that is not on the first 20 of %i pages, it is %s", ([pages, verified]) =>
    Effect.gen(function* () {
      const { run } = yield* lostAtTheSecond("absent", pages)
      const ends = run.events().filter(isEventOf("exchange.completed"))
      const data = ends.map((end) => end.data).find((one) => one?.verified !== undefined)
      assert.strictEqual(data?.verified, verified)
      assert.lengthOf(data?.by ?? [], 20)
    })
  )
})

describe("serve", () => {
  const responseUrl = "https://cpo.example/results/1"
  const serving = (answer: string, result: boolean) =>
    stage({
      id: "started",
      actor: "partner",
      module: "commands",
      writes: true,
      idempotent: false,
      act: {
        act: "serve",
        command: "START_SESSION",
        answer: () => answer,
        instruction: () => "Send START_SESSION for EVSE1",
        isOurs: (_, command) => command["evse_uid"] === "EVSE1",
        ...(result ? { result: () => ({ body: { result: "ACCEPTED" }, afterSeconds: 2 }) } : {})
      },
      expect: [rule("started.came", () => ({ message: "Nothing came" }))]
    })
  const command = (evse: string) => ({
    module: "commands",
    operation: "START_SESSION",
    method: "POST",
    url: "https://us.example/ocpi/2.2.1/commands/START_SESSION",
    body: { evse_uid: evse, response_url: responseUrl }
  })

  it.scoped("lays down the answer while it waits, then posts the result that was named", () =>
    Effect.gen(function* () {
      const run = yield* play([serving("ACCEPTED", true)])
      yield* run.pass(1)
      const script = yield* run.store.object(run.party.id, commandScripts, "own", "START_SESSION")
      assert.strictEqual(Option.getOrThrow(script).json["answer"], "ACCEPTED")
      yield* run.hear(command("EVSE1"))
      yield* run.pass(3)
      const sent = run.events().find(isEventOf("exchange.intended"))?.exchange
      assert.strictEqual(sent?.request.body, '{"result":"ACCEPTED"}')
      assert.isTrue(
        Option.isNone(yield* run.store.object(run.party.id, commandScripts, "own", "START_SESSION"))
      )
    })
  )
  const begins = stage({
    id: "begin",
    actor: "clock",
    act: { act: "wait", seconds: () => 4, instruction: () => "The session is pushed" }
  })
  const early = (evse: string, result: string) => ({
    ...command(evse),
    answer: { status_code: 1000, data: { result } }
  })

  it.scoped(
    "counts a command for its object that came before the stage, and leaves its result to our party",
    () =>
      Effect.gen(function* () {
        const run = yield* play([begins, serving("ACCEPTED", true)])
        yield* run.pass(1)
        yield* run.hear(early("EVSE1", "ACCEPTED"))
        yield* run.pass(6)
        assert.strictEqual(run.view().status, "completed")
        assert.include(typesOf(run.events()), "wait.satisfied")
        assert.notInclude(typesOf(run.events()), "wait.expired")
        assert.notInclude(typesOf(run.events()), "exchange.intended")
      })
  )
  it.scoped("does not count an earlier command that our party refused, and says so", () =>
    Effect.gen(function* () {
      const run = yield* play([begins, serving("ACCEPTED", true)])
      yield* run.pass(1)
      yield* run.hear(early("EVSE1", "REJECTED"))
      yield* run.pass(4)
      assert.deepStrictEqual(run.view().waitingFor?.nearMisses, [
        "The partner sent START_SESSION, and we refused it: REJECTED"
      ])
      yield* run.hear(early("EVSE1", "ACCEPTED"))
      yield* run.pass(4)
      assert.include(typesOf(run.events()), "wait.satisfied")
    })
  )
  it.scoped("posts no result to what it refused, and none that never comes", () =>
    Effect.gen(function* () {
      for (const served of [serving("REJECTED", true), serving("ACCEPTED", false)]) {
        const run = yield* play([served])
        yield* run.hear(command("EVSE1"))
        yield* run.pass(5)
        assert.notInclude(typesOf(run.events()), "exchange.intended")
        assert.include(typesOf(run.events()), "wait.satisfied")
      }
    })
  )
  it.scoped("names a call to a URL that we never offered", () =>
    Effect.gen(function* () {
      const run = yield* play([serving("ACCEPTED", true)])
      yield* run.hear({
        module: "emsp",
        operation: "POST START_SESSION",
        method: "POST",
        url: "https://us.example/ocpi/receiver/emsp/START_SESSION",
        httpStatus: 404
      })
      assert.deepStrictEqual(run.view().waitingFor?.nearMisses, [
        "POST came to /ocpi/receiver/emsp/START_SESSION, where we offered nothing"
      ])
    })
  )
  it.scoped("says of such a call where to send it, and shows that of the stage's module", () =>
    Effect.gen(function* () {
      const run = yield* play([serving("ACCEPTED", true)])
      for (const [module, path] of [
        ["commands", "commands/START_SESSION"],
        ["locations", "locations/LOC1"]
      ] as const)
        yield* run.hear({
          module,
          operation: `POST ${path.split("/").at(-1)}`,
          method: "POST",
          url: `https://us.example/ocpi/receiver/${path}`,
          httpStatus: 404
        })
      yield* run.pass(12)
      const failed = run.events().flatMap(({ assertions }) => assertions)[0]
      assert.match(failed?.hint ?? "", /^Take the URL of each endpoint from our version details/)
      assert.include(failed?.curl, "/ocpi/receiver/commands/START_SESSION")
    })
  )
  it.scoped("names the commands that were not the one when the time is over", () =>
    Effect.gen(function* () {
      const run = yield* play([serving("ACCEPTED", true)])
      yield* run.hear(command("EVSE2"))
      assert.deepStrictEqual(run.view().waitingFor?.nearMisses, [
        "The partner sent START_SESSION, but for another object than this stage awaits"
      ])
      yield* run.pass(12)
      const failed = run.events().flatMap(({ assertions }) => assertions)[0]
      assert.include(failed?.message, "Almost: The partner sent START_SESSION, but for another object")
    })
  )
})

describe("wait", () => {
  it.scoped("lets the time pass, and says that it waits for the clock", () =>
    Effect.gen(function* () {
      const run = yield* play([
        stage({
          id: "hour",
          actor: "clock",
          act: { act: "wait", seconds: () => 5, instruction: () => "The reservation runs out" }
        })
      ])
      yield* run.pass(3)
      assert.strictEqual(run.view().waitingFor?.party, "clock")
      assert.deepStrictEqual(run.view().machine.value, { waiting: "clock" })
      yield* run.pass(4)
      assert.strictEqual(run.view().status, "completed")
    })
  )
})

/** As a process does that gets no CPU time for so long. */
const standStill = (millis: number) => {
  const until = performance.now() + millis
  while (performance.now() < until);
}

describe("checkpoint", () => {
  const asking = stage({
    id: "light",
    actor: "operator",
    act: { act: "checkpoint", question: () => "Is the light green?", answers: ["yes", "no"] },
    expect: [
      rule("light.green", (history) => {
        const said = checkpointAnswerOf(history, "light")
        if (said === undefined) return { notTested: "Nobody answered" }
        return said.answer === "yes" ? undefined : { message: "The light was not green" }
      })
    ]
  })
  const outcome = (events: ReadonlyArray<{ readonly assertions: ReadonlyArray<{ outcome: string }> }>) =>
    events.flatMap(({ assertions }) => assertions)[0]?.outcome

  it.scoped("asks, tells how to answer, and goes on with the answer", () =>
    Effect.gen(function* () {
      const run = yield* play([asking])
      yield* run.pass(1)
      const waiting = run.view().waitingFor
      assert.strictEqual(waiting?.party, "operator")
      assert.strictEqual(waiting?.instruction, "Is the light green?")
      assert.deepStrictEqual(waiting?.answers, ["yes", "no"])
      assert.strictEqual(
        waiting?.expects?.curl,
        `curl -sS -i -X POST -H 'Authorization: Bearer '"$TOKEN" -H 'content-type: application/json' --data-raw '{"answer":"yes"}' 'https://us.example/api/v1/testing/journey-runs/run_1/checkpoint'`
      )
      assert.isTrue(yield* run.answer("no"))
      assert.strictEqual(run.view().status, "completed")
      assert.strictEqual(outcome(run.events()), "failed")
    })
  )
  it.scoped("takes an answer that came to a process which does not play the run", () =>
    Effect.gen(function* () {
      const run = yield* play([asking])
      yield* run.pass(1)
      const wrong = Either.flip(yield* run.answerElsewhere({ answer: "perhaps" }))
      assert.strictEqual(Either.getOrThrow(wrong).kind, "choose")
      const told = Either.getOrThrow(yield* run.answerElsewhere({ answer: "yes", note: "seen it" }))
      assert.strictEqual(told.snapshot.view.status, "completed")
      const said = run.events().filter(isEventOf("checkpoint.answered"))
      assert.deepStrictEqual(
        said.map(({ data }) => [data.answer, data.note]),
        [["yes", "seen it"]]
      )
      const page = { offset: 0, limit: 9 }
      assert.strictEqual((yield* run.store.objects(run.party.id, "answers:run_1", "received", page)).total, 0)
    })
  )
  it.scoped("takes no answer to another question than the open one", () =>
    Effect.gen(function* () {
      const run = yield* play([asking])
      yield* run.pass(1)
      const json = { asked: run.view().lastSequence + 1000, answer: "no" }
      yield* run.store.putObject(run.party.id, {
        module: "answers:run_1",
        key: "x",
        side: "received",
        json,
        lastUpdated: "2026-01-01T00:00:00Z"
      })
      yield* run.pass(3)
      assert.strictEqual(run.view().waitingFor?.party, "operator")
    })
  )
  it.scoped("counts as not tested when nobody answers in time", () =>
    Effect.gen(function* () {
      const run = yield* play([asking])
      yield* run.pass(12)
      assert.strictEqual(outcome(run.events()), "not_tested")
    })
  )
  it.scoped("does not count time in which the process was suspended", () =>
    Effect.gen(function* () {
      const run = yield* play([asking])
      yield* run.pass(9)
      standStill(2200)
      yield* run.pass(1)
      assert.strictEqual(run.view().waitingFor?.party, "operator")
      assert.isTrue(yield* run.answer("yes"))
    })
  )
  it.scoped("takes no answer while it waits for somebody else", () =>
    Effect.gen(function* () {
      const run = yield* play([
        stage({ id: "pause", act: { act: "wait", seconds: () => 9, instruction: () => "Time" } })
      ])
      yield* run.pass(1)
      assert.isFalse(yield* run.answer("yes"))
    })
  )
})

describe("await", () => {
  const url = (id: string) => `https://us.example/ocpi/2.2.1/sessions/DE/CPO/${id}`
  const session = (id: string, token: string, status = "ACTIVE") => ({
    module: "sessions",
    operation: `PUT session`,
    method: "PUT",
    url: url(id),
    body: { id, status, cdr_token: { uid: token } }
  })
  const awaiting = (id: string, status: string) =>
    stage({
      id,
      actor: "partner",
      module: "sessions",
      act: {
        act: "await",
        instruction: () => `Set the session to ${status}`,
        look: ({ events }) => ({
          found: events.some(
            (event) =>
              event.type === "inbound.received" &&
              event.exchange.request.body?.includes(`"${status}"`) === true
          ),
          nearMisses: []
        }),
        expects: ({ them }) => ({
          method: "PUT",
          module: "sessions",
          path: [them?.countryCode ?? "", them?.partyId ?? "", "it's"],
          body: { status }
        })
      },
      expect: [rule(`${id}.came`, () => ({ message: "It did not come" }))]
    })
  const putToken = stage({
    id: "token",
    act: {
      act: "exchange",
      sends: "PUT tokens",
      call: () => ({ ...push("T1"), module: "tokens", body: { uid: "T1" } })
    }
  })
  const relations = (run: { readonly events: () => ReadonlyArray<{ type: string; data?: object }> }) =>
    run
      .events()
      .filter(({ type }) => type === "inbound.received")
      .map(({ data }) => objectIn(data)["relation"])

  it.scoped("says what is expected as a line for a shell, filled with the values of the run", () =>
    Effect.gen(function* () {
      const run = yield* play([awaiting("active", "ACTIVE")])
      yield* run.pass(1)
      const expects = run.view().waitingFor?.expects
      assert.strictEqual(expects?.url, "https://us.example/ocpi/2.2.1/sessions/DE/CPO/it's")
      assert.deepInclude(expects?.headers, { "OCPI-from-party-id": "CPO", "OCPI-to-party-id": "PLF" })
      assert.include(
        expects?.curl,
        `--data-raw '{"status":"ACTIVE"}' 'https://us.example/ocpi/2.2.1/sessions/DE/CPO/it`
      )
      assert.include(expects?.curl, `"$(printf %s "$TOKEN" | base64 | tr -d '\\n')"`)
    })
  )
  it.scoped("records what is of somebody else as foreign, and what came twice as a duplicate", () =>
    Effect.gen(function* () {
      const run = yield* play([putToken, awaiting("over", "COMPLETED")])
      yield* run.pass(1)
      yield* run.hear(session("S1", "T1"))
      yield* run.hear(session("S1", "T1"))
      yield* run.hear(session("S9", "other"))
      yield* run.hear({ ...session("S1", "T1"), method: "PATCH", body: { kwh: 1 } })
      assert.deepStrictEqual(relations(run), [undefined, "duplicate", "foreign", undefined])
    })
  )
  it.scoped("holds nothing against a partner whose call we may have turned away", () =>
    Effect.gen(function* () {
      const active = awaiting("active", "ACTIVE")
      const setOff = { setOffBy: () => "token" }
      const waits = { ...active, ...setOff, expect: active.expect.map((one) => ({ ...one, ...setOff })) }
      const outcomeIf = (refusedAt: string) =>
        Effect.gen(function* () {
          const run = yield* play([putToken, waits], {}, { refusedAt })
          yield* run.pass(12)
          return run.events().flatMap(({ assertions }) => assertions)[0]
        })
      const excused = yield* outcomeIf("1970-01-01T00:00:05.000Z")
      assert.strictEqual(excused?.outcome, "unobservable")
      assert.include(excused?.reason, "plugfest could not serve a call at 1970-01-01T00:00:05.000Z")
      const before = yield* outcomeIf("1969-12-31T23:59:59.000Z")
      assert.strictEqual(before?.outcome, "failed")
    })
  )
  it.scoped("holds nothing against one that comes by itself, if we turned a call away while we waited", () =>
    Effect.gen(function* () {
      const graded = (refusedAt: string) =>
        Effect.gen(function* () {
          const run = yield* play([{ ...partnerRegisters("CPO"), timeoutSeconds: 10 }], {}, { refusedAt })
          yield* run.pass(12)
          return run
            .events()
            .flatMap(({ assertions }) => assertions)
            .map(({ outcome }) => outcome)
        })
      const excused = yield* graded("1970-01-01T00:00:05.000Z")
      assert.deepStrictEqual(excused, ["unobservable", "unobservable", "unobservable"])
      const before = yield* graded("1969-12-31T23:59:59.000Z")
      assert.deepStrictEqual(before, ["unobservable", "not_tested", "not_tested"])
    })
  )
  it.scoped("records what comes too late as late, and leaves the verdict of its stage", () =>
    Effect.gen(function* () {
      const run = yield* play([putToken, awaiting("active", "ACTIVE"), awaiting("over", "COMPLETED")])
      yield* run.pass(12)
      const graded = () => run.events().filter(({ assertions }) => assertions[0]?.id === "active.came")
      assert.lengthOf(graded(), 1)
      yield* run.hear(session("S1", "T1"))
      assert.deepInclude(run.events().find(isEventOf("inbound.received"))?.data, {
        relation: "late",
        lateFor: "active"
      })
      yield* run.pass(12)
      assert.strictEqual(run.view().status, "completed")
      assert.lengthOf(graded(), 1)
    })
  )
})
