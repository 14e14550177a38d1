import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { folderArchive } from "../../src/archive/folderArchive.ts"
import { archiveStoreContract, objectName } from "../contracts/archiveStore.ts"

/** A folder that is removed with the scope. */
const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "plugfest-archive-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

archiveStoreContract("folderArchive", Effect.map(folder, folderArchive))

describe("folderArchive", () => {
  it.scopedLive("keeps objects from other accounts, and leaves nothing unfinished", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const store = folderArchive(path)
      yield* store.put(objectName("a"), Buffer.from("one"))
      assert.lengthOf(readdirSync(join(path, "run_a")), 1)
      assert.strictEqual(statSync(join(path, objectName("a"))).mode & 0o777, 0o600)
      assert.strictEqual(statSync(join(path, "run_a")).mode & 0o777, 0o700)
      yield* store.remove(objectName("a"))
      assert.deepStrictEqual(readdirSync(path), [])
    })
  )

  it.scopedLive(
    "does not take a folder that is not mounted for one without objects, and does not make it",
    () =>
      Effect.gen(function* () {
        const path = yield* folder
        const store = folderArchive(join(path, "archive"))
        const read = yield* Effect.flip(store.get(objectName("a"), 10))
        assert.match(read.message, /cannot be read now \(ENOENT: the folder is not there\)/)
        const written = yield* Effect.flip(store.put(objectName("a"), Buffer.from("one")))
        assert.match(written.message, /cannot be written now \(ENOENT: the folder is not there\)/)
        assert.deepStrictEqual(readdirSync(path), [])
      })
  )

  it.scopedLive("says where it is and what the system said when it cannot be used", () =>
    Effect.gen(function* () {
      const path = yield* folder
      writeFileSync(join(path, "file"), "")
      const inFile = folderArchive(join(path, "file"))
      const error = yield* Effect.flip(inFile.put(objectName("a"), Buffer.from("one")))
      assert.strictEqual(error._tag, "ArchiveAway")
      assert.match(error.message, /^The archive \/.*\/file cannot be written now \((ENOTDIR|EEXIST)\)$/)
      const store = folderArchive(path)
      yield* store.put(objectName("b"), Buffer.from("one"))
      // A folder where a file should be, which even root cannot read.
      rmSync(join(path, objectName("b")))
      mkdirSync(join(path, objectName("b")))
      assert.match(
        (yield* Effect.flip(store.get(objectName("b"), 10))).message,
        /cannot be read now \(EISDIR\)/
      )
    })
  )
})
