/** The names of suites and journeys: lists show them in place of ids. */
import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { nameOfId } from "../format/words.ts"
import { journeysQuery, suitesQuery } from "./queries.ts"

/** Each answers the words of the id until the catalogue is read, and for what it does not have any more. */
interface Names {
  readonly suite: (id: string | undefined) => string
  readonly journey: (id: string | undefined) => string
  /** False until both catalogues are read, or cannot be: a title that is shown before would change. */
  readonly areKnown: boolean
}

export function useNames(): Names {
  const suites = useQuery(suitesQuery())
  const journeys = useQuery(journeysQuery())
  const areKnown = !suites.isPending && !journeys.isPending
  return useMemo(() => {
    const namesOf = (list: ReadonlyArray<{ readonly id: string; readonly name: string }> = []) =>
      new Map(list.map(({ id, name }) => [id, name]))
    const [suite, journey] = [
      namesOf(suites.data),
      namesOf([...(journeys.data?.templates ?? []), ...(journeys.data?.packs ?? [])])
    ]
    return {
      suite: (id) => (id === undefined ? "Suite" : (suite.get(id) ?? nameOfId(id))),
      journey: (id) => (id === undefined ? "Journey" : (journey.get(id) ?? nameOfId(id))),
      areKnown
    }
  }, [suites.data, journeys.data, areKnown])
}
