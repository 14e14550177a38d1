/** The text of the library's documents, without its colours. Pure. */
import type { HelpDoc } from "@effect/cli"
import type { Span } from "@effect/cli/HelpDoc/Span"

/** The text of a span, without its colours and weights. */
export function textOfSpan(span: Span): string {
  if (span._tag === "Sequence") return textOfSpan(span.left) + textOfSpan(span.right)
  return typeof span.value === "string" ? span.value : textOfSpan(span.value)
}

/** Headers, paragraphs and lists of a document, in order. */
export function partsOf(doc: HelpDoc.HelpDoc): ReadonlyArray<HelpDoc.HelpDoc> {
  return doc._tag === "Sequence" ? [...partsOf(doc.left), ...partsOf(doc.right)] : [doc]
}

/** The paragraphs of a document. */
export const paragraphsOf = (doc: HelpDoc.HelpDoc): ReadonlyArray<string> =>
  partsOf(doc).flatMap((part) => (part._tag === "Paragraph" ? [textOfSpan(part.value)] : []))
