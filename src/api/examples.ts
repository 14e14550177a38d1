/** One worked example per operation for the OpenAPI document. A test decodes each with the schema of its operation. */
import { OcpiVersion } from "../../schema/ocpi/OcpiVersion.ts"
import { settingsExamples } from "./settingsExamples.ts"

const ocpiVersion = OcpiVersion.literals[2]
const at = "2026-11-21T10:00:00.000Z"
const connectionId = "conn_0193a5c0000070008000000000000001"
const runId = "run_0193a5c0000070008000000000000002"
const reportId = "rep_0193a5c0000070008000000000000003"
const commandId = "cmd_0193a5c0000070008000000000000004"
const partnerId = "sbx_0193a5c0000070008000000000000005"
const partnerBaseUrl = "https://cpo.example.com/ocpi/versions"

const connection = {
  _id: connectionId,
  partnerBaseUrl,
  ourRole: "EMSP",
  theirRole: "CPO",
  ocpiVersion,
  status: "pending",
  label: `CPO cpo.example.com ${ocpiVersion}`,
  environment: "test",
  dialect: { tokenEncoding: { inbound: "auto", outbound: "auto" }, deviations: [] },
  endpoints: [],
  partner: null,
  invitation: null,
  registration: { state: "unregistered" },
  registeredAt: null,
  createdAt: at
}

const registered = {
  ...connection,
  status: "registered",
  dialect: { tokenEncoding: { inbound: "base64", outbound: "base64" }, trailingSlash: false, deviations: [] },
  endpoints: [
    { identifier: "commands", role: "RECEIVER", url: `https://cpo.example.com/ocpi/${ocpiVersion}/commands` }
  ],
  partner: [{ role: "CPO", countryCode: "NL", partyId: "EXA", name: "Example Charging" }],
  registeredAt: at
}

const exchange = {
  id: "exc_0193a5c0000070008000000000000006",
  direction: "outbound",
  module: "versions",
  operation: "list",
  request: {
    method: "GET",
    url: partnerBaseUrl,
    headers: { authorization: "Token «tokenA:3f2a»" },
    body: null,
    truncated: false
  },
  response: {
    httpStatus: 200,
    ocpiStatusCode: 1000,
    headers: { "content-type": "application/json" },
    body: `{"status_code":1000,"timestamp":"${at}","data":[]}`,
    truncated: false
  },
  outcome: "completed",
  startedAt: at,
  durationMs: 41.5,
  requestId: "0193a5c0-0000-7000-8000-000000000007",
  correlationId: "0193a5c0-0000-7000-8000-000000000008"
}

const assertion = {
  id: "versions.lists-versions",
  checkId: "versions.lists-versions",
  title: "Lists at least one version with its URL",
  outcome: "failed",
  strength: "must",
  reference: "version_information_endpoint, Data",
  pointer: "/data",
  expected: "at least one version",
  actual: "an empty list"
}

const summary = {
  total: 12,
  passed: 10,
  failed: 1,
  warned: 1,
  unobservable: 0,
  notTested: 2,
  notApplicable: 0,
  errored: 0
}

const report = {
  _id: reportId,
  runId,
  kind: "conformance",
  ocpiVersion,
  connectionId,
  connectionLabel: connection.label,
  suiteId: "ocpi-core",
  profile: "lenient",
  status: "completed",
  verdict: "fail",
  summary,
  progress: { done: 14, of: 14 },
  stateSince: at,
  revision: 31,
  startedAt: at,
  finishedAt: at,
  createdAt: at
}

const suite = {
  id: "ocpi-core",
  name: "Core",
  ocpiVersion,
  description: "Discovery, credentials and the envelope",
  theirRole: "CPO",
  modules: ["versions", "credentials"],
  checkCount: 1,
  mutating: false
}

