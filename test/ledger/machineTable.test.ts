import { isDeepStrictEqual } from "node:util"
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import {
  type AnyStateMachine,
  type AnyStateNode,
  assign,
  createMachine,
  initialTransition,
  setup,
  transition
} from "xstate"
import { handshake } from "../../machines/handshake.ts"
import { journeyRun } from "../../machines/journeyRun.ts"
import type { StagePlan } from "../../machines/journeyRunContext.ts"
import { simulatedCharge } from "../../machines/simulatedCharge.ts"
import { suiteRun } from "../../machines/suiteRun.ts"
import { LedgerEventType } from "../../schema/LedgerEvent.ts"
import { Decision } from "../../schema/Recovery.ts"
import { tableOf } from "../../src/ledger/run/machineTable.ts"
import { exchange, heard } from "../support/runs/heard.ts"
import { isSampled } from "../support/sampled.ts"

interface Event {
  readonly type: string
}

const ids = ["read", "start", "wait"]
const stages = ids.map(
  (id, index): StagePlan => ({
    id,
    name: id,
    act: "exchange",
    writes: index === 1,
    idempotent: index !== 1,
    readBack: index === 1,
    optionalForLater: index !== 1,
    sends: [`GET ${id}`]
  })
)

/** What often happens comes often, so that a run gets far. */
const line: fc.Arbitrary<Event> = fc
  .record({
    type: fc.oneof(
      fc.constantFrom(...LedgerEventType.literals),
      fc.constantFrom("run.started", "stage.completed", "run.resumed", "recovery.offered", "recovery.applied")
    ),
    stageId: fc.constantFrom(...ids, "elsewhere"),
    id: fc.constantFrom("e1", "e2"),
    method: fc.constantFrom("GET", "POST"),
    party: fc.constantFrom("partner", "clock"),
    decision: fc.constantFrom(...Decision.literals),
    // Mostly the same, so that decisions are about the present offer.
    version: fc.constantFrom(1, 1, 1, 2),
    outcome: fc.constantFrom("passed", "failed", "not_tested")
  })
  .map(({ decision, id, method, outcome, party, stageId, type, version }) =>
    heard({
      type: type as LedgerEventType,
      stageId,
      exchange: exchange(id, method),
      assertions: [{ id, title: id, outcome, strength: "must", reference: "x" } as never],
      data: { decision, version, party }
    })
  )

const typesOf = (machine: AnyStateMachine): fc.Arbitrary<Event> =>
  fc.constantFrom(...machine.events).map((type) => ({ type }))

/** Each machine of ours, its inputs, and events of which it takes some. */
const machines: ReadonlyArray<
  readonly [string, AnyStateMachine, ReadonlyArray<unknown>, fc.Arbitrary<Event>]
> = [
  ["journeyRun", journeyRun, [{ stages }, { stages: [] }], line],
  ["suiteRun", suiteRun, [{ stages: ids }, { stages: [] }], line],
  ["handshake", handshake, [undefined], typesOf(handshake)],
  ["simulatedCharge", simulatedCharge, [undefined], typesOf(simulatedCharge)]
]

/** An event, or one of the same content whose type is the one at this place of those that the state knows. */
interface Heard {
  readonly event: Event
  readonly place: number | null
}
const heardOf = (event: fc.Arbitrary<Event>): fc.Arbitrary<ReadonlyArray<Heard>> =>
  fc.array(fc.record({ event, place: fc.option(fc.nat({ max: 50 }), { freq: 3 }) }), {
    maxLength: 40,
    size: "max"
  })

/** What ends a run soon is not picked by its place, nor a wildcard, which is no event. */
const seldom = ["run.failed", "cancel.requested", "*"]

const leavesOf = (node: AnyStateNode): ReadonlyArray<AnyStateNode> =>
  node.type === "compound" ? Object.values(node.states).flatMap(leavesOf) : [node]

