/** The address of an archive, as ARCHIVE_URL has it. Pure. */
import { isAbsolute, resolve } from "node:path"
import { fileURLToPath } from "node:url"

/** A folder, or a bucket with what all names in it begin with (without a slash at its ends; may be empty). */
export type ArchiveAddress =
  | { readonly kind: "folder"; readonly folder: string }
  | { readonly kind: "s3"; readonly bucket: string; readonly prefix: string }

/** Reads an absolute path, `file:///path` or `s3://bucket/prefix`. Undefined: it is none of these. */
export function archiveAddress(text: string): ArchiveAddress | undefined {
  if (text.startsWith("s3://")) return bucketIn(text.slice("s3://".length))
  const path = text.startsWith("file:") ? pathIn(text) : text
  return path !== undefined && isAbsolute(path) && !path.includes("\0")
    ? { kind: "folder", folder: resolve(path) }
    : undefined
}

/** The address as a text, for messages. */
export const addressText = (address: ArchiveAddress): string =>
  address.kind === "folder"
    ? address.folder
    : `s3://${address.bucket}${address.prefix === "" ? "" : `/${address.prefix}`}`

function bucketIn(text: string): ArchiveAddress | undefined {
  const [, bucket, prefix = ""] = /^([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*?)\/?)?$/.exec(text) ?? []
  if (bucket === undefined) return undefined
  const parts = prefix === "" ? [] : prefix.split("/")
  // Characters that every S3-compatible server and every proxy leaves as they are.
  return parts.every((part) => /^[A-Za-z0-9_.-]+$/.test(part) && part !== "." && part !== "..")
    ? { kind: "s3", bucket, prefix }
    : undefined
}

function pathIn(text: string): string | undefined {
  try {
    return fileURLToPath(text)
  } catch {
    return undefined
  }
}