const template = {
  id: "remote-start",
  name: "Remote start, charge, remote stop",
  supportedVersions: [ocpiVersion],
  stages: [
    {
      id: "start",
      name: "Ask the CPO to start a session",
      actor: "us",
      module: "commands",
      description: "Sends START_SESSION for the first connector",
      writes: true,
      timeoutSeconds: 30,
      assertions: [
        {
          id: "start.accepted",
          title: "The command is taken",
          strength: "must",
          reference: "mod_commands, CommandResponse"
        }
      ]
    }
  ],
  outcome: "A session that ran to COMPLETED and one CDR for it",
  description: "The whole life of a remotely started session",
  ourRole: "EMSP",
  planVersion: "9f1c2ab4",
  runnable: true,
  reasons: [],
  requiredPlan: "integrate",
  expectedDurationSeconds: 60,
  inputs: { type: "object", properties: {} }
}

const draft = {
  name: "Patient start",
  templateId: "remote-start",
  faults: [{ fault: "late-answer", seconds: 10, module: "commands" }]
}

const scenario = {
  id: "scn_0193a5c0000070008000000000000009",
  ...draft,
  inputs: {},
  createdAt: at,
  updatedAt: at,
  version: 1
}

const scenarioFile =
  "name: Patient start\ntemplateId: remote-start\nfaults:\n  - fault: late-answer\n    seconds: 10\n    module: commands\n"

const processId = "3f8f2c0e-6f0f-4a53-9a5e-2f4a1b6c7d8e"

const machineSummary = {
  id: "journeyRun",
  name: "Journey run",
  description: "One journey: its stages, waits, interruptions and end.",
  counts: { queued: 0, running: 1 }
}

const journeyRun = {
  runId,
  reportId,
  status: "interrupted",
  recoveryVersion: 1,
  recoveryOptions: [
    {
      decision: "resume",
      label: "Resume",
      description: "Go on after the last recorded step; nothing is sent twice",
      recommended: true,
      repeats: []
    }
  ],
  workerHealthy: false,
  verdict: null,
  connectionId,
  templateId: "remote-start",
  stageId: "start",
  stages: [{ id: "start", state: "active" }],
  lastSequence: 9,
  waitingFor: null,
  machine: { value: "interrupted", tags: [] },
  predecessorRunId: null,
  successorRunId: null,
  createdAt: at,
  updatedAt: at,
  stateSince: at
}

const event = {
  sequence: 4,
  type: "exchange.completed",
  occurredAt: at,
  stageId: "start",
  exchange,
  assertions: []
}

const partner = {
  _id: partnerId,
  theirRole: "CPO",
  ocpiVersion,
  partnerBaseUrl: `http://127.0.0.1:8080/sandbox/${partnerId}/ocpi/versions`,
  tokenA: "shown-once-at-creation",
  faults: [],
  seed: 1,
  speed: 60,
  activity: "catalogue",
  registered: false,
  createdAt: at
}

const shown = { ...partner, tokenA: null }

