/** Two owners, every operation with an id, every kind of id, both directions: what is not owned is not there. */
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { makeKey } from "../../support/service/command.ts"
import { migratedDatabase } from "../../support/service/database.ts"
import {
  type Asking,
  freeTexts,
  fullRequestOf,
  guarded,
  hasProtectiveHeaders,
  type Operation,
  operationsOf,
  type Place,
  placesOf,
  requestOf
} from "../../support/service/operations.ts"
import { type Answer, key, type Service, startService } from "../../support/service/Service.ts"
import { refused } from "../../support/service/shapes.ts"
import { storedRows } from "../../support/service/storedRows.ts"
import { furnish, type Owner } from "../../support/service/twoOwners.ts"
import { tried as counted } from "../../support/tried.ts"

describe("what another owner has", () => {
  let database: string
  let service: Service
  let operations: ReadonlyArray<Operation>
  let pairs: ReadonlyArray<readonly [asker: Owner, victim: Owner]>

  beforeAll(async () => {
    database = await migratedDatabase(inject("pgUrl"))
    service = await startService({ DATABASE_URL: database })
    operations = guarded(await operationsOf(service))
    const second = await makeKey({ DATABASE_URL: database }, "second")
    const first = await furnish(service, "first", { authorization: `Bearer ${key}` })
    const other = await furnish(service, "other", { authorization: `Bearer ${second}` })
    pairs = [
      [first, other],
      [other, first]
    ]
  }, 120_000)
  afterAll(async () => {
    await service?.kill("SIGTERM")
  })

  const ask = async (who: Owner, { body, method, path }: Asking): Promise<Answer> => {
    const answer = await service.call(method, path, body, who.headers)
    hasProtectiveHeaders(`${method} ${path}`, answer)
    return answer
  }

  /** Nothing of the victim's in the answer. The asker's own words may come back, and with them the id that he sent. */
  const givesNothingAway = (what: string, answer: Answer, victim: Owner, sent: string) => {
    for (const word of [victim.mark, ...victim.all]) {
      if (!sent.includes(word)) assert.notInclude(answer.text, word, what)
    }
  }

  /** Did it change anything of the victim's? Names the operation that did. */
  const unchanged = async (what: string, victim: Owner, before: Awaited<ReturnType<typeof storedRows>>) =>
    assert.deepStrictEqual(await storedRows(database, victim.all), before, what)

  it("is known to the generator: it can say of each id in each operation what it is the id of", () => {
    const kinds = new Set(operations.flatMap(placesOf).map(({ kind }) => kind))
    assert.sameMembers([...kinds], ["connection", "sandbox", "report", "run", "command", "scenario", "key"])
    const unheard = { ...operations[0]!, template: "/api/v1/novelties/{id}" }
    assert.throws(() => placesOf(unheard), /novelties/)
    assert.throws(() => placesOf({ ...operations[0]!, fields: { noveltyId: {} } }), /noveltyId/)
  })

  it("answers as what there is not, on every path, in every field, and stays as it was", async () => {
    let places = 0
    let tried = 0
    for (const [asker, victim] of pairs) {
      const before = await storedRows(database, victim.all)
      for (const operation of operations) {
        for (const place of placesOf(operation)) {
          places += 1
          let reached = false
          for (const requestFor of requestsFor(operation, place, asker)) {
            const nobodys = unknownLike(asker, place)
            const unknown = await ask(asker, requestFor(nobodys))
            const foreign = await ask(asker, requestFor(foreignId(victim, place)))
            const what = `${operation.name} ${place.at} ${place.field} of ${victim.name}`
            assert.deepStrictEqual(
              [foreign.status, foreign.text.replaceAll(foreignId(victim, place), nobodys)],
              [unknown.status, unknown.text],
              what
            )
            givesNothingAway(what, foreign, victim, foreignId(victim, place))
            if (place.at === "path") refused(foreign, 404)
            // A filter of a list may find nothing instead.
            const nothing = JSON.stringify((foreign.body as any)?.data) === "[]"
            reached ||= foreign.status === 404 || (place.at === "query" && nothing)
            tried += 2
          }
          assert.isTrue(reached, `${operation.name}: no request got as far as looking for ${place.field}`)
        }
        await unchanged(operation.name, victim, before)
      }
    }
    counted(
      "B3",
      ["every place of an id"],
      `${places} places, ${tried} requests, no foreign answer, no row changed`
    )
  }, 240_000)

  it("is not found by an id in another form, nor by an id of another kind", async () => {
    let tried = 0
    for (const [asker, victim] of pairs) {
      const before = await storedRows(database, victim.all)
      for (const operation of operations) {
        const place = placesOf(operation).find(({ at }) => at === "path")
        if (place === undefined) continue
        for (const id of victim.all.flatMap((one) => [
          one,
          ...(one === foreignId(victim, place) ? formsOf(one) : [])
        ])) {
          const answer = await ask(asker, requestOf(operation, asker.ids, place, id))
          assert.include([404, 405], answer.status, `${operation.name} ${id} ${answer.text}`)
          givesNothingAway(operation.name, answer, victim, id)
          tried += 1
        }
        await unchanged(operation.name, victim, before)
      }
    }
    counted("B3", [`${formsOf("any").length} other forms`], `${tried} with ids of other kinds, all refused`)
  }, 240_000)

  it("is not opened by its id in a text that is no id", async () => {
    let tried = 0
    const [asker, victim] = pairs[0]!
    const before = await storedRows(database, victim.all)
    for (const operation of operations.filter(({ scope }) => scope === "read" || scope === "run")) {
      for (const place of freeTexts(operation)) {
        for (const id of Object.values(victim.ids)) {
          const answer = await ask(asker, requestOf(operation, asker.ids, place, id))
          givesNothingAway(`${operation.name} ${place.field}`, answer, victim, id)
          assert.isBelow(answer.status, 500, `${operation.name} ${place.field}`)
          tried += 1
        }
      }
    }
    const after = await storedRows(database, [victim.mark])
    assert.isAbove(Object.keys(after).length, 3)
    await unchangedButForTheAskers(before, asker, victim)
    counted("B3", ["every free text"], `${tried} with an id in a free text, none opened`)
  }, 240_000)

  /** What the asker made may name the victim's id (he wrote it there); what was there before is there still. */
  const unchangedButForTheAskers = async (
    before: Readonly<Record<string, ReadonlyArray<string>>>,
    asker: Owner,
    victim: Owner
  ) => {
    const after = await storedRows(database, victim.all)
    for (const [table, kept] of Object.entries(before)) {
      assert.includeMembers(
        [...(after[table] ?? [])],
        [...kept],
        `${table} of ${victim.name}, by ${asker.name}`
      )
    }
  }
})

