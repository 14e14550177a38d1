import type { RunReport } from "../../client/plugfest.ts"

/** The form's part of the URL for an order that was given before; accepted failures are no part of it. */
export function viewOf(order: RunReport["order"]): Readonly<Record<string, string>> {
  const { checks = [], clauses = [], listenSeconds = 0, modules = [], needs, only, profile } = order ?? {}
  return {
    ...(checks.length === 0 ? {} : { checks: checks.join(", ") }),
    ...(clauses.length === 0 ? {} : { clauses: clauses.join("; ") }),
    ...(modules.length === 0 ? {} : { module: modules.join(".") }),
    ...(listenSeconds === 0 ? {} : { listen: String(listenSeconds) }),
    ...(needs === undefined ? {} : { needs: needs.length === 0 ? "none" : needs.join(".") }),
    ...(only === undefined ? {} : { failed: only.replace(/^failed-of:/, "") }),
    ...(profile === "strict" ? { profile } : {})
  }
}
