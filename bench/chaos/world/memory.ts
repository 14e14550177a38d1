/** Memory of a process of the service. */
import { readFileSync } from "node:fs"
import type { Service } from "../../../test/support/service/Service.ts"

/** Resident memory in megabytes; NaN where there is no /proc. */
export function residentMegabytes(service: Service): number {
  try {
    const text = readFileSync(`/proc/${service.process.pid}/status`, "utf8")
    return Number(/VmRSS:\s+(\d+)/.exec(text)?.[1]) / 1024
  } catch {
    return Number.NaN
  }
}
