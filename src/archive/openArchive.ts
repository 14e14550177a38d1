/** Opens the archive of the settings. */
import { Effect, Layer } from "effect"
import { ArchiveAway, ArchiveStore, noArchive } from "./ArchiveStore.ts"
import { type ArchiveAddress, addressText } from "./archiveAddress.ts"
import { folderArchive } from "./folderArchive.ts"
import type { S3Access } from "./s3Archive.ts"

/** The archive, or what is missing. */
interface ArchiveOptions {
  /** Undefined: there is no archive. */
  readonly address: ArchiveAddress | undefined
  /** Undefined: no credentials are given, which a bucket needs. */
  readonly s3: S3Access | undefined
}

/** The store. What a bucket needs is read when it is asked for the first time. */
export const openArchive = ({ address, s3 }: ArchiveOptions): ArchiveStore["Type"] => {
  if (address === undefined) return noArchive
  if (address.kind === "folder") return folderArchive(address.folder)
  const place = addressText(address)
  let opened: Promise<ArchiveStore["Type"]> | undefined
  const bucket =
    s3 === undefined
      ? new ArchiveAway({
          message: `The archive ${place} needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY`
        })
      : Effect.promise(() => {
          opened ??= import("./s3Archive.ts").then(({ s3Archive }) => s3Archive(address, s3))
          return opened
        })
  return {
    place,
    put: (name, object) => Effect.flatMap(bucket, ({ put }) => put(name, object)),
    get: (name, mostBytes) => Effect.flatMap(bucket, ({ get }) => get(name, mostBytes)),
    remove: (name) => Effect.flatMap(bucket, ({ remove }) => remove(name))
  }
}

/** The layer of `openArchive`. */
export const archiveLayer = (options: ArchiveOptions): Layer.Layer<ArchiveStore> =>
  Layer.sync(ArchiveStore, () => openArchive(options))
