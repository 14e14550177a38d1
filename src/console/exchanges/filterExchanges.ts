/** Which exchanges a list shows. Pure. */
import type { Data } from "../../client/plugfest.ts"

type Exchange = Data<"connections.exchanges">[number]

/** The exchanges of a module, with all of these words in their first line. */
export function filterExchanges(
  exchanges: ReadonlyArray<Exchange>,
  filter: { readonly module?: string | undefined; readonly text?: string | undefined }
): ReadonlyArray<Exchange> {
  const words = (filter.text ?? "").toLowerCase().split(/\s+/)
  return exchanges.filter(
    (exchange) =>
      (filter.module === undefined || exchange.module === filter.module) && hasWords(exchange, words)
  )
}

/** The exchanges of one part of a run, from one side, with all of these words in their first line. */
export function filterRunExchanges<
  E extends { readonly stageId: string | null; readonly exchange: Exchange }
>(
  exchanges: ReadonlyArray<E>,
  filter: {
    readonly part?: string | undefined
    readonly direction?: string | undefined
    readonly text?: string | undefined
  }
): ReadonlyArray<E> {
  const words = (filter.text ?? "").toLowerCase().split(/\s+/)
  return exchanges.filter(
    ({ exchange, stageId }) =>
      (filter.part === undefined || stageId === filter.part) &&
      (filter.direction === undefined || exchange.direction === filter.direction) &&
      hasWords(exchange, words)
  )
}

/** Whether method, URL and status of the exchange have all of these words, which are in lower case. */
function hasWords({ outcome, request, response }: Exchange, words: ReadonlyArray<string>): boolean {
  const line = `${request.method} ${request.url} ${response?.httpStatus ?? outcome}`.toLowerCase()
  return words.every((word) => line.includes(word))
}

/** The modules of the exchanges, and the chosen one, by name. */
export const modulesIn = (
  exchanges: ReadonlyArray<Exchange>,
  chosen: string | undefined
): ReadonlyArray<string> =>
  [
    ...new Set([...exchanges.map(({ module }) => module), ...(chosen === undefined ? [] : [chosen])])
  ].toSorted()
