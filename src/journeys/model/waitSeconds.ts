import type { RunHistory } from "./RunHistory.ts"

/** The limit that the caller set for waits (input `waitSeconds`), else `otherwise`; in seconds. */
export function waitSeconds({ inputs }: Pick<RunHistory, "inputs">, otherwise: number): number {
  return typeof inputs["waitSeconds"] === "number" ? inputs["waitSeconds"] : otherwise
}