/** Requests that could reach the place: as the example is, without one of its fields, and with every query parameter. */
function requestsFor(
  operation: Operation,
  place: Place,
  asker: Owner
): ReadonlyArray<(id: string) => Asking> {
  const { example } = operation
  const bodies =
    place.at !== "body" || example === undefined
      ? [operation]
      : [undefined, ...Object.keys(example).filter((field) => field !== place.field)].map((left) => ({
          ...operation,
          example: Object.fromEntries(Object.entries(example).filter(([field]) => field !== left))
        }))
  const plain = bodies.map((one) => (id: string) => requestOf(one, asker.ids, place, id))
  return place.at === "body" ? plain : [...plain, (id) => fullRequestOf(operation, asker.ids, place, id)]
}

function foreignId(victim: Owner, { kind }: Place): string {
  return victim.ids[kind as keyof Owner["ids"]]
}

/** An id that nobody has, of the form that ids of this kind have. */
function unknownLike(owner: Owner, place: Place): string {
  return foreignId(owner, place).replace(/_.*/, "_0193a5c0000070008000000000000000")
}

function formsOf(id: string): ReadonlyArray<string> {
  const [prefix = "", body = ""] = id.split("_")
  const uuid = body.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")
  return [
    id.toUpperCase(),
    body,
    uuid,
    `${prefix}_${uuid}`,
    `${id}%20`,
    `%20${id}`,
    `${id}%00`,
    `${id}%0a`,
    `x%2f..%2f${id}`,
    `${id}%2f`,
    `${id},${id}`,
    `${id}'--`
  ]
}
