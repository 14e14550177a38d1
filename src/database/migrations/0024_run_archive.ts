import type { Migration } from "./Migration.ts"

/**
 * Runs whose lines are in an archive: `run_archive` says where, `archive_leftover` names every object that may be in the archive
 * and is needed by no run.
 */
export const runArchive: Migration = {
  id: 24,
  name: "run_archive",
  // Lines leave only beside their note, and a note leaves only when its lines are back or beside a tombstone. Our role may neither
  // delete lines nor write notes, but call the two functions that do each in one transaction.
  sql: (role) => `
    ALTER TABLE run ADD COLUMN archived_at timestamptz;
    CREATE INDEX run_to_archive ON run (lease_until) WHERE closed AND archived_at IS NULL;

    CREATE TABLE run_archive (
      run_id text COLLATE "C" PRIMARY KEY,
      name text COLLATE "C" NOT NULL UNIQUE,
      lines int NOT NULL,
      head_hash text NOT NULL,
      bytes int NOT NULL,
      text_bytes int NOT NULL,
      sha256 text NOT NULL,
      archived_at timestamptz NOT NULL DEFAULT clock_timestamp()
    );
    CREATE TABLE archive_leftover (
      name text COLLATE "C" PRIMARY KEY,
      run_id text COLLATE "C" NOT NULL,
      begun_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      removing boolean NOT NULL
    );
    CREATE INDEX archive_leftover_of_run ON archive_leftover (run_id);

    CREATE OR REPLACE FUNCTION ledger_event_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF tg_op = 'DELETE' THEN
        IF EXISTS (SELECT FROM run_tombstone WHERE run_id = old.run_id)
          OR EXISTS (SELECT FROM run_archive WHERE run_id = old.run_id) THEN RETURN old; END IF;
      END IF;
      RAISE EXCEPTION 'ledger_event is append-only' USING ERRCODE = 'insufficient_privilege';
    END $$;

    CREATE FUNCTION run_archive_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF tg_op = 'DELETE' THEN
        IF EXISTS (SELECT FROM run_tombstone WHERE run_id = old.run_id)
          OR (SELECT count(*) FROM ledger_event WHERE run_id = old.run_id) = old.lines THEN RETURN old; END IF;
      END IF;
      RAISE EXCEPTION 'run_archive is changed with the lines of the run only'
        USING ERRCODE = 'insufficient_privilege';
    END $$;
    CREATE TRIGGER no_change BEFORE UPDATE OR DELETE ON run_archive
      FOR EACH ROW EXECUTE FUNCTION run_archive_is_kept();
    CREATE TRIGGER no_truncate BEFORE TRUNCATE ON run_archive
      FOR EACH STATEMENT EXECUTE FUNCTION run_archive_is_kept();

    CREATE FUNCTION run_archive_goes() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    BEGIN
      WITH gone AS (DELETE FROM run_archive WHERE run_id = old.run_id RETURNING name, run_id)
      INSERT INTO archive_leftover (name, run_id, removing) SELECT name, run_id, true FROM gone
        ON CONFLICT (name) DO UPDATE SET removing = true;
      RETURN NULL;
    END $$;
    CREATE TRIGGER archive_goes AFTER DELETE ON run
      FOR EACH ROW WHEN (old.archived_at IS NOT NULL) EXECUTE FUNCTION run_archive_goes();

    CREATE FUNCTION archive_run(wanted text, object text, line_count int, head text, object_bytes int,
      uncompressed_bytes int, object_sha256 text) RETURNS boolean
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    DECLARE
      gone int;
    BEGIN
      PERFORM FROM run WHERE run_id = wanted COLLATE "C" AND closed AND archived_at IS NULL
        AND last_sequence = line_count AND head_hash = head FOR UPDATE SKIP LOCKED;
      IF NOT found THEN RETURN false; END IF;
      DELETE FROM archive_leftover WHERE name = object COLLATE "C" AND run_id = wanted COLLATE "C" AND NOT removing;
      IF NOT found THEN RETURN false; END IF;
      INSERT INTO run_archive (run_id, name, lines, head_hash, bytes, text_bytes, sha256)
        VALUES (wanted, object, line_count, head, object_bytes, uncompressed_bytes, object_sha256);
      UPDATE run SET archived_at = clock_timestamp() WHERE run_id = wanted COLLATE "C";
      DELETE FROM ledger_event WHERE run_id = wanted COLLATE "C";
      GET DIAGNOSTICS gone = ROW_COUNT;
      IF gone <> line_count THEN
        RAISE EXCEPTION 'run % has % lines, not %', wanted, gone, line_count;
      END IF;
      RETURN true;
    END $$;

    CREATE FUNCTION restore_run(wanted text, lines text[], event_ids text[], types text[], stage_ids text[],
      hashes text[]) RETURNS boolean
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
    DECLARE
      note run_archive;
      is_whole boolean;
    BEGIN
      PERFORM FROM run WHERE run_id = wanted COLLATE "C" AND closed FOR UPDATE;
      IF NOT found THEN RETURN false; END IF;
      SELECT * INTO note FROM run_archive WHERE run_id = wanted COLLATE "C";
      IF NOT found THEN RETURN false; END IF;
      SELECT count(*) = note.lines AND bool_and(starts_with(line, '{"sequence":' || n || ',')
          AND hash = encode(sha256(convert_to(before || line, 'UTF8')), 'hex'))
          AND (array_agg(hash ORDER BY n DESC))[1] = note.head_hash
        INTO is_whole
        FROM (SELECT line, hash, n, coalesce(lag(hash) OVER (ORDER BY n), wanted) AS before
          FROM unnest(lines, hashes) WITH ORDINALITY AS given(line, hash, n)) chained;
      IF is_whole IS NOT TRUE THEN
        RAISE EXCEPTION 'these are not the lines of run %', wanted USING ERRCODE = 'insufficient_privilege';
      END IF;
      INSERT INTO ledger_event (run_id, sequence, event_id, type, stage_id, line, hash)
        SELECT wanted, n, event_id, type, stage_id, line, hash
        FROM unnest(lines, event_ids, types, stage_ids, hashes) WITH ORDINALITY
          AS given(line, event_id, type, stage_id, hash, n);
      DELETE FROM run_archive WHERE run_id = wanted COLLATE "C";
      UPDATE run SET archived_at = NULL WHERE run_id = wanted COLLATE "C";
      INSERT INTO archive_leftover (name, run_id, removing) VALUES (note.name, wanted, true)
        ON CONFLICT (name) DO UPDATE SET removing = true;
      RETURN true;
    END $$;

    REVOKE EXECUTE ON FUNCTION archive_run(text, text, int, text, int, int, text) FROM public;
    REVOKE EXECUTE ON FUNCTION restore_run(text, text[], text[], text[], text[], text[]) FROM public;
    GRANT EXECUTE ON FUNCTION archive_run(text, text, int, text, int, int, text) TO ${role};
    GRANT EXECUTE ON FUNCTION restore_run(text, text[], text[], text[], text[], text[]) TO ${role};
    ${
      role === "CURRENT_USER"
        ? ""
        : `REVOKE INSERT, UPDATE, DELETE, TRUNCATE ON run_archive FROM public, ${role};`
    }
  `
}
