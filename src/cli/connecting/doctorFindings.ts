/** What `plugfest doctor` says of each thing that it has looked at. Pure. */
import { dirname } from "node:path"
import type { DatabaseNow } from "../../operator.ts"
import type { SettingSources, Settings } from "../../Settings.ts"
import { egressRemedy } from "./egressRemedy.ts"

/** What was looked at, how it is, and what to do where it is not ok. */
export interface DoctorFinding {
  readonly name: string
  readonly state: "ok" | "warn" | "fail"
  readonly said: string
  readonly fix?: string
}

const leastNode = [20, 19] as const
/** Bytes of a GiB, which is also what a service needs of a disk. */
const gibibyte = 1024 ** 3
const mostApartMillis = 5_000

/** Is this version of Node one that the service runs on? */
export function nodeFinding(version: string): DoctorFinding {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  const isOld = major < leastNode[0] || (major === leastNode[0] && minor < leastNode[1])
  return isOld
    ? {
        name: "Node",
        state: "fail",
        said: version,
        fix: `install Node 24, or ${leastNode.join(".")} at least`
      }
    : { name: "Node", state: "ok", said: version }
}

/** From where the settings are that the others are judged by; `serving`: a service runs, which may have others. */
export function settingsFinding(
  { environment, flags }: SettingSources,
  { serving }: { readonly serving: boolean }
): DoctorFinding {
  const parts = [
    ...(flags.length === 0 ? [] : [`from flags: ${flags.join(", ")}`]),
    ...(environment.length === 0 ? [] : [`from the environment of this shell: ${environment.join(", ")}`])
  ]
  const own =
    parts.length === 0
      ? "all by default: neither flags nor the environment of this shell give one"
      : `${parts.join("; ")}; the others by default`
  return {
    name: "settings",
    state: "ok",
    said: `${own}${serving ? ". The service that runs may have been started with others" : ""}`
  }
}

/** Can this user write the data directory, an absolute path? `isThere`: else a service makes it. */
export const dataDirectoryFinding = (
  path: string,
  { isThere, isWritable }: { readonly isThere: boolean; readonly isWritable: boolean }
): DoctorFinding =>
  isWritable
    ? {
        name: "data directory",
        state: "ok",
        said: isThere ? path : `${path} is not there yet; the first start makes it`
      }
    : {
        name: "data directory",
        state: "fail",
        said: `${path} cannot be written`,
        fix: `give this user the right to write ${dirname(path)}, or choose another: DATA_DIR=… npx plugfest serve`
      }

/** Has the disk of this folder space enough? `free`: in bytes; undefined when it could not be read. */
export function diskFinding(folder: string, free: number | undefined): DoctorFinding {
  const name = "disk"
  const another = "choose a folder on another disk: DATA_DIR=… npx plugfest serve"
  if (free === undefined)
    return {
      name,
      state: "warn",
      said: `the free space of ${folder} cannot be read`,
      fix: `look whether df ${folder} says 1 GiB at least, or ${another}`
    }
  const said = `${(free / gibibyte).toFixed(1)} GiB free`
  return free < gibibyte
    ? { name, state: "fail", said, fix: `free 1 GiB at least, or ${another}` }
    : { name, state: "ok", said }
}

/** Can the service listen there, or does it already? */
export function portFinding(
  { host, port }: Pick<Settings, "host" | "port">,
  { isFree, serving }: { readonly isFree: boolean; readonly serving: boolean }
): DoctorFinding {
  const name = "port"
  const at = `${host}:${port}`
  if (serving) return { name, state: "ok", said: `plugfest serves at ${at} already` }
  return isFree
    ? { name, state: "ok", said: `${at} is free` }
    : {
        name,
        state: "fail",
        said: `${at} cannot be listened on; another program may have it`,
        fix: `choose another: PORT=${port + 1} npx plugfest serve`
      }
}

/** How the database is, or why it cannot be used. */
export type DatabaseAnswer = DatabaseNow | { readonly failure: string }

