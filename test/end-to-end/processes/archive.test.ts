/** Archived runs of the built service in a folder; test/long/archive.test.ts plays the same with a bucket. */
import { mkdir, rename } from "node:fs/promises"
import { playArchivedRuns } from "../../support/service/archivedRuns.ts"

playArchivedRuns("runs that are archived in a folder", async (folder) => {
  await mkdir(folder)
  return {
    env: { ARCHIVE_URL: folder },
    folder,
    stop: () => rename(folder, `${folder}-away`),
    start: () => rename(`${folder}-away`, folder),
    end: async () => {}
  }
})
