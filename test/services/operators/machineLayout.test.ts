import { assert, describe, it } from "vitest"
import { handshake } from "../../../machines/handshake.ts"
import { journeyRun } from "../../../machines/journeyRun.ts"
import { suiteRun } from "../../../machines/suiteRun.ts"
import { graphOf, pathOfValue } from "../../../src/services/operators/machineGraph.ts"
import { layoutOf } from "../../../src/services/operators/machineLayout.ts"

const machines = [journeyRun, suiteRun, handshake]

describe("a machine as a graph", () => {
  it("names its states by their paths, and says which lie within which", () => {
    const { states } = graphOf(journeyRun)
    assert.deepInclude(states, {
      id: "waiting.operator",
      parent: "waiting",
      initial: false,
      final: false,
      tags: []
    })
    assert.deepInclude(states, {
      id: "queued",
      parent: null,
      initial: true,
      final: false,
      tags: ["healthy"]
    })
    assert.isTrue(states.find(({ id }) => id === "failed")?.final)
  })
  it("gives each decision its own transition, with its name and its condition", () => {
    const decisions = graphOf(journeyRun).transitions.filter(({ event }) => event === "recovery.applied")
    assert.lengthOf(decisions, 7)
    assert.deepInclude(decisions[0], { to: "recovering", guard: "offers resume", label: "Resume" })
  })
  it("says of an event that changes no state that it leads to itself", () => {
    const offered = graphOf(journeyRun).transitions.find(({ event }) => event === "recovery.offered")
    assert.deepInclude(offered, { from: "interrupted", to: "interrupted" })
  })
  it("finds the path of a value, nested or not", () => {
    assert.strictEqual(pathOfValue("queued"), "queued")
    assert.strictEqual(pathOfValue({ waiting: "partner" }), "waiting.partner")
  })
})

describe("the drawing of a machine", () => {
  it.each(machines.map((machine) => [machine.id, machine] as const))(
    "of %s leads no edge behind a box",
    (_, machine) => {
      const { edges, nodes } = layoutOf(graphOf(machine))
      const isLeaf = (id: string) => !nodes.some((node) => node.id.startsWith(`${id}.`))
      for (const { from, points, to } of edges)
        for (const { height, id, width, x, y } of nodes) {
          if (!isLeaf(id) || [from, to].some((end) => id === end || id.startsWith(`${end}.`))) continue
          for (const [index, end] of points.slice(1).entries())
            for (let step = 0; step <= 100; step++) {
              const begin = points[index]!
              const at = {
                x: begin.x + ((end.x - begin.x) * step) / 100,
                y: begin.y + ((end.y - begin.y) * step) / 100
              }
              const isBehind = at.x > x && at.x < x + width && at.y > y && at.y < y + height
              assert.isFalse(isBehind, `${from} to ${to} is behind ${id}`)
            }
        }
    }
  )
  it.each(machines.map((machine) => [machine.id, machine] as const))(
    "of %s places each state once, inside the drawing, over no other",
    (_, machine) => {
      const graph = graphOf(machine)
      const { height, nodes, width } = layoutOf(graph)
      assert.sameMembers(
        nodes.map(({ id }) => id),
        graph.states.map(({ id }) => id)
      )
      const parentOf = (id: string) => graph.states.find((state) => state.id === id)?.parent
      for (const one of nodes) {
        assert.isTrue(
          one.x >= 0 && one.y >= 0 && one.x + one.width <= width && one.y + one.height <= height,
          one.id
        )
        for (const other of nodes) {
          if (one === other || parentOf(one.id) === other.id || parentOf(other.id) === one.id) continue
          const apart =
            one.x + one.width <= other.x ||
            other.x + other.width <= one.x ||
            one.y + one.height <= other.y ||
            other.y + other.height <= one.y
          assert.isTrue(apart, `${one.id} lies over ${other.id}`)
        }
      }
    }
  )
  it("draws one line for all transitions between two states", () => {
    const graph = graphOf(journeyRun)
    const line = layoutOf(graph).edges.find(({ from, to }) => from === "interrupted" && to === "recovering")
    assert.lengthOf(line?.transitions ?? [], 6)
    assert.isAtLeast(line?.points.length ?? 0, 2)
  })
})