/** Can the database be used, and has it the time of this machine? Two findings: the second is about the clock. */
export function databaseFindings(
  { databaseUrl }: Pick<Settings, "databaseUrl">,
  answer: DatabaseAnswer
): ReadonlyArray<DoctorFinding> {
  if ("failure" in answer)
    return [
      {
        name: "database",
        state: "fail",
        said: answer.failure,
        fix:
          databaseUrl === undefined
            ? "choose another DATA_DIR, or set DATABASE_URL to a Postgres 15 or newer of yours"
            : "check host, login and database of DATABASE_URL"
      },
      {
        name: "clock",
        state: "warn",
        said: "not looked at, because the database has the time",
        fix: "mend the database, and call plugfest doctor again"
      }
    ]
  if (answer.state !== "answers")
    return [
      {
        name: "database",
        state: "ok",
        said:
          answer.state === "none"
            ? "embedded Postgres, of which there is none here yet; the first start makes it"
            : `embedded Postgres ${answer.version} in ${answer.folder} does not run; a service starts it`
      },
      { name: "clock", state: "ok", said: "that of this machine, which the embedded Postgres has, too" }
    ]
  const apart = Math.abs(answer.aheadMillis)
  const which = databaseUrl === undefined ? "embedded Postgres" : "Postgres of DATABASE_URL,"
  const clock = `${apart} ms from the database's, which is the time of the service`
  return [
    { name: "database", state: "ok", said: `${which} ${answer.version}` },
    apart > mostApartMillis
      ? { name: "clock", state: "fail", said: clock, fix: "synchronise both clocks, for instance with NTP" }
      : { name: "clock", state: "ok", said: clock }
  ]
}

/** Does the service answer at its public URL? `answers`: to this machine, which says nothing of the network of a partner. */
export function publicUrlFinding(
  url: string,
  { answers, serving }: { readonly answers: boolean; readonly serving: boolean }
): DoctorFinding {
  const name = "public URL"
  if (/^(127\.|localhost$|\[::1\])/.test(new URL(url).hostname))
    return {
      name,
      state: "warn",
      said: `${url} is this machine: a partner elsewhere cannot call back`,
      fix: "PUBLIC_URL=https://ocpi.example.com npx plugfest serve, with a name that the partner reaches"
    }
  if (answers)
    return {
      name,
      state: "ok",
      said: `${url} answers this machine; whether it answers the partner, only a call from there can show`
    }
  return serving
    ? {
        name,
        state: "fail",
        said: `${url} does not answer this machine, though the service is up`,
        fix: "look at DNS, TLS proxy and firewall between that name and this port"
      }
    : {
        name,
        state: "warn",
        said: `${url} is not looked at, because the service is not up`,
        fix: "start it, and call plugfest doctor again"
      }
}

/** Which addresses may be called at all. */
export const partnersFinding = ({ egressAllowCidrs }: Pick<Settings, "egressAllowCidrs">): DoctorFinding => ({
  name: "partners",
  state: "ok",
  said:
    egressAllowCidrs.length === 0
      ? "public addresses only"
      : `public addresses, and ${egressAllowCidrs.join(", ")}`
})

/**
 * May a URL be called, and does it answer? `blocked`: why not. `unreached`: why no answer came to this machine. `serving`: a service
 * runs, whose settings may be others than those of this process.
 */
interface PartnerAnswer {
  readonly blocked?: { readonly message: string; readonly reason: string }
  readonly unreached?: string | undefined
  readonly serving: boolean
}

const whoseSettings = (serving: boolean): string =>
  serving ? " by the settings of this command (those of the service that runs may be others)" : ""

/** May this URL be called, and does anybody answer there? */
export const partnerFinding = (url: string, { blocked, serving, unreached }: PartnerAnswer): DoctorFinding =>
  blocked === undefined
    ? unreached === undefined
      ? { name: "partner", state: "ok", said: `${url} may be called${whoseSettings(serving)}` }
      : {
          name: "partner",
          state: "fail",
          said: `${url} may be called, and does not answer this machine: ${unreached}`,
          fix: "look at the spelling, DNS, TLS and the firewalls between this machine and the partner"
        }
    : {
        name: "partner",
        state: "fail",
        said: `${url} may not be called${whoseSettings(serving)}: ${blocked.message}`,
        fix:
          blocked.reason === "address"
            ? egressRemedy(url)
            : blocked.reason === "scheme"
              ? "use https, or ALLOW_HTTP=on npx plugfest serve"
              : "use another URL"
      }
