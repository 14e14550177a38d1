/** Our parser beside another one, on any text in any pieces. */
import { createParser } from "eventsource-parser"
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { eventParser } from "../../src/client/eventFrames.ts"

const piece = fc.constantFrom(
  ...["data: ", "data:", "data", "id: 7", "id:", "event: run", ": note", "{}", "a b", "é", ":"],
  ...["\n", "\n\n", "\r\n", "\r\n\r\n", "\r", "retry: 5", "\0", "other: x", " "]
)

describe("the frames of an event stream", () => {
  it("are those that another parser finds, wherever the text is cut", () => {
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 40 }),
        fc.array(fc.nat(60), { maxLength: 8 }),
        (pieces, cuts) => {
          // A last line end: the other one keeps a carriage return at the end of a piece back in another way.
          const text = `${pieces.join("")}\n\n`
          const places = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length]
          const parse = eventParser()
          const ours = places.slice(1).flatMap((to, index) => parse(text.slice(places[index], to)))
          const theirs: Array<object> = []
          const other = createParser({
            onEvent: ({ data, event }) =>
              theirs.push({ data, event: event === undefined || event === "" ? "message" : event })
          })
          other.feed(text)
          assert.deepStrictEqual(
            ours.map(({ data, event }) => ({ data, event })),
            theirs
          )
        }
      ),
      { numRuns: 500 }
    )
  })

  it("come as soon as they are complete, and never before", () => {
    const parse = eventParser()
    assert.deepStrictEqual(parse('id: 1\ndata: {"a":'), [])
    assert.deepStrictEqual(parse("1}\n"), [])
    assert.deepStrictEqual(parse("\n: heartbeat\n\n"), [{ id: "1", event: "message", data: '{"a":1}' }])
  })
})
