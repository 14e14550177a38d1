/**
 * The object of an archived run: its signed export, compressed, with the ids of its events beside the lines, so that the rows of the
 * tables can be made of it again.
 */
import { createHash, type KeyObject } from "node:crypto"
import { promisify } from "node:util"
import { gunzip, gzip } from "node:zlib"
import { Either, Schema } from "effect"
import { LedgerDocument, SignedEnvelope, signedLedgerType } from "../../../schema/ledger/LedgerDocument.ts"
import { isSignedBy, type SigningKey, signedEnvelope } from "../../reports/signature.ts"
import type { ArchiveNote, RunRow, WholeLine } from "../Ledger.ts"
import { ledgerDocumentOf } from "../run/ledgerDocument.ts"
import { verify } from "../run/verify.ts"

/** The largest object that is read or written, and the largest text in it: the longest text of Node is half a gibibyte. */
const mostBytes = 500_000_000

/** What is signed: an export of format `ledger`, whose readers do not look at the ids. */
const ArchivedDocument = Schema.Struct({
  ...LedgerDocument.fields,
  /** The id of each line's event, by which an append is recognized that comes again. */
  eventIds: Schema.Array(Schema.String)
})

/** An object, and what is noted of it. */
interface ArchiveObject {
  readonly note: ArchiveNote
  readonly object: Buffer
}

const sha256 = (data: Buffer): string => createHash("sha256").update(data).digest("hex")

/** The object of a run that is over. Left: its lines are not those that were written, or are too large for one object. */
export async function archiveObjectOf(
  row: RunRow,
  lines: ReadonlyArray<WholeLine>,
  exportedAt: string,
  signer: SigningKey
): Promise<Either.Either<ArchiveObject, string>> {
  const { headHash } = row
  const { runId } = row.facts
  const broken = verify(runId, lines, headHash)
  if (broken !== undefined) return Either.left(`its lines are not intact: ${broken.message}`)
  // More than base64 adds to them.
  const size = lines.reduce((bytes, { line }) => bytes + Buffer.byteLength(line), 0)
  if (size * 1.5 > mostBytes) return Either.left(`its lines are too many for one object: ${size} bytes`)
  const document: typeof ArchivedDocument.Type = {
    ...ledgerDocumentOf(row, lines, exportedAt),
    eventIds: lines.map(({ eventId }) => eventId)
  }
  const text = Buffer.from(JSON.stringify(signedEnvelope(signedLedgerType, JSON.stringify(document), signer)))
  const object = await promisify(gzip)(text)
  const sum = sha256(object)
  return Either.right({
    object,
    note: {
      runId,
      name: `${runId}/${headHash}-${sum.slice(0, 16)}.json.gz`,
      lines: lines.length,
      headHash,
      bytes: object.length,
      textBytes: text.length,
      sha256: sum
    }
  })
}

/** The lines of an object, byte by byte those that were archived. Left: it is not the one that was noted. */
export async function linesOf(
  note: ArchiveNote,
  object: Buffer
): Promise<Either.Either<ReadonlyArray<WholeLine>, string>> {
  const envelope = await envelopeOf(note, object)
  return Either.flatMap(envelope, (found) => wholeLines(note, found))
}

/** As `linesOf`, for an object that was just written: one of the keys has signed it, too. */
export async function provenLinesOf(
  note: ArchiveNote,
  object: Buffer,
  keys: ReadonlyArray<KeyObject>
): Promise<Either.Either<ReadonlyArray<WholeLine>, string>> {
  const envelope = await envelopeOf(note, object)
  return Either.flatMap(envelope, (found) =>
    keys.some((key) => isSignedBy(found, key))
      ? wholeLines(note, found)
      : Either.left("its signature is not one of this service")
  )
}

/** The envelope, after its size and its sum were checked: nothing else is decompressed, and no more than was noted. */
async function envelopeOf(
  { bytes, sha256: noted, textBytes }: ArchiveNote,
  object: Buffer
): Promise<Either.Either<SignedEnvelope, string>> {
  if (object.length !== bytes) {
    const found = object.length > bytes ? "more" : `${object.length}`
    return Either.left(`it has ${found} bytes, and had ${bytes} when it was written`)
  }
  if (sha256(object) !== noted) return Either.left("its SHA-256 is another one than when it was written")
  const text = await promisify(gunzip)(object, { maxOutputLength: textBytes }).catch(() => undefined)
  if (text?.length !== textBytes) return Either.left("it cannot be decompressed to what was written")
  return Either.mapLeft(decodeEnvelope(text.toString("utf8")), () => "it is no signed export")
}

function wholeLines(
  { headHash, lines: count, runId }: ArchiveNote,
  { payload }: SignedEnvelope
): Either.Either<ReadonlyArray<WholeLine>, string> {
  const decoded = decodeDocument(Buffer.from(payload, "base64").toString("utf8"))
  if (Either.isLeft(decoded)) return Either.left("it is no export of a run")
  const { eventIds, facts, lines } = decoded.right
  if (facts.runId !== runId) return Either.left(`it is of another run, ${facts.runId}`)
  if (lines.length !== count || eventIds.length !== count)
    return Either.left(`it has ${lines.length} lines, and had ${count} when it was written`)
  const whole = lines.map(
    ({ hash, line }, index): WholeLine => ({
      sequence: index + 1,
      line,
      eventId: eventIds[index]!,
      hash
    })
  )
  const broken = verify(runId, whole, headHash)
  return broken === undefined ? Either.right(whole) : Either.left(broken.message)
}

const decodeEnvelope = Schema.decodeUnknownEither(Schema.parseJson(SignedEnvelope))
/** Only what is read: the report of an earlier release may have another form, and is not read from here. */
const decodeDocument = Schema.decodeUnknownEither(
  Schema.parseJson(
    Schema.Struct({
      facts: Schema.Struct({ runId: Schema.String }),
      lines: ArchivedDocument.fields.lines,
      eventIds: ArchivedDocument.fields.eventIds
    })
  )
)
