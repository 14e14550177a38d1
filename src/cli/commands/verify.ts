/** Verifies the ledger of a run, read from a service or from an exported file. */
import { Args, Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import type { LedgerVerification } from "../../../schema/ledger/LedgerDocument.ts"
import { verifyExport } from "../../main.ts"
import { verdictLine } from "../follow/checkLines.ts"
import { reaching } from "../service/ServiceUnreachable.ts"
import { serviceFlags, serviceOf } from "../service/serviceFlags.ts"
import { exitWith } from "../terminal/exitCode.ts"
import { readText } from "../terminal/readText.ts"
import { plain, TerminalOutput } from "../terminal/Terminal.ts"
import { UsageError } from "../terminal/UsageError.ts"

/** `plugfest verify`: verifies the ledger of a run. Exit code 1 when something differs. */
export const verifyCommand = Command.make(
  "verify",
  {
    ...serviceFlags,
    file: Options.text("file").pipe(
      Options.withDescription(
        "an exported file of format ledger or signed, instead of a run; - reads stdin; needs no service"
      ),
      Options.optional
    ),
    publicKey: Options.text("public-key").pipe(
      Options.withPseudoName("key"),
      Options.withDescription(
        "the key that must have signed the file: a PEM or JWKS file (/.well-known/jwks.json of the service), or base64"
      ),
      Options.optional
    ),
    run: Args.text({ name: "run" }).pipe(Args.withDescription("a run id or a report id"), Args.optional)
  },
  (given) =>
    Effect.gen(function* () {
      const terminal = yield* TerminalOutput
      if (Option.isSome(given.file) === Option.isSome(given.run))
        return yield* new UsageError({ message: "Give either a run or --file" })
      if (Option.isNone(given.file) && Option.isSome(given.publicKey))
        return yield* new UsageError({ message: "--public-key needs --file" })
      const text = yield* Option.match(given.file, {
        onNone: () =>
          exportOf(
            given,
            Option.getOrElse(given.run, () => "")
          ),
        onSome: readText
      })
      const key = Option.isNone(given.publicKey) ? undefined : yield* keyText(given.publicKey.value)
      const found = yield* verifyExport(text, key)
      for (const line of given.json ? [JSON.stringify(found)] : linesOf(found)) yield* terminal.print(line)
      yield* exitWith(found.difference === null ? 0 : 1)
    })
)

const exportOf = (given: Parameters<typeof serviceOf>[0], id: string) =>
  Effect.flatMap(serviceOf(given), ({ api }) =>
    api.testing.exportRun({ path: { id }, urlParams: { format: "ledger" } })
  ).pipe(reaching)

/** 43 or 44 characters of base64 are a key; anything else is the name of a file. */
const keyText = (given: string): Effect.Effect<string, UsageError> =>
  /^[A-Za-z0-9+/_-]{43}=?$/.test(given) ? Effect.succeed(given) : readText(given)

function linesOf(found: LedgerVerification): ReadonlyArray<string> {
  const { difference, headHash, lines, report, runId } = found
  const signed = signatureLine(found)
  return difference === null
    ? [
        `${plain(runId)}  intact: ${lines} lines, head ${headHash}`,
        ...(report === null ? [] : [`recomputed  ${plain(verdictLine(report))}`]),
        ...signed
      ]
    : [`${plain(runId)}  NOT INTACT (${difference.part}): ${plain(difference.message)}`, ...signed]
}

function signatureLine({ keyId, signature }: LedgerVerification): ReadonlyArray<string> {
  switch (signature) {
    case "valid":
      return [`signed by key ${plain(keyId ?? "")}`]
    case "unproved":
      return [`signed, as it claims, by key ${plain(keyId ?? "")}; not verified without --public-key`]
    default:
      return []
  }
}