/** By operation id: `request` is the JSON body, `data` the payload of the success answer. */
export const examples: Readonly<Record<string, { readonly request?: unknown; readonly data: unknown }>> = {
  "connections.create": {
    request: {
      partnerBaseUrl,
      ourRole: "EMSP",
      theirRole: "CPO",
      ocpiVersion,
      tokenA: "the-token-the-partner-gave"
    },
    data: connection
  },
  "connections.list": { data: [connection] },
  "connections.read": { data: connection },
  "connections.handshake": { request: {}, data: registered },
  "connections.invite": {
    data: {
      versionsUrl: "https://plugfest.example.com/ocpi/versions",
      token: "plugfest-0b8f1c6e2d7a4f935c1e8d60b7a2f4936e5c0d81",
      expiresAt: "2026-11-28T10:00:00.000Z"
    }
  },
  "connections.setDialect": {
    request: { tokenEncoding: { outbound: "raw" } },
    data: {
      ...registered,
      dialect: {
        ...registered.dialect,
        tokenEncoding: { inbound: "base64", outbound: "raw" },
        overridden: ["tokenEncoding.outbound"]
      }
    }
  },
  "connections.exchanges": { data: [exchange] },
  "connections.preflight": {
    data: {
      connectionId,
      ready: false,
      probes: [
        {
          id: "egress",
          title: "We may call the partner's URL",
          outcome: "ok",
          class: null,
          message: "requests to cpo.example.com may leave",
          nextAction: null
        },
        {
          id: "dns",
          title: "Its host name resolves",
          outcome: "failed",
          class: "network",
          message: "GET versions got no usable answer, dns: The name cpo.example.com cannot be resolved",
          nextAction: "Correct the host name of the versions URL, or have the partner publish it in DNS"
        }
      ]
    }
  },
  "connections.remove": {
    data: { _id: connectionId, partnerTold: true, message: "The partner took DELETE credentials" }
  },
  "testing.suites": { data: [suite] },
  "testing.suite": {
    data: {
      ...suite,
      checks: [
        {
          id: "versions.lists-versions",
          title: "Lists at least one version with its URL",
          module: "versions",
          strength: "must",
          mode: "RO",
          reference: "version_information_endpoint, Data",
          clauses: ["version_information_endpoint", "version_information_endpoint, Data"],
          sends: "GET the versions URL",
          passes: "The answer lists one version or more",
          whyItMatters:
            "Every connection begins with the versions: without them the two platforms cannot be connected."
        }
      ]
    }
  },
  "testing.command": {
    request: { connectionId, command: "START_SESSION", payload: { location_id: "LOC1" } },
    data: {
      httpStatus: 200,
      ocpiStatusCode: 1000,
      response: { status_code: 1000, timestamp: at, data: { result: "ACCEPTED", timeout: 30 } },
      commandId
    }
  },
  "testing.draftCommand": {
    request: { connectionId, command: "STOP_SESSION" },
    data: {
      command: "STOP_SESSION",
      payload: { session_id: "SES-1" },
      schema: {
        type: "object",
        required: ["session_id"],
        properties: {
          session_id: { type: "string", description: "text of 1 to 36 printable ASCII characters" }
        }
      }
    }
  },
  "testing.readCommand": {
    data: {
      commandId,
      connectionId,
      command: "START_SESSION",
      state: "accepted",
      exchange,
      results: [],
      deadline: at,
      createdAt: at
    }
  },
  "testing.startRun": {
    request: { connectionId, suiteId: "ocpi-core" },
    data: { ...report, status: "running", verdict: null, finishedAt: null }
  },
  "testing.runs": { data: [report] },
  "testing.run": { data: report },
  "testing.checks": { data: [assertion] },
  "testing.compareRuns": {
    data: {
      before: { ...report, verdict: "pass", summary: { ...summary, passed: 11, failed: 0 } },
      after: report,
      newlyFailing: [
        {
          id: assertion.id,
          title: assertion.title,
          strength: "must",
          before: "passed",
          after: "failed",
          message: "data is an empty list"
        }
      ],
      fixed: [],
      stillFailing: [],
      noLongerGraded: [],
      newlyGraded: [],
      unchanged: 13
    }
  },
  "testing.exportRun": {
    data: '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="Core" tests="14" failures="1" errors="0" time="1.204"/>\n'
  },
  "testing.cancelRun": { data: { ...report, status: "cancelled", verdict: "inconclusive" } },
  "testing.journeys": { data: { templates: [template], packs: [], scenarios: [] } },
  "testing.validate": {
    request: {
      ocpiVersion,
      object: "Connector",
      json: { id: "1", standard: "IEC_62196_T2", colour: "blue" }
    },
    data: {
      ocpiVersion,
      object: "Connector",
      section: "mod_locations, Connector Object",
      valid: false,
      violationCount: 1,
      violations: [
        {
          pointer: "/format",
          rule: "required",
          section: "mod_locations, Connector Object",
          expected: "one of SOCKET, CABLE",
          actual: "nothing",
          message: "format is missing"
        }
      ],
      unknownFields: ["/colour"],
      unknownWords: []
    }
  },
  "journeyRuns.start": {
    request: { connectionId, templateId: "remote-start" },
    data: { ...journeyRun, status: "running", workerHealthy: true, recoveryVersion: 0, recoveryOptions: [] }
  },
  "journeyRuns.list": { data: [journeyRun] },
  "journeyRuns.read": { data: journeyRun },
  "journeyRuns.events": { data: [event] },
  "journeyRuns.stream": { data: `retry: 2000\n\nid: 4\ndata: ${JSON.stringify(event)}\n\n` },
  "journeyRuns.recovery": {
    request: { decision: "resume", recoveryVersion: 1 },
    data: { ...journeyRun, status: "recovering", recoveryOptions: [] }
  },
  "journeyRuns.checkpoint": {
    request: { answer: "yes", note: "The light turned green after two seconds" },
    data: { ...journeyRun, status: "running", workerHealthy: true, recoveryOptions: [] }
  },
  "journeyRuns.cancel": { data: { ...journeyRun, status: "cancelling", recoveryOptions: [] } },
  "scenarios.create": { request: draft, data: scenario },
  "scenarios.list": { data: [scenario] },
  "scenarios.fromFile": { request: { file: scenarioFile }, data: scenario },
  "scenarios.validate": {
    request: { file: scenarioFile.replace("10", "soon") },
    data: {
      valid: false,
      problems: [
        { line: 5, column: 14, path: "faults.0.seconds", message: 'Expected number, actual "soon"' }
      ],
      scenario: null
    }
  },
  "scenarios.dryRun": {
    request: { scenarioId: scenario.id, connectionId },
    data: {
      templateId: draft.templateId,
      runnable: true,
      reasons: [],
      planVersion: template.planVersion,
      stages: [
        {
          id: "read-locations",
          name: "Read locations",
          actor: "us",
          does: "GET locations",
          writes: false,
          timeoutSeconds: 30,
          request: { method: "GET", url: `https://cpo.example.com/ocpi/${ocpiVersion}/locations?limit=20` },
          dependsOn: null,
          assertions: [{ id: "read-locations.answered", strength: "must" }],
          faults: []
        }
      ],
      faults: draft.faults
    }
  },
  "scenarios.read": { data: scenario },
  "scenarios.change": { request: { ...draft, version: 1 }, data: { ...scenario, version: 2 } },
  "scenarios.remove": { data: scenario },
  "scenarios.toFile": { data: scenarioFile },
  "machines.list": { data: [machineSummary] },
  "machines.read": {
    data: {
      ...machineSummary,
      states: [
        { id: "queued", parent: null, initial: true, final: false, tags: ["healthy"] },
        { id: "running", parent: null, initial: false, final: false, tags: ["healthy"] }
      ],
      transitions: [{ id: "queued#1", from: "queued", to: "running", event: "run.started", guard: null }],
      layout: {
        width: 250,
        height: 240,
        nodes: [
          { id: "queued", x: 50, y: 38, width: 150, height: 44 },
          { id: "running", x: 50, y: 158, width: 150, height: 44 }
        ],
        edges: [
          {
            from: "queued",
            to: "running",
            transitions: ["queued#1"],
            points: [
              { x: 125, y: 82 },
              { x: 125, y: 158 }
            ]
          }
        ]
      }
    }
  },
  "machines.processes": {
    data: [
      {
        _id: processId,
        startedAt: at,
        alive: true,
        aliveUntil: "2026-11-21T10:00:15.000Z",
        lagMs: 4,
        runs: 1
      }
    ]
  },
  "machines.leases": {
    data: [
      {
        runId,
        kind: "journey",
        epoch: 2,
        processId,
        valid: true,
        until: "2026-11-21T10:00:15.000Z"
      }
    ]
  },
  ...settingsExamples,
  "sandbox.create": { request: { theirRole: "CPO", ocpiVersion }, data: partner },
  "sandbox.list": { data: [shown] },
  "sandbox.read": { data: shown },
  "sandbox.exchanges": { data: [exchange] },
  "sandbox.remove": { data: shown },
  "sandbox.issueToken": { data: partner },
  "sandbox.setFaults": {
    request: { faults: ["versions.no-url"] },
    data: { ...shown, faults: ["versions.no-url"] }
  },
  "sandbox.handshake": { request: { ocpiVersion }, data: { ...shown, registered: true } },
  "sandbox.leave": { data: shown },
  "sandbox.faults": {
    data: [
      {
        id: "versions.no-url",
        module: "versions",
        versions: [ocpiVersion],
        roles: ["CPO", "EMSP"],
        strength: "must",
        description: "Leaves the URL out of the first version",
        caughtBy: ["versions.lists-versions"]
      }
    ]
  }
}