/** XState's own machine and the table hear the same. */
function hearBoth(
  machine: AnyStateMachine,
  input: unknown,
  events: ReadonlyArray<Heard>,
  probes: ReadonlyArray<Event> = []
) {
  const table = tableOf(machine)
  let [theirs, theirAsks] = initialTransition(machine, input)
  let [ours, ourAsks] = table.start(input)
  const values = new Set<string>()
  const compare = () => {
    assert.deepStrictEqual(ours.value, theirs.value)
    // Cheaper than an assertion, which then says where they differ.
    if (!isDeepStrictEqual(ours.context, theirs.context)) assert.deepStrictEqual(ours.context, theirs.context)
    assert.deepStrictEqual(ours.tags, [...theirs.tags].sort())
    assert.deepStrictEqual(
      ourAsks,
      theirAsks.map(({ params = {}, type }) => ({ type, params }))
    )
    const { context: _, ...persisted } = machine.getPersistedSnapshot(theirs) as unknown as Record<
      string,
      unknown
    >
    assert.deepStrictEqual(JSON.parse(JSON.stringify(ours.persisted)), JSON.parse(JSON.stringify(persisted)))
    for (const probe of probes) assert.strictEqual(ours.can(probe), theirs.can(probe), probe.type)
    values.add(JSON.stringify(ours.value))
  }
  compare()
  for (const heard of events) {
    const before = [theirs, ours] as const
    const open = (theirs._nodes as ReadonlyArray<AnyStateNode>).flatMap(({ ownEvents }) =>
      ownEvents.filter((type) => !seldom.includes(type))
    )
    const type = heard.place === null ? undefined : open[heard.place % open.length]
    const event = type === undefined ? heard.event : { ...heard.event, type }
    ;[theirs, theirAsks] = transition(machine, theirs, event)
    ;[ours, ourAsks] = table.after(ours, event)
    assert.strictEqual(ours === before[1], theirs === before[0], "changed by a line that it does not take")
    compare()
  }
  return values
}

describe("the table of a machine", () => {
  for (const [name, machine, inputs, event] of machines)
    it(`says of every event what XState says: ${name}`, () => {
      const reached = new Set<string>()
      for (const input of inputs)
        fc.assert(
          fc.property(heardOf(event), fc.array(event, { maxLength: 6 }), (events, probes) => {
            for (const value of hearBoth(machine, input, events, probes)) reached.add(value)
          }),
          { numRuns: isSampled ? 130 : 400 }
        )
      // Otherwise the test would prove little.
      const leaves = leavesOf(machine.root).filter(({ always = [] }) => always.length === 0)
      assert.lengthOf([...reached], leaves.length)
    }, 120_000)

  it("enters states within states, and asks in their order", () => {
    const machine = setup({
      actions: {
        note: assign((({ context, event }: any) => ({ seen: [...context.seen, event.type] })) as never),
        count: assign({ seen: ({ context }: any) => [...context.seen, context.seen.length] } as never)
      }
    }).createMachine({
      id: "nested",
      context: { seen: [] },
      initial: "outer",
      states: {
        outer: {
          entry: ["enterOuter", "count"] as never,
          initial: "first",
          on: {
            again: { target: "outer", actions: "note" as never },
            out: "rest",
            within: ".second",
            "*": { actions: "other" as never },
            forbidden: {}
          },
          states: {
            first: {
              entry: "enterFirst" as never,
              on: { next: "second", up: "#nested.outer", out: undefined }
            },
            second: {
              entry: {
                type: "enterSecond",
                params: ({ context }: any) => ({ at: context.seen.length })
              } as never,
              on: {
                again: [{ guard: () => false, target: "first" }],
                forbidden: { actions: "note" as never }
              }
            }
          }
        },
        rest: {
          on: { next: "outer.second", up: { target: "outer.first", actions: ["note", "say"] as never } }
        }
      }
    })
    const types = ["again", "out", "within", "forbidden", "next", "up", "unknown"]
    const event = fc.constantFrom(...types).map((type) => ({ type }))
    fc.assert(
      fc.property(heardOf(event), (events) => {
        hearBoth(
          machine,
          undefined,
          events,
          types.map((type) => ({ type }))
        )
      }),
      { numRuns: isSampled ? 100 : 300 }
    )
  })

  for (const [what, states] of Object.entries({
    "parallel states": { a: { type: "parallel", states: { b: {} } } },
    "a delay": { a: { after: { 10: "b" } }, b: {} },
    "actions at an exit": { a: { exit: "say" } },
    "an actor": { a: { invoke: { src: "work" } } },
    "types by their beginning": { a: { on: { "run.*": "b" } }, b: {} },
    "a state that is entered again": { a: { on: { go: { target: "a", reenter: true } } } },
    "a final state within another": { a: { initial: "b", states: { b: { type: "final" } } } },
    "a history": { a: { initial: "b", states: { b: {}, h: { type: "history" } } } }
  } as const))
    it(`is refused for a machine with ${what}`, () => {
      const machine = createMachine({ id: "strange", initial: "a", states } as never)
      assert.throws(() => tableOf(machine), /^The state strange\.a.* cannot hold$/)
    })

  it("is refused for an action that needs an actor", () => {
    const machine = createMachine({
      initial: "a",
      states: {
        a: { on: { go: { actions: Object.assign(() => {}, { type: "xstate.raise", resolve: () => {} }) } } }
      }
    } as never)
    assert.throws(() => tableOf(machine), /needs an actor$/)
  })
})
