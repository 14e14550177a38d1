import type { Migration } from "../Migration.ts"

/** A trial write, by which a process finds out whether the database accepts writes. */
export const writeProbe: Migration = {
  id: 12,
  name: "write_probe",
  // Two writes. One is committed and logged like any other, in place. The other needs new pages in the ledger's
  // tablespace, because on a full disk Postgres still writes into pages that it has. Its rows stay until all are
  // truncated at once, without vacuum in between, so that it never reuses a page; the table is unlogged, because a page a
  // second would swell the log. It is truncated only after new pages were obtained: a trial on a full disk must not make
  // room for itself. A long lock on it is a dump's; the table then grows until the dump ends.
  // Security definer: the login that serves may neither truncate a table nor move it.
  // The login that serves may not be able to migrate, and must see that there is nothing to migrate.
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
