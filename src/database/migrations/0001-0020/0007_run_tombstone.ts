import type { Migration } from "../Migration.ts"

/** The tombstone of a purged run: one row that says that the run existed, and with which lines it ended. */
export const runTombstone: Migration = {
  id: 7,
  name: "run_tombstone",
  // Lines are deleted only with their whole run, only after its end, and only beside a tombstone: our role may neither
  // delete lines nor write tombstones, but call the function that does both in one transaction. lease_until: renewed
  // while a run lives, so in a finished run it shows when it ended.
  sql: (role) => `
    CREATE TABLE run_tombstone (
      run_id text COLLATE "C" PRIMARY KEY,
      report_id text COLLATE "C" NOT NULL UNIQUE,
      owner_id text NOT NULL,
      kind text NOT NULL,
      connection_id text NOT NULL,
      ocpi_version text NOT NULL,
      subject_id text NOT NULL,
      created_at text NOT NULL,
      status text NOT NULL,
      verdict text,
      lines int NOT NULL,
      head_hash text NOT NULL,
      reason text NOT NULL,
      purged_at timestamptz NOT NULL DEFAULT clock_timestamp()
    );
    CREATE INDEX run_to_purge ON run (lease_until) WHERE closed;

    CREATE FUNCTION run_tombstone_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'run_tombstone is append-only' USING ERRCODE = 'insufficient_privilege';
    END $$;
    CREATE TRIGGER no_change BEFORE UPDATE OR DELETE ON run_tombstone
      FOR EACH ROW EXECUTE FUNCTION run_tombstone_is_kept();
    CREATE TRIGGER no_truncate BEFORE TRUNCATE ON run_tombstone
      FOR EACH STATEMENT EXECUTE FUNCTION run_tombstone_is_kept();

    CREATE OR REPLACE FUNCTION ledger_event_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF tg_op = 'DELETE' THEN
        IF EXISTS (SELECT FROM run_tombstone WHERE run_id = old.run_id) THEN RETURN old; END IF;
      END IF;
      RAISE EXCEPTION 'ledger_event is append-only' USING ERRCODE = 'insufficient_privilege';
    END $$;

    CREATE FUNCTION purge_run(wanted text, why text) RETURNS boolean
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    BEGIN
      INSERT INTO run_tombstone (run_id, report_id, owner_id, kind, connection_id, ocpi_version, subject_id,
          created_at, status, verdict, lines, head_hash, reason)
        SELECT run_id, report_id, owner_id, kind, connection_id, ocpi_version, subject_id,
          created_at, status, verdict, last_sequence, head_hash, why
        FROM run WHERE run_id = wanted COLLATE "C" AND closed FOR UPDATE SKIP LOCKED;
      IF NOT found THEN RETURN false; END IF;
      DELETE FROM ledger_event WHERE run_id = wanted COLLATE "C";
      DELETE FROM run WHERE run_id = wanted COLLATE "C";
      RETURN true;
    END $$;
    REVOKE EXECUTE ON FUNCTION purge_run(text, text) FROM public;
    GRANT EXECUTE ON FUNCTION purge_run(text, text) TO ${role};
    ${
      role === "CURRENT_USER"
        ? // Where there is no role but the owner's, the function needs what the owner was denied; the trigger guards.
          "GRANT DELETE ON ledger_event TO CURRENT_USER;"
        : `REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON run_tombstone FROM public, ${role};`
    }
  `
}
