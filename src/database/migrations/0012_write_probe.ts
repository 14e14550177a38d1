/** A trial write, by which a process finds out whether the database takes writes. */
import type { Migration } from "./Migration.ts"

export const writeProbe: Migration = {
  id: 12,
  name: "write_probe",
  // Two writes. One is committed and logged like any other, in place. The other needs new pages, where the ledger's are:
  // on a full disk Postgres still writes into pages that it has. Its rows live on until all go at once, and no vacuum comes
  // between, so that no page is ever there twice; unlogged, because a page a second would swell the log. Not truncated
  // before the new pages were to be had: a trial on a full disk must not make room for itself. A lock that somebody holds
  // for long is a dump's: then the table grows until it is over.
  // With the owner's rights: whoever serves may neither truncate a table nor move it.
  // Whoever serves may not be able to migrate, and must see that there is nothing to migrate.
  sql: (role) => `
    GRANT SELECT ON schema_migration TO ${role};
    CREATE TABLE write_probe (one boolean PRIMARY KEY CHECK (one), at timestamptz NOT NULL);
    INSERT INTO write_probe VALUES (true, clock_timestamp());
    CREATE UNLOGGED TABLE write_probe_page (filler text NOT NULL) WITH (autovacuum_enabled = false);
    ALTER TABLE write_probe_page ALTER filler SET STORAGE PLAIN;

    CREATE FUNCTION probe_writes() RETURNS void
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '500ms' AS $$
    DECLARE
      place text := (SELECT coalesce(t.spcname, d.spcname) FROM pg_class c LEFT JOIN pg_tablespace t ON t.oid = c.reltablespace,
        pg_database b JOIN pg_tablespace d ON d.oid = b.dattablespace
        WHERE c.oid = 'ledger_event'::regclass AND b.datname = current_database());
    BEGIN
      UPDATE write_probe SET at = clock_timestamp();
      IF (SELECT reltablespace FROM pg_class WHERE oid = 'write_probe_page'::regclass)
          <> (SELECT reltablespace FROM pg_class WHERE oid = 'ledger_event'::regclass) THEN
        BEGIN
          TRUNCATE write_probe_page;
          EXECUTE format('ALTER TABLE write_probe_page SET TABLESPACE %I', place);
        EXCEPTION WHEN lock_not_available OR insufficient_privilege THEN NULL;
        END;
      END IF;
      INSERT INTO write_probe_page SELECT repeat('x', 8000) FROM generate_series(1, 4);
      IF pg_relation_size('write_probe_page') > 1000000 THEN
        BEGIN
          TRUNCATE write_probe_page;
        EXCEPTION WHEN lock_not_available THEN NULL;
        END;
      END IF;
    END $$;
    REVOKE EXECUTE ON FUNCTION probe_writes() FROM public;
    GRANT EXECUTE ON FUNCTION probe_writes() TO ${role};
  `
}
