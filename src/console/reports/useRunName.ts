import { useQuery } from "@tanstack/react-query"
import type { RunReport } from "../../client/plugfest.ts"
import { journeysQuery, suitesQuery } from "../data/queries.ts"

/** The name of the suite or journey that a run plays; undefined while it is read, and its id where the catalogue has no name. */
export function useRunName(report: RunReport | undefined): string | undefined {
  const isSuite = report?.kind === "conformance"
  const suites = useQuery({ ...suitesQuery(), enabled: isSuite })
  const journeys = useQuery({ ...journeysQuery(), enabled: report !== undefined && !isSuite })
  if (report === undefined || (isSuite ? suites : journeys).isLoading) return undefined
  const named = isSuite ? suites.data : [...(journeys.data?.templates ?? []), ...(journeys.data?.packs ?? [])]
  const id = report.suiteId ?? report.templateId
  return named?.find((one) => one.id === id)?.name ?? id ?? "Report"
}
