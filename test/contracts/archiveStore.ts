/** What every archive promises. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Option, type Scope } from "effect"
import { type ArchiveStore, isObjectName } from "../../src/archive/ArchiveStore.ts"

/** A name that an object of this run may have. */
export const objectName = (run: string, fill = "a"): string =>
  `run_${run}/${fill.repeat(64)}-${fill.repeat(16)}.json.gz`

/** Bytes that are no text. */
export const someBytes = (length: number, step = 7): Buffer =>
  Buffer.from(Uint8Array.from({ length }, (_, index) => (index * step) % 256))

export const archiveStoreContract = (
  name: string,
  open: Effect.Effect<ArchiveStore["Type"], never, Scope.Scope>
) =>
  describe(name, () => {
    const promise = (
      title: string,
      body: (store: ArchiveStore["Type"]) => Effect.Effect<void, unknown, Scope.Scope>
    ) => it.scopedLive(title, () => Effect.flatMap(open, body))

    promise("gives back what was put, byte by byte", (store) =>
      Effect.gen(function* () {
        const object = someBytes(300_000)
        yield* store.put(objectName("a"), object)
        const found = Option.getOrThrow(yield* store.get(objectName("a"), object.length))
        assert.isTrue(found.equals(object))
        assert.isTrue(Option.isNone(yield* store.get(objectName("b"), 10)))
        assert.isTrue(Option.isNone(yield* store.get(objectName("a", "b"), 10)))
      })
    )

    promise("keeps several objects of one run apart", (store) =>
      Effect.gen(function* () {
        yield* store.put(objectName("a", "1"), Buffer.from("one"))
        yield* store.put(objectName("a", "2"), Buffer.from("two"))
        yield* store.remove(objectName("a", "1"))
        assert.isTrue(Option.isNone(yield* store.get(objectName("a", "1"), 10)))
        assert.strictEqual(String(Option.getOrThrow(yield* store.get(objectName("a", "2"), 10))), "two")
      })
    )

    promise("replaces an object of the same name, also by a shorter one", (store) =>
      Effect.gen(function* () {
        yield* store.put(objectName("a"), Buffer.from("a longer one"))
        yield* store.put(objectName("a"), Buffer.from("short"))
        assert.strictEqual(String(Option.getOrThrow(yield* store.get(objectName("a"), 100))), "short")
      })
    )

    promise("reads no more of an object than one byte beyond what is asked for", (store) =>
      Effect.gen(function* () {
        const object = someBytes(5_000_000)
        yield* store.put(objectName("a"), object)
        const found = Option.getOrThrow(yield* store.get(objectName("a"), 1000))
        assert.isTrue(found.equals(object.subarray(0, 1001)))
      })
    )

    promise("removes an object once, and what is not there without an error", (store) =>
      Effect.gen(function* () {
        yield* store.put(objectName("a"), Buffer.from("one"))
        yield* store.remove(objectName("a"))
        yield* store.remove(objectName("a"))
        assert.isTrue(Option.isNone(yield* store.get(objectName("a"), 10)))
      })
    )

    promise("has a place, which says nothing secret", (store) =>
      Effect.sync(() => assert.match(store.place ?? "", /^(memory|\/.+|s3:\/\/[a-z0-9./-]+)$/))
    )

    for (const wrong of [
      "../../etc/passwd",
      `run_a/../../${"a".repeat(64)}-${"a".repeat(16)}.json.gz`,
      `run_../${"a".repeat(64)}-${"a".repeat(16)}.json.gz`,
      `run_a/${"a".repeat(64)}-${"a".repeat(16)}.json.gz\0`,
      `/run_a/${"a".repeat(64)}-${"a".repeat(16)}.json.gz`,
      `run_a/b/${"a".repeat(64)}-${"a".repeat(16)}.json.gz`,
      `run_a%2f..%2f/${"a".repeat(64)}-${"a".repeat(16)}.json.gz`,
      ""
    ])
      promise(`takes no name that leads elsewhere: ${JSON.stringify(wrong.slice(0, 30))}`, (store) =>
        Effect.gen(function* () {
          assert.isFalse(isObjectName(wrong))
          for (const tried of [
            store.put(wrong, Buffer.from("x")),
            store.get(wrong, 10),
            store.remove(wrong)
          ]) {
            const exit = yield* Effect.exit(tried)
            assert.isTrue(Exit.isFailure(exit) && exit.cause._tag === "Die", String(exit))
          }
        })
      )
  })
