/** Types of the HTTP contract. Made by `npm run client:contract` from the OpenAPI document. */

export interface paths {
    readonly "/api/v1/connections": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List connections, newest first */
        readonly get: operations["connections.list"];
        readonly put?: never;
        /** Enter a partner by its versions URL, with the Token A that it gave, if it gave one */
        readonly post: operations["connections.create"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/connections/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Read one connection */
        readonly get: operations["connections.read"];
        readonly put?: never;
        readonly post?: never;
        /** Unregister at the partner and delete the secrets; reports stay */
        readonly delete: operations["connections.remove"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/connections/{id}/handshake": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Discover the partner's endpoints and exchange credentials, or rotate them; with `expect=registered` a failure is a 422 */
        readonly post: operations["connections.handshake"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/connections/{id}/invitation": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Issue our Token A, with which the partner can register with us; it is shown once */
        readonly post: operations["connections.invite"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/connections/{id}/preflight": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Diagnose the connection in both directions, probe by probe; changes nothing */
        readonly post: operations["connections.preflight"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/connections/{id}/dialect": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        /** Override parts of the partner's dialect; parts that are left out do not change */
        readonly put: operations["connections.setDialect"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/connections/{id}/exchanges": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List the exchanges with the partner, from either end, with secrets replaced */
        readonly get: operations["connections.exchanges"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/testing/suites": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List the conformance suites */
        readonly get: operations["testing.suites"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/testing/suites/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Read one suite with its checks */
        readonly get: operations["testing.suite"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/testing/command": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Send exactly one OCPI command and read the raw answer */
        readonly post: operations["testing.command"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/testing/command/draft": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** A command as it would be filled in, with the schema of its fields; the partner may be asked for its objects */
        readonly post: operations["testing.draftCommand"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/testing/commands/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Read a command: its exchange and its asynchronous results */
        readonly get: operations["testing.readCommand"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/testing/runs": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List the graded reports of all runs, newest or oldest first */
        readonly get: operations["testing.runs"];
        readonly put?: never;
        /** Run a conformance suite against a connection; with `wait` and `until=end` the answer comes when the run is over, or the time */
        readonly post: operations["testing.startRun"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/testing/runs/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Read one report; with `wait`, the answer comes when it changes or the time is over, with `until=end` as well when the run is over */
        readonly get: operations["testing.run"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/testing/runs/{id}/checks": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List the results of a run, check by check */
        readonly get: operations["testing.checks"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/testing/runs/{id}/compare": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Compare a run with an earlier one, check by check */
        readonly get: operations["testing.compareRuns"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/testing/runs/{id}/export": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Export the report as a file (JUnit, JSON, HTML, Markdown or HAR), or the ledger of the run, plain or signed */
        readonly get: operations["testing.exportRun"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/testing/runs/{id}/cancel": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Stop a run at its next safe point and keep what was graded */
        readonly post: operations["testing.cancelRun"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/testing/journeys": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List journey templates, packs and saved scenarios for a target */
        readonly get: operations["testing.journeys"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/testing/validate": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Validate one object against an OCPI version and list every violation */
        readonly post: operations["testing.validate"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/testing/journey-runs": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List journey runs, newest or oldest first */
        readonly get: operations["journeyRuns.list"];
        readonly put?: never;
        /** Start a journey */
        readonly post: operations["journeyRuns.start"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/testing/journey-runs/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Read the status of a journey run and the recovery options on offer */
        readonly get: operations["journeyRuns.read"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/testing/journey-runs/{id}/events": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Page through the ledger of a journey run by sequence */
        readonly get: operations["journeyRuns.events"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/testing/journey-runs/{id}/stream": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Replay the ledger and follow it live (server-sent events) */
        readonly get: operations["journeyRuns.stream"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/testing/journey-runs/{id}/recovery": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Apply one of the recovery decisions on offer */
        readonly post: operations["journeyRuns.recovery"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/testing/journey-runs/{id}/checkpoint": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Answer a question that a journey asks an operator */
        readonly post: operations["journeyRuns.checkpoint"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/testing/journey-runs/{id}/cancel": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Stop a journey at its next safe point, clean up and grade what is there */
        readonly post: operations["journeyRuns.cancel"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/testing/scenarios": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List the saved scenarios, newest first */
        readonly get: operations["scenarios.list"];
        readonly put?: never;
        /** Save a scenario */
        readonly post: operations["scenarios.create"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/testing/scenarios/import": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Save a scenario from the text of a YAML or JSON file */
        readonly post: operations["scenarios.fromFile"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/testing/scenarios/validate": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** List every problem of a scenario file with its line and column */
        readonly post: operations["scenarios.validate"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/testing/scenarios/dry-run": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Show what a run would send, stage by stage, without sending anything */
        readonly post: operations["scenarios.dryRun"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/testing/scenarios/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Read one saved scenario */
        readonly get: operations["scenarios.read"];
        /** Replace a saved scenario; 409 when `version` is not its current one */
        readonly put: operations["scenarios.change"];
        readonly post?: never;
        /** Remove a saved scenario; its runs and reports stay */
        readonly delete: operations["scenarios.remove"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/testing/scenarios/{id}/export": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Export a saved scenario as a YAML or JSON file */
        readonly get: operations["scenarios.toFile"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/sandbox/partners": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List the caller's sandbox partners */
        readonly get: operations["sandbox.list"];
        readonly put?: never;
        /** Make a sandbox partner; this answer shows its Token A, and no other does */
        readonly post: operations["sandbox.create"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/sandbox/partners/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Read one sandbox partner */
        readonly get: operations["sandbox.read"];
        readonly put?: never;
        readonly post?: never;
        /** Remove a sandbox partner and its data */
        readonly delete: operations["sandbox.remove"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/sandbox/partners/{id}/exchanges": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List what a sandbox partner was asked and has asked, from either end, as it saw it */
        readonly get: operations["sandbox.exchanges"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/sandbox/partners/{id}/token": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Issue another Token A of a partner that is not registered, in place of the one before; this answer shows it, and no other does */
        readonly post: operations["sandbox.issueToken"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/sandbox/partners/{id}/faults": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        /** Replace the faults of a sandbox partner */
        readonly put: operations["sandbox.setFaults"];
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/sandbox/partners/{id}/handshake": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Make a registered partner renew its credentials with us by PUT, optionally in another version */
        readonly post: operations["sandbox.handshake"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/sandbox/partners/{id}/registration": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /** Make a registered partner end its registration with us by DELETE credentials */
        readonly delete: operations["sandbox.leave"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/sandbox/faults": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** The library of faults, each with the checks that catch it */
        readonly get: operations["sandbox.faults"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/machines": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List the state machines, with the number of the caller's runs or connections in each state */
        readonly get: operations["machines.list"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/machines/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Read one state machine: states, transitions, layout and live counts */
        readonly get: operations["machines.read"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/processes": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List the processes of the service, with the number of the caller's runs that each works on */
        readonly get: operations["machines.processes"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/leases": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List who works on the caller's open runs: process and epoch, newest run first; `cursor` is a run id */
        readonly get: operations["machines.leases"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/settings/account": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Read the account: its plan, the capabilities, the limits and their use */
        readonly get: operations["settings.account"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/settings/api-keys": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** List the API keys of the account, newest first, without their secrets */
        readonly get: operations["settings.keys"];
        readonly put?: never;
        /** Make an API key; its secret is shown once, and its scopes must be among those of the calling key */
        readonly post: operations["settings.createKey"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/settings/api-keys/{id}/roll": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Replace an API key by a new one; the old one is accepted for 0 to 7 more days */
        readonly post: operations["settings.rollKey"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/settings/api-keys/{id}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        readonly post?: never;
        /** Revoke an API key at once; its open streams end within 5 seconds */
        readonly delete: operations["settings.revokeKey"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/settings/audit": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Read the audit log of the account's API keys, newest first */
        readonly get: operations["settings.audit"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/settings/egress": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** May the service call this URL, and which rule decides? Sends nothing to it */
        readonly post: operations["settings.egress"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/session": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /** Read the session of the cookie */
        readonly get: operations["session.read"];
        readonly put?: never;
        /** Sign in with an API key or the code of a link: sets a cookie that stands for the key */
        readonly post: operations["session.signIn"];
        /** Sign out: end the session of the cookie, and its streams within 5 seconds */
        readonly delete: operations["session.signOut"];
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/session/links": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /** Make a link that signs a browser in with the calling API key, once, within ten minutes */
        readonly post: operations["session.makeLink"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        readonly CreateConnection: {
            readonly partnerBaseUrl: components["schemas"]["PartnerUrl"];
            readonly ourRole: components["schemas"]["Role"];
            readonly theirRole: components["schemas"]["Role"];
            readonly ocpiVersion: components["schemas"]["OcpiVersion"];
            /**
             * maxLength(256)
             * @description a string at most 256 character(s) long
             */
            readonly tokenA?: components["schemas"]["NonEmptyString"];
            /**
             * maxLength(100)
             * @description a string at most 100 character(s) long
             */
            readonly label?: components["schemas"]["NonEmptyTrimmedString"];
            /** @enum {string} */
            readonly environment?: "test" | "production";
            readonly dialect?: components["schemas"]["SetDialect"];
            readonly hub?: boolean;
        };
        /** Format: uri */
        readonly PartnerUrl: string;
        /** @enum {string} */
        readonly Role: "CPO" | "EMSP";
        /** @enum {string} */
        readonly OcpiVersion: "2.1.1" | "2.2" | "2.2.1" | "2.3.0";
        /**
         * nonEmptyString
         * @description a non empty string
         */
        readonly NonEmptyString: string;
        /**
         * nonEmptyString
         * @description a non empty string
         */
        readonly NonEmptyTrimmedString: string;
        readonly SetDialect: {
            readonly tokenEncoding?: {
                /** @enum {string} */
                readonly inbound?: "raw" | "base64" | "auto";
                /** @enum {string} */
                readonly outbound?: "raw" | "base64" | "auto";
            };
            readonly trailingSlash?: boolean | null;
            readonly pageLimit?: components["schemas"]["Int"] | null;
            readonly trustedOrigins?: readonly components["schemas"]["Origin"][] | null;
        };
        /**
         * int
         * @description an integer
         */
        readonly Int: number;
        /** Format: uri */
        readonly Origin: string;
        readonly ConnectionResponse: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: components["schemas"]["Connection"];
        };
        readonly Connection: {
            /**
             * maxLength(128)
             * @description a string at most 128 character(s) long
             */
            readonly _id: string;
            readonly partnerBaseUrl: string;
            readonly ourRole: components["schemas"]["Role"];
            readonly theirRole: components["schemas"]["Role"];
            readonly ocpiVersion: components["schemas"]["OcpiVersion"];
            /** @enum {string} */
            readonly status: "pending" | "registered" | "failed";
            readonly lastError?: string;
            readonly label: string;
            /** @enum {string} */
            readonly environment: "test" | "production";
            readonly dialect: components["schemas"]["Dialect"];
            readonly endpoints: readonly components["schemas"]["Endpoint"][];
            readonly partner: readonly {
                readonly role: string;
                readonly countryCode: string;
                readonly partyId: string;
                readonly name: string;
            }[] | null;
            readonly hubClients?: readonly {
                readonly role: string;
                readonly countryCode: string;
                readonly partyId: string;
                readonly name: string;
            }[];
            readonly invitation: components["schemas"]["Invitation"] | null;
            readonly registration: components["schemas"]["RegistrationNow"];
            readonly registeredAt: string | null;
            readonly createdAt: string;
        };
        readonly Dialect: {
            readonly tokenEncoding: {
                /** @enum {string} */
                readonly inbound: "raw" | "base64" | "auto";
                /** @enum {string} */
                readonly outbound: "raw" | "base64" | "auto";
            };
            readonly trailingSlash?: boolean;
            readonly pageLimit?: components["schemas"]["Int"];
            readonly trustedOrigins?: readonly string[];
            readonly overridden?: readonly ("tokenEncoding.inbound" | "tokenEncoding.outbound" | "trailingSlash" | "pageLimit")[];
            readonly deviations: readonly string[];
        };
        readonly Endpoint: {
            readonly identifier: string;
            readonly role: ("SENDER" | "RECEIVER") | null;
            readonly url: string;
        };
        readonly Invitation: {
            /** @enum {string} */
            readonly state: "open" | "used" | "withdrawn" | "expired";
            readonly issuedAt: string;
            readonly expiresAt: string;
        };
        readonly RegistrationNow: {
            /** @enum {string} */
            readonly state: "unregistered" | "invited" | "registering" | "answering" | "registered" | "rotating" | "renewing" | "ending";
            readonly since?: string;
        };
        /**
         * @example {
         *       "success": false,
         *       "message": "No such connection among those that this key's owner has"
         *     }
         */
        readonly Error: {
            /** @enum {boolean} */
            readonly success: false;
            readonly message: string;
        };
        readonly ConnectionsResponse: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: readonly components["schemas"]["Connection"][];
        };
        readonly HandshakeOrder: {
            readonly ocpiVersion?: components["schemas"]["OcpiVersion"];
            /**
             * maxLength(256)
             * @description a string at most 256 character(s) long
             */
            readonly tokenA?: components["schemas"]["NonEmptyString"];
        };
        readonly InvitationResponse: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: components["schemas"]["IssuedInvitation"];
        };
        readonly IssuedInvitation: {
            readonly versionsUrl: string;
            /** @description A secret, shown in the first answer only. When that answer was lost, issue another invitation: the same request with a new Idempotency-Key */
            readonly token: string;
            readonly expiresAt: string;
        };
        readonly PreflightResponse: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: components["schemas"]["Preflight"];
        };
        readonly Preflight: {
            /**
             * maxLength(128)
             * @description a string at most 128 character(s) long
             */
            readonly connectionId: string;
            readonly ready: boolean;
            readonly probes: readonly components["schemas"]["PreflightProbe"][];
        };
        readonly PreflightProbe: {
            /** @enum {string} */
            readonly id: "egress" | "dns" | "tcp" | "tls" | "versions" | "token" | "version" | "endpoints" | "callback";
            readonly title: string;
            /** @enum {string} */
            readonly outcome: "ok" | "failed" | "skipped";
            readonly class: ("config" | "network" | "auth" | "protocol" | "unsupported") | null;
            readonly message: string;
            readonly nextAction: string | null;
        };
        readonly ExchangesResponse: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: readonly components["schemas"]["Exchange"][];
        };
        readonly Exchange: {
            readonly id: string;
            /** @enum {string} */
            readonly direction: "outbound" | "inbound";
            readonly module: string;
            readonly operation: string;
            readonly ocpiVersion?: string;
            readonly request: {
                readonly method: string;
                readonly url: string;
                readonly headers: {
                    readonly [key: string]: string;
                };
                readonly body: string | null;
                readonly truncated: boolean;
                readonly bodyBytes?: components["schemas"]["Int"];
                readonly bodySha256?: string;
            };
            readonly response: {
                readonly httpStatus: components["schemas"]["Int"];
                readonly ocpiStatusCode: components["schemas"]["Int"] | null;
                readonly headers: {
                    readonly [key: string]: string;
                };
                readonly body: string | null;
                readonly truncated: boolean;
                readonly bodyBytes?: components["schemas"]["Int"];
                readonly bodySha256?: string;
            } | null;
            /** @enum {string} */
            readonly outcome: "completed" | "refused" | "timed_out" | "reset" | "blocked" | "unknown";
            readonly fault?: {
                /** @enum {string} */
                readonly kind: "dns" | "refused" | "tls" | "timeout" | "reset" | "malformed" | "too_large" | "blocked" | "other_host";
                readonly message: string;
            };
            readonly ourFault?: {
                readonly fault: string;
                readonly instead: {
                    readonly httpStatus: components["schemas"]["Int"];
                    readonly ocpiStatusCode: components["schemas"]["Int"] | null;
                };
            };
            readonly startedAt: string;
            readonly durationMs: number;
            readonly ourLateMs?: number;
            readonly timings?: {
                readonly connectMs: number;
                readonly answerMs?: number;
            };
            readonly requestId: string;
            readonly correlationId: string;
        };
        readonly RemovedConnectionResponse: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: components["schemas"]["RemovedConnection"];
        };
        readonly RemovedConnection: {
            /**
             * maxLength(128)
             * @description a string at most 128 character(s) long
             */
            readonly _id: string;
            readonly partnerTold: boolean;
            readonly message: string;
        };
        readonly SuitesResponse: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: readonly components["schemas"]["Suite"][];
        };
        readonly Suite: {
            readonly id: string;
            readonly name: string;
            readonly ocpiVersion: components["schemas"]["OcpiVersion"];
            readonly description: string;
            readonly theirRole: components["schemas"]["Role"];
            readonly modules: readonly string[];
            readonly checkCount: components["schemas"]["Int"];
            readonly mutating: boolean;
            readonly notJudged?: readonly {
                readonly module: string;
                readonly name: string;
                readonly announced?: boolean;
            }[];
        };
        readonly SuiteResponse: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: components["schemas"]["SuiteDetail"];
        };
        readonly SuiteDetail: {
            readonly id: string;
            readonly name: string;
            readonly ocpiVersion: components["schemas"]["OcpiVersion"];
            readonly description: string;
            readonly theirRole: components["schemas"]["Role"];
            readonly modules: readonly string[];
            readonly checkCount: components["schemas"]["Int"];
            readonly mutating: boolean;
            readonly notJudged?: readonly {
                readonly module: string;
                readonly name: string;
                readonly announced?: boolean;
            }[];
            readonly checks: readonly components["schemas"]["Check"][];
        };
        readonly Check: {
            readonly id: string;
            readonly title: string;
            readonly module: string;
            readonly strength: components["schemas"]["Strength"];
            /** @enum {string} */
            readonly mode: "RO" | "OBS" | "MUT" | "RISK";
            readonly reference: string;
            readonly clauses: readonly string[];
            readonly sends: string;
            readonly passes: string;
            readonly whyItMatters?: string;
            readonly need?: components["schemas"]["Need"];
        };
        /** @enum {string} */
        readonly Strength: "must" | "should" | "may";
        /** @enum {string} */
        readonly Need: "partner_acts" | "partner_data" | "second_registration" | "risk";
        readonly CommandRequest: {
            /**
             * maxLength(128)
             * @description a string at most 128 character(s) long
             */
            readonly connectionId: string;
            readonly command: components["schemas"]["CommandName"];
            readonly payload?: {
                readonly [key: string]: unknown;
            };
            readonly validate?: boolean;
        };
        /** @enum {string} */
        readonly CommandName: "START_SESSION" | "STOP_SESSION" | "RESERVE_NOW" | "CANCEL_RESERVATION" | "UNLOCK_CONNECTOR";
        readonly CommandResultResponse: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: components["schemas"]["CommandResult"];
        };
        readonly CommandResult: {
            readonly httpStatus: components["schemas"]["Int"];
            readonly ocpiStatusCode: components["schemas"]["Int"];
            readonly response: {
                readonly [key: string]: unknown;
            };
            /**
             * maxLength(128)
             * @description a string at most 128 character(s) long
             */
            readonly commandId: string;
        };
        readonly CommandDraftRequest: {
            /**
             * maxLength(128)
             * @description a string at most 128 character(s) long
             */
            readonly connectionId: string;
            readonly command: components["schemas"]["CommandName"];
        };
        readonly CommandDraftResponse: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: components["schemas"]["CommandDraft"];
        };
        readonly CommandDraft: {
            readonly command: components["schemas"]["CommandName"];
            readonly payload: {
                readonly [key: string]: unknown;
            };
            readonly schema: {
                readonly [key: string]: unknown;
            };
        };
        readonly CommandResponse: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: components["schemas"]["Command"];
        };
        readonly Command: {
            /**
             * maxLength(128)
             * @description a string at most 128 character(s) long
             */
            readonly commandId: string;
            /**
             * maxLength(128)
             * @description a string at most 128 character(s) long
             */
            readonly connectionId: string;
            readonly command: components["schemas"]["CommandName"];
            /** @enum {string} */
            readonly state: "sent" | "accepted" | "confirmed" | "rejected" | "expired" | "unknown";
            readonly exchange: components["schemas"]["Exchange"] | null;
            readonly results: readonly {
                readonly receivedAt: string;
                /** @enum {string} */
                readonly standing: "first" | "late" | "duplicate";
                /** unknown */
                readonly body: unknown;
                readonly exchange: components["schemas"]["Exchange"];
                readonly notes?: readonly string[];
            }[];
            readonly deadline: string | null;
            readonly createdAt: string;
            readonly notes?: readonly string[];
        };
        readonly StartConformanceRun: {
            /**
             * maxLength(128)
             * @description a string at most 128 character(s) long
             */
            readonly connectionId?: string;
            /** @enum {string} */
            readonly target?: "sandbox";
            /**
             * maxLength(128)
             * @description a string at most 128 character(s) long
             */
            readonly suiteId: string;
            /**
             * maxItems(1000)
             * @description an array of at most 1000 item(s)
             */
            readonly checks?: readonly string[];
            /**
             * maxItems(100)
             * @description an array of at most 100 item(s)
             */
            readonly modules?: readonly string[];
            /**
             * maxItems(100)
             * @description an array of at most 100 item(s)
             */
            readonly clauses?: readonly string[];
            /**
             * maxLength(80)
             * @description failed-of:<reportId>
             */
            readonly only?: string;
            /** @enum {string} */
            readonly profile?: "lenient" | "strict";
            /**
             * between(0, 600)
             * @description a number between 0 and 600
             */
            readonly listenSeconds?: components["schemas"]["Int"];
            /**
             * maxItems(10)
             * @description an array of at most 10 item(s)
             */
            readonly needs?: readonly components["schemas"]["Need"][];
            /**
             * maxItems(100)
             * @description an array of at most 100 item(s)
             */
            readonly accept?: readonly components["schemas"]["AcceptedDeviation"][];
        };
        readonly AcceptedDeviation: {
            /**
             * maxLength(200)
             * @description a string at most 200 character(s) long
             */
            readonly checkId: components["schemas"]["NonEmptyString"];
            /**
             * maxLength(500)
             * @description a string at most 500 character(s) long
             */
            readonly reason: components["schemas"]["NonEmptyTrimmedString"];
            /**
             * maxLength(100)
             * @description a string at most 100 character(s) long
             */
            readonly owner: components["schemas"]["NonEmptyTrimmedString"];
            /**
             * maxLength(30)
             * @description 2026-12-31 (until the end of that day, UTC) or 2026-12-31T12:00:00Z
             */
            readonly expires: string;
        };
        readonly RunReportResponse: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: components["schemas"]["RunReport"];
        };
        readonly RunReport: {
            /**
             * maxLength(128)
             * @description a string at most 128 character(s) long
             */
            readonly _id: string;
            /**
             * maxLength(128)
             * @description a string at most 128 character(s) long
             */
            readonly runId: string;
            /** @enum {string} */
            readonly kind: "conformance" | "journey";
            readonly ocpiVersion: components["schemas"]["OcpiVersion"];
            /**
             * maxLength(128)
             * @description a string at most 128 character(s) long
             */
            readonly connectionId: string;
            readonly connectionLabel: string;
            readonly suiteId?: string;
            readonly templateId?: string;
            /** @enum {string} */
            readonly profile?: "lenient" | "strict";
            readonly order?: components["schemas"]["RunOrder"];
            readonly notJudged?: readonly {
                readonly module: string;
                readonly name: string;
                readonly announced?: boolean;
            }[];
            readonly status: components["schemas"]["RunStatus"];
            readonly verdict: components["schemas"]["Verdict"] | null;
            readonly summary: components["schemas"]["Summary"];
            readonly progress: {
                readonly done: components["schemas"]["Int"];
                readonly of: components["schemas"]["Int"];
            };
            readonly stateSince?: string;
            readonly waitingFor?: components["schemas"]["WaitingFor"];
            readonly revision: components["schemas"]["Int"];
            readonly startedAt: string | null;
            readonly finishedAt: string | null;
            readonly createdAt: string;
        };
        readonly RunOrder: {
            /**
             * maxItems(1000)
             * @description an array of at most 1000 item(s)
             */
            readonly checks?: readonly string[];
            /**
             * maxItems(100)
             * @description an array of at most 100 item(s)
             */
            readonly modules?: readonly string[];
            /**
             * maxItems(100)
             * @description an array of at most 100 item(s)
             */
            readonly clauses?: readonly string[];
            /**
             * maxLength(80)
             * @description failed-of:<reportId>
             */
            readonly only?: string;
            /** @enum {string} */
            readonly profile?: "lenient" | "strict";
            /**
             * between(0, 600)
             * @description a number between 0 and 600
             */
            readonly listenSeconds?: components["schemas"]["Int"];
            /**
             * maxItems(10)
             * @description an array of at most 10 item(s)
             */
            readonly needs?: readonly components["schemas"]["Need"][];
            /**
             * maxItems(100)
             * @description an array of at most 100 item(s)
             */
            readonly accept?: readonly components["schemas"]["AcceptedDeviation"][];
        };
        /** @enum {string} */
        readonly RunStatus: "queued" | "running" | "waiting" | "interrupted" | "recovering" | "cancelling" | "completed" | "cancelled" | "failed";
        /** @enum {string} */
        readonly Verdict: "pass" | "warn" | "fail" | "inconclusive";
        readonly Summary: {
            readonly total: components["schemas"]["Int"];
            readonly passed: components["schemas"]["Int"];
            readonly failed: components["schemas"]["Int"];
            readonly warned: components["schemas"]["Int"];
            readonly unobservable: components["schemas"]["Int"];
            readonly notTested: components["schemas"]["Int"];
            readonly notApplicable: components["schemas"]["Int"];
            readonly errored: components["schemas"]["Int"];
        };
        readonly WaitingFor: {
            /** @enum {string} */
            readonly party: "us" | "partner" | "operator" | "clock";
            readonly instruction: string;
            readonly deadline: string;
            readonly since?: string;
            readonly nearMisses: readonly string[];
            readonly expects?: components["schemas"]["ExpectedRequest"];
            readonly answers?: readonly string[];
        };
        readonly ExpectedRequest: {
            readonly method: string;
            readonly url: string;
            readonly headers: {
                readonly [key: string]: string;
            };
            /** unknown */
            readonly body: unknown;
            readonly curl: string;
        };
        readonly RunReportsResponse: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: readonly components["schemas"]["RunReport"][];
        };
        /** @enum {string} */
        readonly Outcome: "passed" | "failed" | "warned" | "unobservable" | "not_tested" | "not_applicable" | "error";
        readonly CheckResultsResponse: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: readonly components["schemas"]["Assertion"][];
        };
        readonly Assertion: {
            readonly id: string;
            readonly checkId?: string;
            readonly title: string;
            readonly outcome: components["schemas"]["Outcome"];
            readonly strength: components["schemas"]["Strength"];
            readonly reference: string;
            readonly pointer?: string;
            readonly expected?: string;
            readonly actual?: string;
            readonly message?: string;
            readonly note?: string;
            readonly reason?: string;
            readonly attribution?: components["schemas"]["Attribution"];
            readonly blockedBy?: components["schemas"]["BlockedBy"];
            readonly ambiguity?: components["schemas"]["Ambiguity"];
            readonly partnerSaid?: string;
            readonly findings?: readonly components["schemas"]["FindingKind"][];
            readonly consequenceOf?: readonly string[];
            readonly need?: components["schemas"]["Need"];
            /** @enum {boolean} */
            readonly notAskedFor?: true;
            readonly hint?: string;
            readonly module?: string;
            readonly exchangeIds?: readonly string[];
            readonly curl?: string;
        };
        /** @enum {string} */
        readonly Attribution: "partner" | "ours" | "network" | "operator" | "ambiguous";
        readonly BlockedBy: {
            readonly check?: string;
            readonly exchangeId?: string;
            readonly what: string;
        };
        readonly Ambiguity: {
            readonly readings: readonly [
                string,
                string
            ];
            readonly section: string;
        };
        readonly FindingKind: {
            readonly message: string;
            readonly strength: components["schemas"]["Strength"];
            readonly expected?: string;
            readonly hint?: string;
            readonly curl?: string;
            readonly count: components["schemas"]["Int"];
            readonly places: readonly components["schemas"]["FindingPlace"][];
        };
        readonly FindingPlace: {
            readonly pointer?: string;
            readonly object?: string;
            readonly expected?: string;
            readonly actual?: string;
            readonly exchangeId?: string;
        };
        readonly RunComparisonResponse: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: components["schemas"]["RunComparison"];
        };
        readonly RunComparison: {
            readonly before: components["schemas"]["RunReport"];
            readonly after: components["schemas"]["RunReport"];
            readonly newlyFailing: readonly components["schemas"]["CheckChange"][];
            readonly fixed: readonly components["schemas"]["CheckChange"][];
            readonly stillFailing: readonly components["schemas"]["CheckChange"][];
            readonly noLongerGraded: readonly components["schemas"]["CheckChange"][];
            readonly newlyGraded: readonly components["schemas"]["CheckChange"][];
            readonly unchanged: components["schemas"]["Int"];
        };
        readonly CheckChange: {
            readonly id: string;
            readonly title: string;
            readonly module?: string;
            readonly strength: components["schemas"]["Strength"];
            readonly before: components["schemas"]["Outcome"] | null;
            readonly after: components["schemas"]["Outcome"] | null;
            readonly message?: string;
        };
        /**
         * @description junit: XML for build servers. json: report, checks and exchanges. html: one page that is read offline. markdown: for a pull request. har: HTTP Archive 1.2 of every exchange. ledger: the lines as they are stored, with their hashes. signed: the same under our signature (DSSE, Ed25519)
         * @enum {string}
         */
        readonly ExportFormat: "junit" | "json" | "html" | "markdown" | "har" | "ledger" | "signed";
        /**
         * @description masked (the default): ids of tokens and contracts, printed card numbers and what partners add (plates, contacts, names) are pseudonyms, the same for the same value. shown: as they were sent; needs a key with the scope personal:read, as ledger and signed do, whose hashes are of the lines as they were written
         * @enum {string}
         */
        readonly PersonalData: "masked" | "shown";
        readonly JourneyCatalogueResponse: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: components["schemas"]["JourneyCatalogue"];
        };
        readonly JourneyCatalogue: {
            readonly templates: readonly components["schemas"]["JourneyTemplate"][];
            readonly packs: readonly components["schemas"]["Pack"][];
            readonly scenarios: readonly components["schemas"]["Scenario"][];
        };
        readonly JourneyTemplate: {
            readonly id: string;
            readonly name: string;
            readonly supportedVersions: readonly components["schemas"]["OcpiVersion"][];
            readonly stages: readonly components["schemas"]["Stage"][];
            readonly outcome: string;
            readonly description: string;
            readonly ourRole: components["schemas"]["Role"];
            /** @enum {string} */
            readonly begins?: "unregistered" | "invited";
            readonly planVersion: string;
            readonly runnable: boolean;
            readonly reasons: readonly string[];
            readonly requiredPlan: string;
            readonly expectedDurationSeconds: components["schemas"]["Int"];
            readonly inputs: {
                readonly [key: string]: unknown;
            };
        };
        readonly Stage: {
            readonly id: string;
            readonly name: string;
            /** @enum {string} */
            readonly actor: "us" | "partner" | "operator" | "clock";
            readonly module: string | null;
            readonly description: string;
            readonly writes: boolean;
            readonly timeoutSeconds: components["schemas"]["Int"];
            readonly assertions: readonly {
                readonly id: string;
                readonly title: string;
                readonly strength: components["schemas"]["Strength"];
                readonly reference: string;
            }[];
        };
        readonly Pack: {
            readonly id: string;
            readonly name: string;
            readonly description: string;
            readonly outcome: string;
            readonly ourRole: components["schemas"]["Role"];
            readonly templateIds: readonly string[];
            readonly supportedVersions: readonly components["schemas"]["OcpiVersion"][];
            readonly planVersion: string;
            readonly runnable: boolean;
            readonly reasons: readonly string[];
            readonly requiredPlan: string;
            readonly expectedDurationSeconds: components["schemas"]["Int"];
            readonly faults: readonly components["schemas"]["ScenarioFault"][];
        };
        readonly ScenarioFault: {
            /** @enum {string} */
            readonly fault: "late-answer" | "server-error" | "wrong-status" | "duplicate-push";
            /**
             * maxLength(200)
             * @description a string at most 200 character(s) long
             */
            readonly module?: components["schemas"]["NonEmptyString"];
            /**
             * maxLength(200)
             * @description a string at most 200 character(s) long
             */
            readonly stageId?: components["schemas"]["NonEmptyString"];
            /**
             * between(1, 120)
             * @description a number between 1 and 120
             */
            readonly seconds?: components["schemas"]["Int"];
            /**
             * between(2000, 4999)
             * @description a number between 2000 and 4999
             */
            readonly statusCode?: components["schemas"]["Int"];
            /**
             * between(1, 1000)
             * @description a number between 1 and 1000
             */
            readonly times?: components["schemas"]["Int"];
        };
        readonly Scenario: {
            readonly id: string;
            /**
             * maxLength(200)
             * @description a string at most 200 character(s) long
             */
            readonly name: components["schemas"]["NonEmptyString"];
            /**
             * maxLength(200)
             * @description a string at most 200 character(s) long
             */
            readonly templateId: components["schemas"]["NonEmptyString"];
            readonly inputs: {
                readonly [key: string]: unknown;
            };
            readonly limits?: {
                readonly [key: string]: components["schemas"]["Int"];
            };
            readonly assertions?: {
                readonly [key: string]: components["schemas"]["Strength"] | "off";
            };
            /**
             * maxItems(500)
             * @description an array of at most 500 item(s)
             */
            readonly faults?: readonly components["schemas"]["ScenarioFault"][];
            readonly createdAt: string;
            readonly updatedAt: string;
            readonly version: components["schemas"]["Int"];
        };
        readonly ValidateRequest: {
            readonly ocpiVersion: components["schemas"]["OcpiVersion"];
            readonly object: components["schemas"]["OcpiObject"];
            /** unknown */
            readonly json: unknown;
        };
        /** @enum {string} */
        readonly OcpiObject: "Version" | "VersionDetails" | "Credentials" | "Location" | "EVSE" | "Connector" | "Session" | "CDR" | "Tariff" | "Token" | "LocationReferences" | "AuthorizationInfo" | "CommandResponse" | "CommandResult" | "START_SESSION" | "STOP_SESSION" | "RESERVE_NOW" | "UNLOCK_CONNECTOR" | "CANCEL_RESERVATION" | "ChargingPreferences" | "SetChargingProfile" | "ChargingProfile" | "ActiveChargingProfile" | "ChargingProfileResponse" | "ChargingProfileResult" | "ActiveChargingProfileResult" | "ClearProfileResult" | "ClientInfo" | "Terminal" | "FinancialAdviceConfirmation";
        readonly ValidationResponse: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: components["schemas"]["ValidationReport"];
        };
        readonly ValidationReport: {
            readonly ocpiVersion: components["schemas"]["OcpiVersion"];
            readonly object: components["schemas"]["OcpiObject"];
            readonly section: string;
            readonly valid: boolean;
            readonly violationCount: components["schemas"]["Int"];
            readonly violations: readonly components["schemas"]["Violation"][];
            readonly unknownFields: readonly string[];
            readonly unknownWords: readonly {
                readonly pointer: string;
                readonly word: string;
            }[];
        };
        readonly Violation: {
            readonly pointer: string;
            readonly rule: components["schemas"]["ViolatedRule"];
            readonly section: string;
            readonly expected: string | null;
            readonly actual: string | null;
            readonly message: string;
        };
        /** @enum {string} */
        readonly ViolatedRule: "required" | "not_null" | "type" | "enum" | "cardinality" | "value" | "between_fields";
        readonly StartJourneyRun: {
            /**
             * maxLength(128)
             * @description a string at most 128 character(s) long
             */
            readonly connectionId?: string;
            /** @enum {string} */
            readonly target?: "sandbox";
            readonly ocpiVersion?: components["schemas"]["OcpiVersion"];
            /**
             * maxLength(200)
             * @description a string at most 200 character(s) long
             */
            readonly templateId?: components["schemas"]["NonEmptyString"];
            /**
             * maxLength(200)
             * @description a string at most 200 character(s) long
             */
            readonly packId?: components["schemas"]["NonEmptyString"];
            /**
             * maxLength(200)
             * @description a string at most 200 character(s) long
             */
            readonly scenarioId?: components["schemas"]["NonEmptyString"];
            readonly inputs?: {
                readonly [key: string]: unknown;
            };
            /**
             * maxLength(200)
             * @description a string at most 200 character(s) long
             */
            readonly planVersion?: string;
        };
        readonly JourneyRunStatusResponse: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: components["schemas"]["JourneyRunStatus"];
        };
        readonly JourneyRunStatus: {
            /**
             * maxLength(128)
             * @description a string at most 128 character(s) long
             */
            readonly runId: string;
            /**
             * maxLength(128)
             * @description a string at most 128 character(s) long
             */
            readonly reportId: string;
            readonly status: components["schemas"]["RunStatus"];
            readonly recoveryVersion: components["schemas"]["Int"];
            readonly recoveryOptions: readonly components["schemas"]["RecoveryOption"][];
            readonly workerHealthy: boolean;
            readonly verdict: components["schemas"]["Verdict"] | null;
            /**
             * maxLength(128)
             * @description a string at most 128 character(s) long
             */
            readonly connectionId: string;
            readonly templateId: string;
            readonly stageId: string | null;
            readonly stages: readonly {
                readonly id: string;
                /** @enum {string} */
                readonly state: "pending" | "active" | "waiting" | "completed" | "failed" | "skipped";
            }[];
            readonly lastSequence: components["schemas"]["Int"];
            readonly waitingFor: components["schemas"]["WaitingFor"] | null;
            readonly machine: {
                /** unknown */
                readonly value: unknown;
                readonly tags: readonly string[];
            };
            readonly predecessorRunId: string | null;
            readonly successorRunId: string | null;
            readonly createdAt: string;
            readonly updatedAt: string;
            readonly stateSince: string;
        };
        readonly RecoveryOption: {
            readonly decision: components["schemas"]["Decision"];
            readonly label: string;
            readonly description: string;
            readonly recommended: boolean;
            readonly repeats: readonly string[];
        };
        /** @enum {string} */
        readonly Decision: "resume" | "verify_and_resume" | "retry_stage" | "skip_stage" | "restart_as_new" | "finish" | "abandon";
        readonly JourneyRunsResponse: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: readonly components["schemas"]["JourneyRunStatus"][];
        };
        /** @enum {string} */
        readonly LedgerEventType: "run.created" | "run.started" | "stage.started" | "exchange.intended" | "exchange.completed" | "inbound.received" | "assertions.recorded" | "wait.started" | "wait.satisfied" | "wait.expired" | "checkpoint.requested" | "checkpoint.answered" | "stage.completed" | "stage.failed" | "stage.skipped" | "run.interrupted" | "recovery.offered" | "recovery.applied" | "run.resumed" | "cancel.requested" | "run.cancelled" | "run.completed" | "run.failed";
        readonly JourneyEventsResponse: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: readonly components["schemas"]["LedgerEvent"][];
        };
        readonly LedgerEvent: {
            readonly sequence: components["schemas"]["Int"];
            readonly occurredAt: string;
            readonly assertions: readonly components["schemas"]["Assertion"][];
            /** unknown */
            readonly machine?: unknown;
            readonly stageId?: string;
            /** @enum {string} */
            readonly type: "run.created";
            readonly data: {
                readonly stages: readonly string[];
                readonly of?: components["schemas"]["Int"];
                readonly templateId?: string;
                readonly plan?: {
                    readonly [key: string]: unknown;
                };
                readonly facts?: {
                    readonly [key: string]: string | null;
                };
            };
        } | {
            readonly sequence: components["schemas"]["Int"];
            readonly occurredAt: string;
            readonly assertions: readonly components["schemas"]["Assertion"][];
            /** unknown */
            readonly machine?: unknown;
            readonly stageId?: string;
            /** @enum {string} */
            readonly type: "run.started";
            readonly data?: {
                readonly armedAt?: number;
                readonly secondArmedAt?: number;
            };
        } | {
            readonly sequence: components["schemas"]["Int"];
            readonly occurredAt: string;
            readonly assertions: readonly components["schemas"]["Assertion"][];
            /** unknown */
            readonly machine?: unknown;
            readonly stageId: string;
            /** @enum {string} */
            readonly type: "stage.started";
            readonly data?: {
                readonly attempt?: components["schemas"]["Int"];
                readonly place?: {
                    readonly locationId: string;
                    readonly evseUid: string;
                    readonly connectorId?: string;
                };
                readonly claimed?: readonly {
                    readonly locationId: string;
                    readonly evseUid: string;
                    readonly runId: string;
                }[];
            };
        } | {
            readonly sequence: components["schemas"]["Int"];
            readonly occurredAt: string;
            readonly assertions: readonly components["schemas"]["Assertion"][];
            /** unknown */
            readonly machine?: unknown;
            readonly stageId?: string;
            /** @enum {string} */
            readonly type: "exchange.intended";
            readonly exchange: components["schemas"]["Exchange"];
            readonly data?: {
                /** @enum {string} */
                readonly purpose?: "stage" | "verification" | "clean-up" | "catch-up" | "fault";
                readonly attempt?: components["schemas"]["Int"];
                readonly step?: components["schemas"]["Int"] | string;
                readonly part?: string;
                readonly connectionId?: string;
                /** unknown */
                readonly undo?: unknown;
                readonly undoes?: string;
            };
        } | {
            readonly sequence: components["schemas"]["Int"];
            readonly occurredAt: string;
            readonly assertions: readonly components["schemas"]["Assertion"][];
            /** unknown */
            readonly machine?: unknown;
            readonly stageId?: string;
            /** @enum {string} */
            readonly type: "exchange.completed";
            readonly exchange: components["schemas"]["Exchange"];
            readonly data?: {
                /** @enum {string} */
                readonly purpose?: "stage" | "verification" | "clean-up" | "catch-up" | "fault";
                readonly attempt?: components["schemas"]["Int"];
                readonly step?: components["schemas"]["Int"] | string;
                readonly part?: string;
                readonly connectionId?: string;
                /** unknown */
                readonly undo?: unknown;
                readonly undoes?: string;
                /** @enum {string} */
                readonly verified?: "present" | "absent" | "undecided";
                readonly by?: readonly string[];
            };
        } | {
            readonly sequence: components["schemas"]["Int"];
            readonly occurredAt: string;
            readonly assertions: readonly components["schemas"]["Assertion"][];
            /** unknown */
            readonly machine?: unknown;
            readonly stageId?: string;
            /** @enum {string} */
            readonly type: "inbound.received";
            readonly exchange: components["schemas"]["Exchange"];
            readonly data?: {
                readonly position?: number;
                readonly nearMiss?: string;
                /** @enum {string} */
                readonly relation?: "late" | "duplicate" | "foreign";
                readonly lateFor?: string;
                readonly connectionId?: string;
            };
        } | {
            readonly sequence: components["schemas"]["Int"];
            readonly occurredAt: string;
            readonly assertions: readonly components["schemas"]["Assertion"][];
            /** unknown */
            readonly machine?: unknown;
            readonly stageId?: string;
            /** @enum {string} */
            readonly type: "assertions.recorded";
        } | {
            readonly sequence: components["schemas"]["Int"];
            readonly occurredAt: string;
            readonly assertions: readonly components["schemas"]["Assertion"][];
            /** unknown */
            readonly machine?: unknown;
            readonly stageId: string;
            /** @enum {string} */
            readonly type: "wait.started";
            readonly data: {
                readonly attempt?: components["schemas"]["Int"];
                /** @enum {string} */
                readonly party: "us" | "partner" | "operator" | "clock";
                readonly instruction: string;
                readonly deadline: string;
                readonly expects?: components["schemas"]["ExpectedRequest"];
                readonly nearMisses?: readonly string[];
                readonly since?: string;
                readonly step?: string;
                readonly kind?: string;
                readonly shortBecause?: string;
            };
        } | {
            readonly sequence: components["schemas"]["Int"];
            readonly occurredAt: string;
            readonly assertions: readonly components["schemas"]["Assertion"][];
            /** unknown */
            readonly machine?: unknown;
            readonly stageId: string;
            /** @enum {string} */
            readonly type: "wait.satisfied";
            readonly data?: {
                readonly attempt?: components["schemas"]["Int"];
                readonly step?: string;
                readonly exchangeId?: string;
            };
        } | {
            readonly sequence: components["schemas"]["Int"];
            readonly occurredAt: string;
            readonly assertions: readonly components["schemas"]["Assertion"][];
            /** unknown */
            readonly machine?: unknown;
            readonly stageId: string;
            /** @enum {string} */
            readonly type: "wait.expired";
            readonly data?: {
                readonly attempt?: components["schemas"]["Int"];
                readonly step?: string;
                readonly exchangeId?: string;
                readonly nearMisses?: readonly string[];
                readonly turnedAwayAt?: string;
            };
        } | {
            readonly sequence: components["schemas"]["Int"];
            readonly occurredAt: string;
            readonly assertions: readonly components["schemas"]["Assertion"][];
            /** unknown */
            readonly machine?: unknown;
            readonly stageId: string;
            /** @enum {string} */
            readonly type: "checkpoint.requested";
            readonly data: {
                readonly attempt?: components["schemas"]["Int"];
                readonly instruction: string;
                readonly deadline: string;
                readonly answers: readonly string[];
                readonly expects?: components["schemas"]["ExpectedRequest"];
            };
        } | {
            readonly sequence: components["schemas"]["Int"];
            readonly occurredAt: string;
            readonly assertions: readonly components["schemas"]["Assertion"][];
            /** unknown */
            readonly machine?: unknown;
            readonly stageId: string;
            /** @enum {string} */
            readonly type: "checkpoint.answered";
            readonly data: {
                readonly attempt?: components["schemas"]["Int"];
                readonly answer: string;
                readonly note?: string;
            };
        } | {
            readonly sequence: components["schemas"]["Int"];
            readonly occurredAt: string;
            readonly assertions: readonly components["schemas"]["Assertion"][];
            /** unknown */
            readonly machine?: unknown;
            readonly stageId: string;
            /** @enum {string} */
            readonly type: "stage.completed";
            readonly data?: {
                readonly attempt?: components["schemas"]["Int"];
            };
        } | {
            readonly sequence: components["schemas"]["Int"];
            readonly occurredAt: string;
            readonly assertions: readonly components["schemas"]["Assertion"][];
            /** unknown */
            readonly machine?: unknown;
            readonly stageId: string;
            /** @enum {string} */
            readonly type: "stage.failed";
            readonly data?: {
                readonly attempt?: components["schemas"]["Int"];
                readonly reason?: string;
                readonly endsMainLine?: string;
                readonly attribution?: components["schemas"]["Attribution"];
            };
        } | {
            readonly sequence: components["schemas"]["Int"];
            readonly occurredAt: string;
            readonly assertions: readonly components["schemas"]["Assertion"][];
            /** unknown */
            readonly machine?: unknown;
            readonly stageId: string;
            /** @enum {string} */
            readonly type: "stage.skipped";
            readonly data?: {
                readonly reason?: string;
            };
        } | {
            readonly sequence: components["schemas"]["Int"];
            readonly occurredAt: string;
            readonly assertions: readonly components["schemas"]["Assertion"][];
            /** unknown */
            readonly machine?: unknown;
            readonly stageId?: string;
            /** @enum {string} */
            readonly type: "run.interrupted";
            readonly data: {
                readonly reason: string;
                readonly unknown?: readonly string[];
            };
        } | {
            readonly sequence: components["schemas"]["Int"];
            readonly occurredAt: string;
            readonly assertions: readonly components["schemas"]["Assertion"][];
            /** unknown */
            readonly machine?: unknown;
            readonly stageId?: string;
            /** @enum {string} */
            readonly type: "recovery.offered";
            readonly data: {
                readonly version: components["schemas"]["Int"];
                readonly options: readonly components["schemas"]["RecoveryOption"][];
            };
        } | {
            readonly sequence: components["schemas"]["Int"];
            readonly occurredAt: string;
            readonly assertions: readonly components["schemas"]["Assertion"][];
            /** unknown */
            readonly machine?: unknown;
            readonly stageId?: string;
            /** @enum {string} */
            readonly type: "recovery.applied";
            readonly data: {
                readonly decision: components["schemas"]["Decision"];
                readonly version: components["schemas"]["Int"];
                readonly successorRunId?: string;
            };
        } | {
            readonly sequence: components["schemas"]["Int"];
            readonly occurredAt: string;
            readonly assertions: readonly components["schemas"]["Assertion"][];
            /** unknown */
            readonly machine?: unknown;
            readonly stageId?: string;
            /** @enum {string} */
            readonly type: "run.resumed";
            readonly data?: {
                readonly decision?: components["schemas"]["Decision"];
                readonly reason?: string;
            };
        } | {
            readonly sequence: components["schemas"]["Int"];
            readonly occurredAt: string;
            readonly assertions: readonly components["schemas"]["Assertion"][];
            /** unknown */
            readonly machine?: unknown;
            readonly stageId?: string;
            /** @enum {string} */
            readonly type: "cancel.requested";
        } | {
            readonly sequence: components["schemas"]["Int"];
            readonly occurredAt: string;
            readonly assertions: readonly components["schemas"]["Assertion"][];
            /** unknown */
            readonly machine?: unknown;
            readonly stageId?: string;
            /** @enum {string} */
            readonly type: "run.cancelled";
            readonly data?: {
                readonly reason?: string;
                readonly cutShort?: boolean;
                readonly leftBehind?: readonly string[];
                readonly successorRunId?: string | null;
            };
        } | {
            readonly sequence: components["schemas"]["Int"];
            readonly occurredAt: string;
            readonly assertions: readonly components["schemas"]["Assertion"][];
            /** unknown */
            readonly machine?: unknown;
            readonly stageId?: string;
            /** @enum {string} */
            readonly type: "run.completed";
            readonly data?: {
                readonly reason?: string;
                readonly cutShort?: boolean;
                readonly leftBehind?: readonly string[];
            };
        } | {
            readonly sequence: components["schemas"]["Int"];
            readonly occurredAt: string;
            readonly assertions: readonly components["schemas"]["Assertion"][];
            /** unknown */
            readonly machine?: unknown;
            readonly stageId?: string;
            /** @enum {string} */
            readonly type: "run.failed";
            readonly data?: {
                readonly reason?: string;
                readonly cutShort?: boolean;
                readonly leftBehind?: readonly string[];
            };
        };
        readonly RecoveryRequest: {
            readonly decision?: components["schemas"]["Decision"];
            /**
             * between(0, 2147483647)
             * @description a number between 0 and 2147483647
             */
            readonly recoveryVersion?: components["schemas"]["Int"];
        };
        readonly CheckpointAnswer: {
            /**
             * maxLength(200)
             * @description a string at most 200 character(s) long
             */
            readonly answer: components["schemas"]["NonEmptyString"];
            /**
             * maxLength(2000)
             * @description a string at most 2000 character(s) long
             */
            readonly note?: string;
        };
        readonly ScenarioDraft: {
            /**
             * maxLength(200)
             * @description a string at most 200 character(s) long
             */
            readonly name: components["schemas"]["NonEmptyString"];
            /**
             * maxLength(200)
             * @description a string at most 200 character(s) long
             */
            readonly templateId: components["schemas"]["NonEmptyString"];
            readonly inputs?: {
                readonly [key: string]: unknown;
            };
            readonly limits?: {
                readonly [key: string]: components["schemas"]["Int"];
            };
            readonly assertions?: {
                readonly [key: string]: components["schemas"]["Strength"] | "off";
            };
            /**
             * maxItems(500)
             * @description an array of at most 500 item(s)
             */
            readonly faults?: readonly components["schemas"]["ScenarioFault"][];
        };
        readonly ScenarioResponse: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: components["schemas"]["Scenario"];
        };
        readonly ScenariosResponse: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: readonly components["schemas"]["Scenario"][];
        };
        readonly ScenarioFile: {
            /**
             * maxLength(65536)
             * @description a string at most 65536 character(s) long
             */
            readonly file: string;
        };
        readonly ScenarioValidationResponse: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: components["schemas"]["ScenarioValidation"];
        };
        readonly ScenarioValidation: {
            readonly valid: boolean;
            readonly problems: readonly components["schemas"]["ScenarioProblem"][];
            readonly scenario: components["schemas"]["ScenarioDraft"] | null;
        };
        readonly ScenarioProblem: {
            readonly line: components["schemas"]["Int"];
            readonly column: components["schemas"]["Int"];
            readonly path: string;
            readonly message: string;
        };
        readonly DryRunRequest: {
            readonly scenario?: components["schemas"]["ScenarioDraft"];
            /**
             * maxLength(128)
             * @description a string at most 128 character(s) long
             */
            readonly scenarioId?: string;
            /**
             * maxLength(128)
             * @description a string at most 128 character(s) long
             */
            readonly connectionId?: string;
            readonly ocpiVersion?: components["schemas"]["OcpiVersion"];
        };
        readonly DryRunResponse: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: components["schemas"]["DryRun"];
        };
        readonly DryRun: {
            readonly templateId: string;
            readonly runnable: boolean;
            readonly reasons: readonly string[];
            readonly planVersion: string;
            readonly stages: readonly components["schemas"]["PlannedStage"][];
            readonly faults: readonly components["schemas"]["ScenarioFault"][];
        };
        readonly PlannedStage: {
            readonly id: string;
            readonly name: string;
            /** @enum {string} */
            readonly actor: "us" | "partner" | "operator" | "clock";
            readonly does: string;
            readonly writes: boolean;
            readonly timeoutSeconds: components["schemas"]["Int"];
            readonly request: {
                readonly method: string;
                readonly url: string;
                /** unknown */
                readonly body?: unknown;
            } | null;
            readonly dependsOn: string | null;
            readonly assertions: readonly {
                readonly id: string;
                readonly strength: components["schemas"]["Strength"];
            }[];
            readonly faults: readonly ("late-answer" | "server-error" | "wrong-status" | "duplicate-push")[];
        };
        readonly ScenarioChange: {
            /**
             * maxLength(200)
             * @description a string at most 200 character(s) long
             */
            readonly name: components["schemas"]["NonEmptyString"];
            /**
             * maxLength(200)
             * @description a string at most 200 character(s) long
             */
            readonly templateId: components["schemas"]["NonEmptyString"];
            readonly inputs?: {
                readonly [key: string]: unknown;
            };
            readonly limits?: {
                readonly [key: string]: components["schemas"]["Int"];
            };
            readonly assertions?: {
                readonly [key: string]: components["schemas"]["Strength"] | "off";
            };
            /**
             * maxItems(500)
             * @description an array of at most 500 item(s)
             */
            readonly faults?: readonly components["schemas"]["ScenarioFault"][];
            /**
             * between(0, 2147483647)
             * @description a number between 0 and 2147483647
             */
            readonly version: components["schemas"]["Int"];
        };
        readonly CreateSandboxPartner: {
            readonly theirRole: components["schemas"]["Role"];
            readonly ocpiVersion: components["schemas"]["OcpiVersion"];
            /**
             * maxItems(1000)
             * @description an array of at most 1000 item(s)
             */
            readonly faults?: readonly string[];
            /**
             * between(-2147483647, 2147483647)
             * @description a number between -2147483647 and 2147483647
             */
            readonly seed?: components["schemas"]["Int"];
            /**
             * maxLength(128)
             * @description a string at most 128 character(s) long
             */
            readonly initiate?: string;
            readonly activity?: components["schemas"]["SandboxActivity"];
            /**
             * lessThanOrEqualTo(100000)
             * @description a number less than or equal to 100000
             */
            readonly speed?: number;
        };
        /** @enum {string} */
        readonly SandboxActivity: "quiet" | "catalogue" | "lively";
        readonly SandboxPartnerResponse: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: components["schemas"]["SandboxPartner"];
        };
        readonly SandboxPartner: {
            readonly _id: string;
            readonly theirRole: components["schemas"]["Role"];
            readonly ocpiVersion: components["schemas"]["OcpiVersion"];
            readonly partnerBaseUrl: string;
            readonly tokenA: string | null;
            readonly faults: readonly string[];
            readonly seed: components["schemas"]["Int"];
            readonly speed: number;
            readonly activity: components["schemas"]["SandboxActivity"];
            readonly registered: boolean;
            readonly lastError?: string;
            readonly createdAt: string;
        };
        readonly SandboxPartnersResponse: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: readonly components["schemas"]["SandboxPartner"][];
        };
        readonly SandboxExchangesResponse: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: readonly components["schemas"]["Exchange"][];
        };
        readonly SetFaults: {
            /**
             * maxItems(1000)
             * @description an array of at most 1000 item(s)
             */
            readonly faults: readonly string[];
        };
        readonly RenewSandboxPartner: {
            readonly ocpiVersion?: components["schemas"]["OcpiVersion"];
        };
        readonly FaultsResponse: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: readonly components["schemas"]["Fault"][];
        };
        readonly Fault: {
            readonly id: string;
            readonly module: string;
            readonly versions: readonly components["schemas"]["OcpiVersion"][];
            readonly roles: readonly components["schemas"]["Role"][];
            readonly strength: components["schemas"]["Strength"];
            readonly description: string;
            readonly caughtBy: readonly string[];
        };
        readonly MachinesResponse: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: readonly components["schemas"]["MachineSummary"][];
        };
        readonly MachineSummary: {
            readonly id: components["schemas"]["MachineId"];
            readonly name: string;
            readonly description: string;
            readonly counts: {
                readonly [key: string]: components["schemas"]["Int"];
            };
        };
        /** @enum {string} */
        readonly MachineId: "journeyRun" | "suiteRun" | "handshake";
        readonly MachineResponse: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: components["schemas"]["Machine"];
        };
        readonly Machine: {
            readonly id: components["schemas"]["MachineId"];
            readonly name: string;
            readonly description: string;
            readonly counts: {
                readonly [key: string]: components["schemas"]["Int"];
            };
            readonly states: readonly {
                readonly id: string;
                readonly parent: string | null;
                readonly initial: boolean;
                readonly final: boolean;
                readonly tags: readonly string[];
            }[];
            readonly transitions: readonly {
                readonly id: string;
                readonly from: string;
                readonly to: string;
                readonly event: string;
                readonly guard: string | null;
                readonly label?: string;
                readonly description?: string;
            }[];
            readonly layout: {
                readonly width: number;
                readonly height: number;
                readonly nodes: readonly {
                    readonly id: string;
                    readonly x: number;
                    readonly y: number;
                    readonly width: number;
                    readonly height: number;
                }[];
                readonly edges: readonly {
                    readonly from: string;
                    readonly to: string;
                    readonly transitions: readonly string[];
                    readonly points: readonly {
                        readonly x: number;
                        readonly y: number;
                    }[];
                }[];
            };
        };
        readonly ProcessesResponse: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: readonly components["schemas"]["ServiceProcess"][];
        };
        readonly ServiceProcess: {
            readonly _id: string;
            readonly startedAt: string;
            readonly alive: boolean;
            readonly aliveUntil: string;
            readonly lagMs?: components["schemas"]["Int"];
            readonly runs: components["schemas"]["Int"];
        };
        readonly LeasesResponse: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: readonly components["schemas"]["RunLease"][];
        };
        readonly RunLease: {
            /**
             * maxLength(128)
             * @description a string at most 128 character(s) long
             */
            readonly runId: string;
            /** @enum {string} */
            readonly kind: "conformance" | "journey";
            readonly epoch: components["schemas"]["Int"];
            readonly processId: string | null;
            readonly valid: boolean;
            readonly until: string;
        };
        readonly AccountResponse: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: components["schemas"]["Account"];
        };
        readonly Account: {
            readonly _id: string;
            readonly account: string;
            readonly plan: string;
            readonly capabilities: readonly ("connections" | "handshake" | "commands" | "conformance" | "journeys" | "sandbox" | "charging_profiles" | "hub" | "payments" | "fault_packs" | "signed_export")[];
            readonly limits: {
                readonly requests: components["schemas"]["LimitUse"];
                readonly commands: components["schemas"]["LimitUse"];
                readonly connectionCommands: components["schemas"]["LimitUse"];
                readonly partnerCalls: components["schemas"]["LimitUse"];
                readonly partnerKilobytes: components["schemas"]["LimitUse"];
                readonly accountCalls: components["schemas"]["LimitUse"];
                readonly accountKilobytes: components["schemas"]["LimitUse"];
                readonly runs: components["schemas"]["LimitUse"];
                readonly streams: components["schemas"]["LimitUse"];
                readonly connections: components["schemas"]["LimitUse"];
                readonly sandboxPartners: components["schemas"]["LimitUse"];
                readonly keys: components["schemas"]["LimitUse"];
            };
        };
        readonly LimitUse: {
            readonly limit: components["schemas"]["Int"];
            readonly used: components["schemas"]["Int"] | null;
            readonly per: string;
        };
        readonly ApiKeysResponse: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: readonly components["schemas"]["ApiKey"][];
        };
        readonly ApiKey: {
            /**
             * maxLength(128)
             * @description a string at most 128 character(s) long
             */
            readonly _id: string;
            readonly name: string;
            readonly prefix: string;
            readonly last4: string;
            readonly scopes: readonly ("read" | "run" | "connections:write" | "keys:write" | "personal:read")[];
            readonly createdAt: string;
            readonly expiresAt: string | null;
            readonly lastUsedAt: string | null;
            readonly revokedAt: string | null;
        };
        readonly CreateApiKey: {
            /**
             * maxLength(100)
             * @description a string at most 100 character(s) long
             */
            readonly name: string;
            /**
             * maxItems(20)
             * @description an array of at most 20 item(s)
             */
            readonly scopes: readonly ("read" | "run" | "connections:write" | "keys:write" | "personal:read")[];
            /**
             * between(1, 3650)
             * @description a number between 1 and 3650
             */
            readonly expiresInDays?: components["schemas"]["Int"];
        };
        readonly NewApiKeyResponse: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: components["schemas"]["NewApiKey"];
        };
        readonly NewApiKey: {
            /**
             * maxLength(128)
             * @description a string at most 128 character(s) long
             */
            readonly _id: string;
            readonly name: string;
            readonly prefix: string;
            readonly last4: string;
            readonly scopes: readonly ("read" | "run" | "connections:write" | "keys:write" | "personal:read")[];
            readonly createdAt: string;
            readonly expiresAt: string | null;
            readonly lastUsedAt: string | null;
            readonly revokedAt: string | null;
            /** @description A secret, shown in the first answer only. When that answer was lost, roll the key: POST /api/v1/settings/api-keys/{id}/roll */
            readonly key: string;
        };
        readonly RollApiKey: {
            /**
             * between(0, 7)
             * @description a number between 0 and 7
             */
            readonly overlapDays?: number;
        };
        readonly ApiKeyResponse: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: components["schemas"]["ApiKey"];
        };
        readonly AuditResponse: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: readonly components["schemas"]["AuditEntry"][];
        };
        readonly AuditEntry: {
            readonly _id: string;
            readonly at: string;
            readonly key: {
                /**
                 * maxLength(128)
                 * @description a string at most 128 character(s) long
                 */
                readonly _id: string;
                readonly name: string;
            } | null;
            readonly action: string;
            readonly target: string | null;
            readonly result: string | null;
            readonly status: components["schemas"]["Int"] | null;
            readonly requestId: string | null;
            readonly replay: boolean;
        };
        readonly EgressQuestion: {
            /**
             * maxLength(2048)
             * @description a string at most 2048 character(s) long
             */
            readonly url: string;
        };
        readonly EgressResponse: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: components["schemas"]["EgressAnswer"];
        };
        readonly EgressAnswer: {
            readonly allowed: boolean;
            /** @enum {string} */
            readonly rule: "url" | "scheme" | "userinfo" | "port" | "address" | "own" | "sandbox" | "allowed_range" | "public" | "none";
            readonly message: string;
        };
        readonly SignIn: {
            /**
             * maxLength(512)
             * @description a string at most 512 character(s) long
             */
            readonly apiKey?: string;
            /**
             * maxLength(100)
             * @description a string at most 100 character(s) long
             */
            readonly code?: string;
        };
        readonly SessionResponse: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: components["schemas"]["Session"];
        };
        readonly Session: {
            /**
             * maxLength(128)
             * @description a string at most 128 character(s) long
             */
            readonly keyId: string;
            readonly name: string;
            readonly scopes: readonly ("read" | "run" | "connections:write" | "keys:write" | "personal:read")[];
            readonly expiresAt: string;
        };
        readonly SignInLinkResponse: {
            /** @enum {boolean} */
            readonly success: true;
            readonly data: components["schemas"]["SignInLink"];
        };
        readonly SignInLink: {
            /** @description A secret, shown in the first answer only. When that answer was lost, ask for another link: POST /api/v1/session/links */
            readonly url: string;
            readonly expiresAt: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly "connections.list": {
        readonly parameters: {
            readonly query?: {
                readonly limit?: number;
                /** @description of a Link header with rel=next */
                readonly cursor?: string;
                readonly status?: "pending" | "registered" | "failed";
                readonly ocpiVersion?: components["schemas"]["OcpiVersion"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ConnectionsResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "connections.create": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                readonly "Idempotency-Key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateConnection"];
            };
        };
        readonly responses: {
            /** @description Connection */
            readonly 201: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ConnectionResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The plan does not include the capability; the message names it and the lowest plan that has it */
            readonly 402: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Stale plan, idempotency conflict, stale recovery version, or not possible in the present state */
            readonly 409: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than 256 KiB */
            readonly 413: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not sent as application/json */
            readonly 415: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The configuration cannot work for this target */
            readonly 422: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "connections.read": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description a string at most 128 character(s) long */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Connection */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ConnectionResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown, or owned by another account */
            readonly 404: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "connections.remove": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description a string at most 128 character(s) long */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description RemovedConnection */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RemovedConnectionResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown, or owned by another account */
            readonly 404: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Stale plan, idempotency conflict, stale recovery version, or not possible in the present state */
            readonly 409: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "connections.handshake": {
        readonly parameters: {
            readonly query?: {
                readonly expect?: "registered";
            };
            readonly header?: {
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                /** @description a string at most 128 character(s) long */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["HandshakeOrder"];
            };
        };
        readonly responses: {
            /** @description Connection */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ConnectionResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The plan does not include the capability; the message names it and the lowest plan that has it */
            readonly 402: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown, or owned by another account */
            readonly 404: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Stale plan, idempotency conflict, stale recovery version, or not possible in the present state */
            readonly 409: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than 256 KiB */
            readonly 413: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not sent as application/json */
            readonly 415: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The configuration cannot work for this target */
            readonly 422: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "connections.invite": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                /** @description a string at most 128 character(s) long */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description IssuedInvitation */
            readonly 201: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InvitationResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The plan does not include the capability; the message names it and the lowest plan that has it */
            readonly 402: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown, or owned by another account */
            readonly 404: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Stale plan, idempotency conflict, stale recovery version, or not possible in the present state */
            readonly 409: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "connections.preflight": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                /** @description a string at most 128 character(s) long */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Preflight */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PreflightResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The plan does not include the capability; the message names it and the lowest plan that has it */
            readonly 402: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown, or owned by another account */
            readonly 404: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Stale plan, idempotency conflict, stale recovery version, or not possible in the present state */
            readonly 409: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "connections.setDialect": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description a string at most 128 character(s) long */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SetDialect"];
            };
        };
        readonly responses: {
            /** @description Connection */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ConnectionResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown, or owned by another account */
            readonly 404: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Stale plan, idempotency conflict, stale recovery version, or not possible in the present state */
            readonly 409: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than 256 KiB */
            readonly 413: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not sent as application/json */
            readonly 415: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "connections.exchanges": {
        readonly parameters: {
            readonly query?: {
                readonly order?: "oldest" | "newest";
                readonly direction?: "outbound" | "inbound";
                readonly after?: number;
                /** @description of a Link header with rel=next */
                readonly cursor?: string;
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path: {
                /** @description a string at most 128 character(s) long */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ExchangesResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown, or owned by another account */
            readonly 404: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "testing.suites": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SuitesResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "testing.suite": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description a string at most 128 character(s) long */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description SuiteDetail */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SuiteResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown, or owned by another account */
            readonly 404: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "testing.command": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                readonly "Idempotency-Key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CommandRequest"];
            };
        };
        readonly responses: {
            /** @description CommandResult */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CommandResultResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The plan does not include the capability; the message names it and the lowest plan that has it */
            readonly 402: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown, or owned by another account */
            readonly 404: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Stale plan, idempotency conflict, stale recovery version, or not possible in the present state */
            readonly 409: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than 256 KiB */
            readonly 413: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not sent as application/json */
            readonly 415: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The configuration cannot work for this target */
            readonly 422: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "testing.draftCommand": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CommandDraftRequest"];
            };
        };
        readonly responses: {
            /** @description CommandDraft */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CommandDraftResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The plan does not include the capability; the message names it and the lowest plan that has it */
            readonly 402: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown, or owned by another account */
            readonly 404: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than 256 KiB */
            readonly 413: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not sent as application/json */
            readonly 415: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The configuration cannot work for this target */
            readonly 422: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "testing.readCommand": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description a string at most 128 character(s) long */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Command */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CommandResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown, or owned by another account */
            readonly 404: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "testing.runs": {
        readonly parameters: {
            readonly query?: {
                readonly limit?: number;
                /** @description of a Link header with rel=next */
                readonly cursor?: string;
                readonly order?: "oldest" | "newest";
                readonly kind?: "conformance" | "journey";
                readonly status?: components["schemas"]["RunStatus"];
                readonly verdict?: components["schemas"]["Verdict"];
                readonly ocpiVersion?: components["schemas"]["OcpiVersion"];
                /** @description a string at most 128 character(s) long */
                readonly connectionId?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RunReportsResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "testing.startRun": {
        readonly parameters: {
            readonly query?: {
                /** @description whole seconds, 1 to 30 */
                readonly wait?: string;
                readonly until?: "end";
            };
            readonly header?: {
                readonly "Idempotency-Key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["StartConformanceRun"];
            };
        };
        readonly responses: {
            /** @description RunReport */
            readonly 202: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RunReportResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The plan does not include the capability; the message names it and the lowest plan that has it */
            readonly 402: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown, or owned by another account */
            readonly 404: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Stale plan, idempotency conflict, stale recovery version, or not possible in the present state */
            readonly 409: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than 256 KiB */
            readonly 413: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not sent as application/json */
            readonly 415: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The configuration cannot work for this target */
            readonly 422: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "testing.run": {
        readonly parameters: {
            readonly query?: {
                /** @description whole seconds, 1 to 30 */
                readonly wait?: string;
                readonly until?: "end";
                readonly since?: number;
            };
            readonly header?: never;
            readonly path: {
                /** @description a string at most 128 character(s) long */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description RunReport */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RunReportResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown, or owned by another account */
            readonly 404: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "testing.checks": {
        readonly parameters: {
            readonly query?: {
                readonly outcome?: components["schemas"]["Outcome"];
                /** @description a string at most 200 character(s) long */
                readonly module?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description a string at most 128 character(s) long */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CheckResultsResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown, or owned by another account */
            readonly 404: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "testing.compareRuns": {
        readonly parameters: {
            readonly query: {
                /** @description the earlier run: report id or run id */
                readonly with: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description a string at most 128 character(s) long */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description RunComparison */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RunComparisonResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown, or owned by another account */
            readonly 404: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The configuration cannot work for this target */
            readonly 422: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "testing.exportRun": {
        readonly parameters: {
            readonly query: {
                readonly format: components["schemas"]["ExportFormat"];
                readonly personalData?: components["schemas"]["PersonalData"];
            };
            readonly header?: never;
            readonly path: {
                /** @description a string at most 128 character(s) long */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The file */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/xml": string;
                    readonly "application/json": Record<string, never>;
                    readonly "text/html": string;
                    readonly "text/markdown": string;
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The plan does not include the capability; the message names it and the lowest plan that has it */
            readonly 402: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown, or owned by another account */
            readonly 404: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "testing.cancelRun": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                /** @description a string at most 128 character(s) long */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description RunReport */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RunReportResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown, or owned by another account */
            readonly 404: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Stale plan, idempotency conflict, stale recovery version, or not possible in the present state */
            readonly 409: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "testing.journeys": {
        readonly parameters: {
            readonly query?: {
                /** @description a string at most 128 character(s) long */
                readonly connectionId?: string;
                /** @description a string at most 128 character(s) long */
                readonly target?: string;
                readonly ocpiVersion?: components["schemas"]["OcpiVersion"];
                readonly theirRole?: components["schemas"]["Role"];
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description JourneyCatalogue */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Names the catalogue; sent as If-None-Match */
                    readonly ETag?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["JourneyCatalogueResponse"];
                };
            };
            /** @description If-None-Match names the ETag of the catalogue: it has not changed */
            readonly 304: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Names the catalogue; sent as If-None-Match */
                    readonly ETag?: string;
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown, or owned by another account */
            readonly 404: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "testing.validate": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ValidateRequest"];
            };
        };
        readonly responses: {
            /** @description ValidationReport */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ValidationResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than 256 KiB */
            readonly 413: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not sent as application/json */
            readonly 415: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The configuration cannot work for this target */
            readonly 422: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "journeyRuns.list": {
        readonly parameters: {
            readonly query?: {
                readonly limit?: number;
                /** @description of a Link header with rel=next */
                readonly cursor?: string;
                readonly order?: "oldest" | "newest";
                readonly status?: components["schemas"]["RunStatus"];
                /** @description a string at most 128 character(s) long */
                readonly connectionId?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["JourneyRunsResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "journeyRuns.start": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                readonly "Idempotency-Key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["StartJourneyRun"];
            };
        };
        readonly responses: {
            /** @description JourneyRunStatus */
            readonly 202: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["JourneyRunStatusResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The plan does not include the capability; the message names it and the lowest plan that has it */
            readonly 402: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown, or owned by another account */
            readonly 404: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Stale plan, idempotency conflict, stale recovery version, or not possible in the present state */
            readonly 409: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than 256 KiB */
            readonly 413: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not sent as application/json */
            readonly 415: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The configuration cannot work for this target */
            readonly 422: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "journeyRuns.read": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description a string at most 128 character(s) long */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description JourneyRunStatus */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["JourneyRunStatusResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown, or owned by another account */
            readonly 404: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "journeyRuns.events": {
        readonly parameters: {
            readonly query?: {
                readonly after?: number;
                readonly limit?: number;
                readonly type?: components["schemas"]["LedgerEventType"];
                /** @description a string at most 200 character(s) long */
                readonly stageId?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description a string at most 128 character(s) long */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["JourneyEventsResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown, or owned by another account */
            readonly 404: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "journeyRuns.stream": {
        readonly parameters: {
            readonly query?: {
                /** @description a string at most 128 character(s) long */
                readonly lastEventId?: string;
            };
            readonly header?: {
                /** @description sequence of the last event received */
                readonly "Last-Event-ID"?: string;
            };
            readonly path: {
                /** @description a string at most 128 character(s) long */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description a string */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/event-stream": string;
                };
            };
            /** @description The run has ended and the client has received all of its events */
            readonly 204: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown, or owned by another account */
            readonly 404: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "journeyRuns.recovery": {
        readonly parameters: {
            readonly query?: {
                readonly decision?: components["schemas"]["Decision"];
                readonly recoveryVersion?: number;
            };
            readonly header?: {
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                /** @description a string at most 128 character(s) long */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["RecoveryRequest"];
            };
        };
        readonly responses: {
            /** @description JourneyRunStatus */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["JourneyRunStatusResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The plan does not include the capability; the message names it and the lowest plan that has it */
            readonly 402: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown, or owned by another account */
            readonly 404: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Stale plan, idempotency conflict, stale recovery version, or not possible in the present state */
            readonly 409: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than 256 KiB */
            readonly 413: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not sent as application/json */
            readonly 415: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The configuration cannot work for this target */
            readonly 422: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "journeyRuns.checkpoint": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                /** @description a string at most 128 character(s) long */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CheckpointAnswer"];
            };
        };
        readonly responses: {
            /** @description JourneyRunStatus */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["JourneyRunStatusResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown, or owned by another account */
            readonly 404: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Stale plan, idempotency conflict, stale recovery version, or not possible in the present state */
            readonly 409: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than 256 KiB */
            readonly 413: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not sent as application/json */
            readonly 415: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The configuration cannot work for this target */
            readonly 422: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "journeyRuns.cancel": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                /** @description a string at most 128 character(s) long */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description JourneyRunStatus */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["JourneyRunStatusResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown, or owned by another account */
            readonly 404: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Stale plan, idempotency conflict, stale recovery version, or not possible in the present state */
            readonly 409: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The configuration cannot work for this target */
            readonly 422: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "scenarios.list": {
        readonly parameters: {
            readonly query?: {
                readonly limit?: number;
                /** @description of a Link header with rel=next */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ScenariosResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "scenarios.create": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                readonly "Idempotency-Key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ScenarioDraft"];
            };
        };
        readonly responses: {
            /** @description Scenario */
            readonly 201: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ScenarioResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Stale plan, idempotency conflict, stale recovery version, or not possible in the present state */
            readonly 409: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than 256 KiB */
            readonly 413: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not sent as application/json */
            readonly 415: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "scenarios.fromFile": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                readonly "Idempotency-Key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ScenarioFile"];
            };
        };
        readonly responses: {
            /** @description Scenario */
            readonly 201: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ScenarioResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Stale plan, idempotency conflict, stale recovery version, or not possible in the present state */
            readonly 409: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than 256 KiB */
            readonly 413: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not sent as application/json */
            readonly 415: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "scenarios.validate": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ScenarioFile"];
            };
        };
        readonly responses: {
            /** @description ScenarioValidation */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ScenarioValidationResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than 256 KiB */
            readonly 413: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not sent as application/json */
            readonly 415: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "scenarios.dryRun": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["DryRunRequest"];
            };
        };
        readonly responses: {
            /** @description DryRun */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DryRunResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown, or owned by another account */
            readonly 404: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than 256 KiB */
            readonly 413: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not sent as application/json */
            readonly 415: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The configuration cannot work for this target */
            readonly 422: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "scenarios.read": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description a string at most 128 character(s) long */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Scenario */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ScenarioResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown, or owned by another account */
            readonly 404: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "scenarios.change": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description a string at most 128 character(s) long */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ScenarioChange"];
            };
        };
        readonly responses: {
            /** @description Scenario */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ScenarioResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown, or owned by another account */
            readonly 404: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Stale plan, idempotency conflict, stale recovery version, or not possible in the present state */
            readonly 409: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than 256 KiB */
            readonly 413: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not sent as application/json */
            readonly 415: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "scenarios.remove": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description a string at most 128 character(s) long */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Scenario */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ScenarioResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown, or owned by another account */
            readonly 404: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Stale plan, idempotency conflict, stale recovery version, or not possible in the present state */
            readonly 409: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "scenarios.toFile": {
        readonly parameters: {
            readonly query?: {
                readonly format?: "yaml" | "json";
            };
            readonly header?: never;
            readonly path: {
                /** @description a string at most 128 character(s) long */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The file */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/yaml": string;
                    readonly "application/json": components["schemas"]["ScenarioDraft"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown, or owned by another account */
            readonly 404: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "sandbox.list": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SandboxPartnersResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "sandbox.create": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                readonly "Idempotency-Key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateSandboxPartner"];
            };
        };
        readonly responses: {
            /** @description SandboxPartner */
            readonly 201: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SandboxPartnerResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The plan does not include the capability; the message names it and the lowest plan that has it */
            readonly 402: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown, or owned by another account */
            readonly 404: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Stale plan, idempotency conflict, stale recovery version, or not possible in the present state */
            readonly 409: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than 256 KiB */
            readonly 413: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not sent as application/json */
            readonly 415: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The configuration cannot work for this target */
            readonly 422: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "sandbox.read": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description a string at most 128 character(s) long */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description SandboxPartner */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SandboxPartnerResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown, or owned by another account */
            readonly 404: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "sandbox.remove": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description a string at most 128 character(s) long */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description SandboxPartner */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SandboxPartnerResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown, or owned by another account */
            readonly 404: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Stale plan, idempotency conflict, stale recovery version, or not possible in the present state */
            readonly 409: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "sandbox.exchanges": {
        readonly parameters: {
            readonly query?: {
                readonly order?: "oldest" | "newest";
                readonly direction?: "outbound" | "inbound";
                readonly after?: number;
                /** @description of a Link header with rel=next */
                readonly cursor?: string;
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path: {
                /** @description a string at most 128 character(s) long */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SandboxExchangesResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown, or owned by another account */
            readonly 404: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "sandbox.issueToken": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                /** @description a string at most 128 character(s) long */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description SandboxPartner */
            readonly 201: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SandboxPartnerResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown, or owned by another account */
            readonly 404: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Stale plan, idempotency conflict, stale recovery version, or not possible in the present state */
            readonly 409: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "sandbox.setFaults": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description a string at most 128 character(s) long */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SetFaults"];
            };
        };
        readonly responses: {
            /** @description SandboxPartner */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SandboxPartnerResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown, or owned by another account */
            readonly 404: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Stale plan, idempotency conflict, stale recovery version, or not possible in the present state */
            readonly 409: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than 256 KiB */
            readonly 413: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not sent as application/json */
            readonly 415: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "sandbox.handshake": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                /** @description a string at most 128 character(s) long */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["RenewSandboxPartner"];
            };
        };
        readonly responses: {
            /** @description SandboxPartner */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SandboxPartnerResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown, or owned by another account */
            readonly 404: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Stale plan, idempotency conflict, stale recovery version, or not possible in the present state */
            readonly 409: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than 256 KiB */
            readonly 413: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not sent as application/json */
            readonly 415: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The configuration cannot work for this target */
            readonly 422: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "sandbox.leave": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description a string at most 128 character(s) long */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description SandboxPartner */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SandboxPartnerResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown, or owned by another account */
            readonly 404: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Stale plan, idempotency conflict, stale recovery version, or not possible in the present state */
            readonly 409: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The configuration cannot work for this target */
            readonly 422: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "sandbox.faults": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FaultsResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "machines.list": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["MachinesResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "machines.read": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description a string at most 128 character(s) long */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Machine */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["MachineResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown, or owned by another account */
            readonly 404: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "machines.processes": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ProcessesResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "machines.leases": {
        readonly parameters: {
            readonly query?: {
                readonly limit?: number;
                /** @description of a Link header with rel=next */
                readonly cursor?: string;
                readonly kind?: "conformance" | "journey";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["LeasesResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "settings.account": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Account */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AccountResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "settings.keys": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ApiKeysResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "settings.createKey": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                readonly "Idempotency-Key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateApiKey"];
            };
        };
        readonly responses: {
            /** @description NewApiKey */
            readonly 201: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NewApiKeyResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Stale plan, idempotency conflict, stale recovery version, or not possible in the present state */
            readonly 409: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than 256 KiB */
            readonly 413: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not sent as application/json */
            readonly 415: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "settings.rollKey": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                /** @description a string at most 128 character(s) long */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: {
            readonly content: {
                readonly "application/json": components["schemas"]["RollApiKey"];
            };
        };
        readonly responses: {
            /** @description NewApiKey */
            readonly 201: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NewApiKeyResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown, or owned by another account */
            readonly 404: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Stale plan, idempotency conflict, stale recovery version, or not possible in the present state */
            readonly 409: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than 256 KiB */
            readonly 413: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not sent as application/json */
            readonly 415: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "settings.revokeKey": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description a string at most 128 character(s) long */
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description ApiKey */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ApiKeyResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Unknown, or owned by another account */
            readonly 404: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Stale plan, idempotency conflict, stale recovery version, or not possible in the present state */
            readonly 409: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "settings.audit": {
        readonly parameters: {
            readonly query?: {
                readonly limit?: number;
                /** @description of a Link header with rel=next */
                readonly cursor?: string;
                /** @description a string at most 128 character(s) long */
                readonly keyId?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Success */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AuditResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "settings.egress": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["EgressQuestion"];
            };
        };
        readonly responses: {
            /** @description EgressAnswer */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["EgressResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than 256 KiB */
            readonly 413: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not sent as application/json */
            readonly 415: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "session.read": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Session */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SessionResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "session.signIn": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SignIn"];
            };
        };
        readonly responses: {
            /** @description Session */
            readonly 201: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SessionResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is larger than 256 KiB */
            readonly 413: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not sent as application/json */
            readonly 415: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "session.signOut": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Session */
            readonly 200: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SessionResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readonly "session.makeLink": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                readonly "Idempotency-Key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description SignInLink */
            readonly 201: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SignInLinkResponse"];
                };
            };
            /** @description Malformed or not as the schema says: the message names the field, the value seen and the rule */
            readonly 400: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key is missing, malformed, unknown, revoked or expired */
            readonly 401: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The API key lacks the scope that the operation needs */
            readonly 403: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The Accept header excludes application/json */
            readonly 406: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Stale plan, idempotency conflict, stale recovery version, or not possible in the present state */
            readonly 409: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Quota or rate limit reached; Retry-After says when to try again */
            readonly 429: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A fault of the service; our logs have it under X-Request-Id */
            readonly 500: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The database cannot be reached, or the server is draining; Retry-After says when to try again */
            readonly 503: {
                headers: {
                    /** @description Id of this request in our logs */
                    readonly "X-Request-Id"?: string;
                    /** @description Seconds to wait before the next try */
                    readonly "Retry-After"?: number;
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
