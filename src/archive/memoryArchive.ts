/** An archive in memory, for tests. */
import { Effect, Option } from "effect"
import { type ArchiveStore, named } from "./ArchiveStore.ts"

/** The adapter on a map of objects by name, which the caller may change behind its back. */
export const memoryArchive = (
  objects: Map<string, Buffer> = new Map<string, Buffer>()
): ArchiveStore["Type"] => ({
  place: "memory",
  put: (name, object) =>
    Effect.zipRight(
      named(name),
      Effect.sync(() => void objects.set(name, Buffer.from(object)))
    ),
  get: (name, mostBytes) =>
    Effect.zipRight(
      named(name),
      Effect.sync(() =>
        Option.map(Option.fromNullable(objects.get(name)), (object) => object.subarray(0, mostBytes + 1))
      )
    ),
  remove: (name) =>
    Effect.zipRight(
      named(name),
      Effect.sync(() => void objects.delete(name))
    )
})
