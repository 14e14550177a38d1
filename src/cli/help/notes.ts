/** What the help of each command says beside its options: two examples, and what its exit codes mean. */

/** Examples as they are typed, and exit codes with their meaning. */
export interface Notes {
  readonly examples: readonly [string, string]
  readonly exits: Readonly<Record<string, string>>
}

const local = {
  0: "done",
  2: "wrong use or configuration",
  5: "the database could not be reached or started"
}
const remote = {
  2: "wrong use, or no such thing",
  4: "API key, plan or rate limit",
  5: "the service was not reached"
}
const cut = { 130: "interrupted by Ctrl-C" }
const list = { 0: "listed", ...remote }
const graded = {
  0: "passed; warnings are allowed",
  1: "the partner is wrong",
  3: "not enough could be judged",
  ...remote,
  ...cut
}
const played = {
  ...graded,
  3: "interrupted, or not enough could be judged",
  130: "no longer followed; the run goes on"
}

/** By the words of the command, sub-commands included. */
export const notes: Readonly<Record<string, Notes>> = {
  serve: {
    examples: ["plugfest serve", "plugfest serve --port 9090 --egress-allow-cidrs 127.0.0.0/8"],
    exits: {
      0: "stopped by SIGTERM or Ctrl-C",
      2: "a setting is wrong",
      5: "the service or its database could not be started"
    }
  },
  open: {
    examples: ["plugfest open", "plugfest open --print-only"],
    exits: { 0: "the link is printed", ...remote }
  },
  demo: {
    examples: ["plugfest demo", "plugfest demo --port 8090"],
    exits: { 0: "both verdicts are pass", 1: "one of them is not", 2: local[2], 5: local[5], ...cut }
  },
  doctor: {
    examples: ["plugfest doctor", "plugfest doctor https://cpo.example/ocpi/versions"],
    exits: { 0: "nothing is in the way", 2: "something is; its line says what to do" }
  },
  connect: {
    examples: [
      "plugfest connect https://cpo.example/ocpi/versions --their-role CPO --ocpi-version 2.2.1 --label my-cpo",
      "plugfest connect https://cpo.example/ocpi/versions --their-role CPO --ocpi-version 2.2.1 --invite"
    ],
    exits: {
      0: "registered, registered already, or invited",
      1: "the partner broke the protocol",
      2: "wrong use, no Token A, or the partner has another role",
      3: "the partner was not reached, or refused the token",
      4: remote[4],
      5: remote[5],
      ...cut
    }
  },
  connections: {
    examples: ["plugfest connections", "plugfest connections --json"],
    exits: list
  },
  disconnect: {
    examples: ["plugfest disconnect my-cpo", "plugfest disconnect conn_…"],
    exits: { 0: "removed", ...remote }
  },
  suites: {
    examples: ["plugfest suites --ocpi-version 2.2.1 --role CPO", "plugfest suites ocpi-2.2.1-cpo-core"],
    exits: list
  },
  test: {
    examples: [
      "plugfest test my-cpo --html report.html",
      "plugfest test my-cpo --suite full --only failed-of:rep_…"
    ],
    exits: { ...graded, 130: "interrupted by Ctrl-C; the run is cancelled, what was graded is kept" }
  },
  journeys: {
    examples: ["plugfest journeys my-cpo", "plugfest journeys --json"],
    exits: list
  },
  journey: {
    examples: [
      "plugfest journey my-cpo --template remote-start",
      "plugfest journey sandbox --pack go-live-cpo --ocpi-version 2.2.1"
    ],
    exits: played
  },
  watch: {
    examples: ["plugfest watch rep_…", "plugfest watch run_… --recover prompt"],
    exits: played
  },
  scenario: {
    examples: [
      "plugfest scenario validate patient-start.yaml",
      "plugfest scenario run patient-start.yaml my-cpo --dry-run"
    ],
    exits: { 0: "done, or passed", 1: "the partner is wrong", 2: "the file is wrong, or wrong use" }
  },
  "scenario import": {
    examples: [
      "plugfest scenario import patient-start.yaml",
      "plugfest scenario import patient-start.json --json"
    ],
    exits: { 0: "saved", ...remote }
  },
  "scenario export": {
    examples: ["plugfest scenario export scn_…", "plugfest scenario export scn_… --out patient-start.yaml"],
    exits: { 0: "printed or written", ...remote }
  },
  "scenario validate": {
    examples: [
      "plugfest scenario validate patient-start.yaml",
      "plugfest scenario validate patient-start.yaml --json"
    ],
    exits: { 0: "valid", 2: "the file has problems, or cannot be read" }
  },
  "scenario run": {
    examples: [
      "plugfest scenario run patient-start.yaml sandbox --ocpi-version 2.2.1",
      "plugfest scenario run scn_… my-cpo --dry-run"
    ],
    exits: played
  },
  validate: {
    examples: [
      "plugfest validate --ocpi-version 2.2.1 Location location.json",
      "curl -s https://cpo.example/cdr.json | plugfest validate --ocpi-version 2.2.1 CDR -"
    ],
    exits: { 0: "valid", 1: "invalid", 2: "wrong use, or an unreadable file" }
  },
  runs: {
    examples: ["plugfest runs my-cpo", "plugfest runs --kind journey --verdict fail"],
    exits: list
  },
  report: {
    examples: [
      "plugfest report rep_… --check LOC-009",
      "plugfest report rep_… --format html --out report.html"
    ],
    exits: { 0: "printed or written, whatever its verdict", ...remote }
  },
  compare: {
    examples: ["plugfest compare rep_… rep_…", "plugfest compare rep_… rep_… --json"],
    exits: { 0: "nothing fails that did not before", 1: "something does", ...remote }
  },
  verify: {
    examples: ["plugfest verify rep_…", "plugfest verify --file evidence.json --public-key jwks.json"],
    exits: {
      0: "intact",
      1: "something differs",
      2: "wrong use, or an unreadable file",
      4: remote[4],
      5: remote[5]
    }
  },
  sandbox: {
    examples: [
      "plugfest sandbox --role CPO --port 9000",
      "plugfest sandbox --role EMSP --ocpi-version 2.2.1"
    ],
    exits: {
      0: "stopped by SIGTERM or Ctrl-C",
      2: "wrong use or configuration",
      5: "it could not be started"
    }
  },
  keys: {
    examples: ["plugfest keys create --name me", "plugfest keys list"],
    exits: local
  },
  "keys create": {
    examples: [
      "export PLUGFEST_API_KEY=$(plugfest keys create --name me)",
      "plugfest keys create --name ci --scope read --scope run --expires 90d"
    ],
    exits: local
  },
  "keys generate": {
    examples: ["plugfest keys generate", "export BOOTSTRAP_API_KEY=$(plugfest keys generate)"],
    exits: { 0: "printed" }
  },
  "keys list": {
    examples: ["plugfest keys list", "plugfest keys list --account team-a --json"],
    exits: local
  },
  "keys revoke": {
    examples: ["plugfest keys revoke key_…", "plugfest keys revoke key_… --account team-a"],
    exits: local
  },
  "keys roll": {
    examples: ["plugfest keys roll key_…", "plugfest keys roll key_… --overlap 2d"],
    exits: local
  },
  "keys audit": {
    examples: ["plugfest keys audit --limit 20", "plugfest keys audit --key key_… --json"],
    exits: local
  },
  backup: {
    examples: ["plugfest backup backups/monday", "plugfest backup backups/monday --without-keys --json"],
    exits: {
      0: local[0],
      1: "made, but a run is not intact, or a secret cannot be decrypted",
      2: "wrong use or configuration, or the folder cannot be written",
      5: local[5],
      ...cut
    }
  },
  restore: {
    examples: [
      "plugfest restore backups/monday --data-dir .plugfest-new",
      "plugfest restore backups/monday --database-url postgres://…"
    ],
    exits: {
      0: "restored",
      1: "restored, but a run is not intact or an archived one cannot be read, or a secret cannot be decrypted",
      2: "wrong use or configuration, a damaged backup, or a target that is not empty",
      5: local[5],
      ...cut
    }
  },
  archive: {
    examples: [
      "plugfest archive --older-than 30d --archive-url /mnt/archive/plugfest",
      "plugfest archive --restore run_… --archive-url s3://bucket/plugfest"
    ],
    exits: {
      ...local,
      2: "wrong use, or a named run could not be archived or restored",
      5: "the database or the archive could not be reached"
    }
  },
  purge: {
    examples: ["plugfest purge --older-than 90d --dry-run", "plugfest purge run_…"],
    exits: { ...local, 2: "wrong use, or a named run could not be purged" }
  },
  secrets: {
    examples: ["plugfest secrets rotate", "plugfest secrets rotate --data-dir .plugfest"],
    exits: { ...local, 2: "wrong use, or some secrets cannot be read with these keys" }
  },
  "secrets rotate": {
    examples: ["plugfest secrets rotate", "plugfest secrets rotate --encryption-keys k2:…,k1:…"],
    exits: { ...local, 2: "wrong use, or some secrets cannot be read with these keys" }
  }
}
