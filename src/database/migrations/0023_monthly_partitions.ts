import type { Migration } from "./Migration.ts"

/** The tables that are divided, and the ids by whose time they are. */
const divided = [
  { table: "ledger_event", key: "run_id", prefix: "run_" },
  { table: "audit_entry", key: "id", prefix: "aud_" },
  { table: "party_exchange", key: "exchange_id", prefix: "exc_" }
] as const

/** A table that is divided. */
export type MonthlyTable = (typeof divided)[number]["table"]

/** The tables that are divided. */
export const monthlyTables: ReadonlyArray<MonthlyTable> = divided.map(({ table }) => table)

/** SQL: the id of this prefix and letter at the start of the month after the next one. */
const inTwoMonths = (start: string) =>
  `${start} || lpad(to_hex((extract(epoch FROM date_trunc('month', now() AT TIME ZONE 'utc') + interval '2 months') * 1000)::bigint), 12, '0')`

/**
 * SQL that sets `upper` to the end of the first partition, by `newest`, the greatest id that is there: two months ahead in the
 * cell of that id, or just after it if it is later.
 */
const endOfFirst = (prefix: string) => `
  upper := ${inTwoMonths(`'${prefix}' || coalesce(substring(newest FROM '^${prefix}([a-z])[0-9a-f]{12}'), '')`)};
  IF newest >= upper COLLATE "C" THEN upper := newest || '~'; END IF;`

/**
 * Lines, audit entries and exchanges are in partitions, one for each month of their time-ordered ids (decision 35). What
 * is there becomes the first partition, with all rows before the month after the next one; no row is rewritten.
 */
export const monthlyPartitions: Migration = {
  id: 23,
  name: "monthly_partitions",
  // A table can become a partition without being read once a constraint says that all its rows belong there. The rows are
  // compared with it while others write.
  before: {
    steps: divided.flatMap(({ key, prefix, table }) => [
      `DO $do$ DECLARE newest text; upper text; BEGIN
        PERFORM set_config('lock_timeout', '2s', true);
        IF EXISTS (SELECT FROM pg_constraint WHERE conrelid = '${table}'::regclass AND conname = '${table}_first') THEN RETURN; END IF;
        SELECT max(${key}) INTO newest FROM ${table};
        IF newest IS NULL THEN RETURN; END IF;
        ${endOfFirst(prefix)}
        EXECUTE format('ALTER TABLE ${table} ADD CONSTRAINT ${table}_first CHECK (${key} < %L) NOT VALID', upper);
      END $do$`,
      `DO $do$ BEGIN
        IF EXISTS (SELECT FROM pg_constraint WHERE conrelid = '${table}'::regclass AND conname = '${table}_first') THEN
          ALTER TABLE ${table} VALIDATE CONSTRAINT ${table}_first;
        END IF;
      END $do$`
    ]),
    undo: divided
      .map(({ table }) => `ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS ${table}_first;`)
      .join(" ")
  },
  sql: (role) => `
    -- Whoever writes waits behind a lock that is waited for: rather give up, and be tried again.
    SET LOCAL lock_timeout = '2s';
    LOCK TABLE ${monthlyTables.join(", ")} IN ACCESS EXCLUSIVE MODE;
    SET LOCAL lock_timeout = 0;

    ${functions(role)}

    -- A unique key has to hold the column by which a table is divided. Positions are unique by their sequence.
    ALTER TABLE party_exchange DROP CONSTRAINT party_exchange_pkey;

    ${divided.map(divide).join("\n")}

    CREATE TRIGGER no_change BEFORE UPDATE OR DELETE ON ledger_event
      FOR EACH ROW EXECUTE FUNCTION ledger_event_is_append_only();
    CREATE TRIGGER no_truncate BEFORE TRUNCATE ON ledger_event
      FOR EACH STATEMENT EXECUTE FUNCTION ledger_event_is_append_only();

    ALTER SEQUENCE party_exchange_position_seq OWNED BY party_exchange.position;

    ${divided.map(attachFirst).join("\n")}
  `
}

/** The table under its name, without partitions; its rows are in the table …_first. Rights are those that it had. */
const divide = ({ key, table }: (typeof divided)[number]) => `
  ALTER TABLE ${table} RENAME TO ${table}_first;
  DO $do$ DECLARE one record; BEGIN
    FOR one IN SELECT indexrelid::regclass::text AS name FROM pg_index WHERE indrelid = '${table}_first'::regclass LOOP
      EXECUTE format('ALTER INDEX %s RENAME TO %I', one.name, replace(one.name, '${table}', '${table}_first'));
    END LOOP;
    CREATE TABLE ${table} (LIKE ${table}_first INCLUDING DEFAULTS INCLUDING STORAGE INCLUDING INDEXES) PARTITION BY RANGE (${key});
    FOR one IN SELECT DISTINCT grantee FROM pg_class, aclexplode(relacl) WHERE oid = '${table}'::regclass LOOP
      EXECUTE format('REVOKE ALL ON ${table} FROM %s', CASE one.grantee WHEN 0 THEN 'public' ELSE one.grantee::regrole::text END);
    END LOOP;
    FOR one IN SELECT grantee, privilege_type, is_grantable FROM pg_class c,
        aclexplode(coalesce(c.relacl, acldefault('r', c.relowner))) WHERE c.oid = '${table}_first'::regclass LOOP
      EXECUTE format('GRANT %s ON ${table} TO %s %s', one.privilege_type,
        CASE one.grantee WHEN 0 THEN 'public' ELSE one.grantee::regrole::text END,
        CASE WHEN one.is_grantable THEN 'WITH GRANT OPTION' ELSE '' END);
    END LOOP;
    -- New partitions are made where the table was.
    FOR one IN SELECT spcname FROM pg_tablespace t JOIN pg_class c ON c.reltablespace = t.oid
        WHERE c.oid = '${table}_first'::regclass LOOP
      EXECUTE format('ALTER TABLE ${table} SET TABLESPACE %I', one.spcname);
    END LOOP;
  END $do$;`

const attachFirst = ({ key, prefix, table }: (typeof divided)[number]) => `
  CREATE TABLE ${table}_default (LIKE ${table} INCLUDING ALL);
  SELECT protect_partition('${table}', '${table}_default');
  ALTER TABLE ${table} ATTACH PARTITION ${table}_default DEFAULT;
  DO $do$ DECLARE newest text; upper text; BEGIN
    IF NOT EXISTS (SELECT FROM ${table}_first) THEN
      DROP TABLE ${table}_first;
      RETURN;
    END IF;
    SELECT substring(pg_get_constraintdef(oid) FROM '''(.*)''') INTO upper FROM pg_constraint
      WHERE conrelid = '${table}_first'::regclass AND conname = '${table}_first';
    IF upper IS NULL THEN
      SELECT max(${key}) INTO newest FROM ${table}_first;
      ${endOfFirst(prefix)}
    END IF;
    DROP TRIGGER IF EXISTS no_change ON ${table}_first; -- the partition has that of the table
    DROP TRIGGER IF EXISTS no_truncate ON ${table}_first;
    PERFORM protect_partition('${table}', '${table}_first');
    EXECUTE format('ALTER TABLE ${table} ATTACH PARTITION ${table}_first FOR VALUES FROM (MINVALUE) TO (%L)', upper);
    ALTER TABLE ${table}_first DROP CONSTRAINT IF EXISTS ${table}_first;
  END $do$;`

// Security definer: the login that serves may neither make nor drop a table. The lock on the default partition comes before that on
// the table, because a backup holds the former for as long as it reads: then the writers do not wait too.
const functions = (role: string) => `
  CREATE FUNCTION monthly_table(parent text, OUT key text, OUT prefix text) LANGUAGE plpgsql IMMUTABLE AS $$
  BEGIN
    CASE parent
      ${divided.map(({ key, prefix, table }) => `WHEN '${table}' THEN key := '${key}'; prefix := '${prefix}';`).join("\n      ")}
      ELSE RAISE EXCEPTION '% has no monthly partitions', parent;
    END CASE;
  END $$;

  CREATE FUNCTION id_from(start text, at timestamptz) RETURNS text LANGUAGE sql IMMUTABLE AS
    $$ SELECT start || lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') $$;

  -- Without the default partition. lower: null of one without a lower bound; ended: no id of today or yesterday belongs there.
  CREATE FUNCTION month_partitions(parent text) RETURNS TABLE (name text, lower text, upper text, ended boolean)
    LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
    SELECT name, bounds[2], bounds[3],
      coalesce(bounds[3] <= id_from(substring(bounds[3] FROM '^([a-z]+_[a-z]?)[0-9a-f]{12}'), clock_timestamp() - interval '1 day')
        COLLATE "C", false)
    FROM (
      SELECT c.relname::text AS name, regexp_match(pg_get_expr(c.relpartbound, c.oid),
        'FROM \\((MINVALUE|''([^'']*)'')\\) TO \\(''([^'']*)''\\)') AS bounds
      FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid WHERE inhparent = parent::regclass
    ) one WHERE bounds IS NOT NULL ORDER BY bounds[3] COLLATE "C"
  $$;

  CREATE FUNCTION protect_partition(parent text, name text) RETURNS void
    LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
  BEGIN
    ${
      role === "CURRENT_USER"
        ? "IF parent = 'ledger_event' THEN EXECUTE format('REVOKE UPDATE, TRUNCATE ON %I FROM public, CURRENT_USER', name); END IF;"
        : `EXECUTE format('REVOKE ALL ON %I FROM public, ${role}', name); -- its rows are read and written through the table`
    }
    IF parent = 'ledger_event' THEN
      EXECUTE format('CREATE TRIGGER no_truncate BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION ledger_event_is_append_only()', name);
    END IF;
  END $$;

  -- Makes a partition, with the rows of the default one that belong there. No lower: without a lower bound.
  CREATE FUNCTION add_partition(parent text, name text, lower text, upper text) RETURNS void
    LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
  DECLARE
    key text := (monthly_table(parent)).key;
    rest text := parent || '_default';
    belongs text := format('%I >= %L AND %I < %L', key, coalesce(lower, ''), key, upper);
    place text := (SELECT 'TABLESPACE ' || quote_ident(spcname) FROM pg_tablespace t JOIN pg_class c ON c.reltablespace = t.oid
      WHERE c.oid = parent::regclass);
    found boolean;
  BEGIN
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL) %s', name, parent, place);
    PERFORM protect_partition(parent, name);
    EXECUTE format('ALTER TABLE %I ADD CONSTRAINT of_month CHECK (%s)', name, belongs);
    EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', rest);
    EXECUTE format('LOCK TABLE ONLY %I IN SHARE ROW EXCLUSIVE MODE', parent); -- no row is on its way to the default partition
    EXECUTE format('SELECT EXISTS (SELECT FROM %I WHERE %s)', rest, belongs) INTO found;
    IF found THEN
      EXECUTE format('INSERT INTO %I SELECT * FROM %I WHERE %s', name, rest, belongs);
      EXECUTE format('ALTER TABLE %I DISABLE TRIGGER USER', rest);
      EXECUTE format('DELETE FROM %I WHERE %s', rest, belongs);
      EXECUTE format('ALTER TABLE %I ENABLE TRIGGER USER', rest);
    END IF;
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%L)', parent, name,
      coalesce(quote_literal(lower), 'MINVALUE'), upper);
    EXECUTE format('ALTER TABLE %I DROP CONSTRAINT of_month', name);
  END $$;

  -- Makes those that are missing, of this month and the two after it; returns their names. by_year: each up to the end of the year.
  CREATE FUNCTION make_partitions(parent text, cell text, by_year boolean DEFAULT false) RETURNS SETOF text
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '200ms' AS $$
  DECLARE
    start text := (monthly_table(parent)).prefix || cell;
    month timestamp;
    since text;
    until text;
    covered text;
    made text;
  BEGIN
    IF cell !~ '^[a-z]$' THEN RAISE EXCEPTION 'a cell is one letter'; END IF;
    PERFORM pg_advisory_xact_lock(hashtextextended('partitions of ' || parent, 0));
    FOR ahead IN 0..2 LOOP
      month := date_trunc('month', clock_timestamp() AT TIME ZONE 'utc') + ahead * interval '1 month';
      since := id_from(start, month AT TIME ZONE 'utc');
      until := id_from(start, CASE WHEN by_year THEN date_trunc('year', month) + interval '1 year'
        ELSE month + interval '1 month' END AT TIME ZONE 'utc');
      SELECT p.upper INTO covered FROM month_partitions(parent) p
        WHERE coalesce(p.lower, '') <= since COLLATE "C" AND p.upper > since COLLATE "C";
      CONTINUE WHEN covered >= id_from(start, (month + interval '1 month') AT TIME ZONE 'utc') COLLATE "C";
      made := format('%s_%s_%s', parent, cell, to_char(month, 'YYYY_MM'));
      PERFORM add_partition(parent, made, coalesce(covered, since), until);
      RETURN NEXT made;
    END LOOP;
  END $$;

  -- Locks a partition and then the table, so that the partition can be dropped. An autovacuum gives way after a second.
  CREATE FUNCTION lock_partition(parent text, name text) RETURNS void
    LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
  BEGIN
    FOR try IN 1..3 LOOP
      BEGIN
        PERFORM set_config('lock_timeout', '1500ms', true);
        EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', name);
        PERFORM set_config('lock_timeout', '200ms', true);
        EXECUTE format('LOCK TABLE ONLY %I IN ACCESS EXCLUSIVE MODE', parent);
        RETURN;
      EXCEPTION WHEN lock_not_available THEN
        IF try = 3 THEN RAISE; END IF;
        PERFORM pg_sleep(0.5); -- whoever waited goes on
      END;
    END LOOP;
  END $$;

  -- Drops one partition of an ended month. Of the ledger, one without lines and open runs; else one whose rows are all older
  -- than so many days, and of exchanges one without those of a connection with an open run. Returns the number of its rows; null: there is none.
  CREATE FUNCTION drop_old_partition(parent text, days float8) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '200ms' AS $$
  DECLARE
    part record;
    kept text := CASE parent
      WHEN 'ledger_event' THEN
        'EXISTS (SELECT FROM %1$I) OR EXISTS (SELECT FROM run WHERE run_id >= %2$L AND run_id < %3$L AND NOT closed)'
      WHEN 'audit_entry' THEN 'EXISTS (SELECT FROM %1$I WHERE at >= %4$L)'
      WHEN 'party_exchange' THEN
        'EXISTS (SELECT FROM %1$I WHERE kept_at >= %4$L) OR EXISTS (SELECT FROM run r WHERE NOT r.closed
          AND EXISTS (SELECT FROM %1$I e WHERE e.party_id = r.connection_id COLLATE "C"))'
      END;
    age timestamptz := clock_timestamp() - days * interval '1 day';
    still boolean;
    gone bigint;
  BEGIN
    PERFORM monthly_table(parent);
    PERFORM pg_advisory_xact_lock(hashtextextended('partitions of ' || parent, 0));
    FOR part IN SELECT * FROM month_partitions(parent) WHERE ended LOOP
      EXECUTE 'SELECT ' || format(kept, part.name, coalesce(part.lower, ''), part.upper, age) INTO still;
      CONTINUE WHEN still;
      EXECUTE format('SELECT count(*) FROM %I', part.name) INTO gone;
      PERFORM lock_partition(parent, part.name);
      EXECUTE 'SELECT ' || format(kept, part.name, coalesce(part.lower, ''), part.upper, age) INTO still;
      CONTINUE WHEN still;
      EXECUTE format('DROP TABLE %I', part.name);
      RETURN gone;
    END LOOP;
    RETURN NULL;
  END $$;

  -- Purges all runs of one ended month at once, if all of them ended more than so many days ago: tombstones are written, and the
  -- partition with the lines is dropped. Returns the runs; none: there is no such month.
  CREATE FUNCTION purge_month(days float8, why text) RETURNS SETOF text
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '200ms' AS $$
  DECLARE
    age timestamptz := now() - days * interval '1 day';
    part record;
    lowest text;
    purged text[];
    lost boolean;
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('partitions of ledger_event', 0));
    SELECT * INTO part FROM month_partitions('ledger_event') p WHERE ended
      AND EXISTS (SELECT FROM run WHERE run_id >= coalesce(p.lower, '') COLLATE "C" AND run_id < p.upper COLLATE "C")
      AND NOT EXISTS (SELECT FROM run WHERE run_id >= coalesce(p.lower, '') COLLATE "C" AND run_id < p.upper COLLATE "C"
        AND NOT (closed AND lease_until < age))
      ORDER BY p.upper COLLATE "C" LIMIT 1;
    IF NOT found THEN RETURN; END IF;
    lowest := coalesce(part.lower, '');
    WITH due AS (
      SELECT * FROM run WHERE run_id >= lowest COLLATE "C" AND run_id < part.upper COLLATE "C" AND closed AND lease_until < age
      FOR UPDATE SKIP LOCKED
    ), left_behind AS (
      INSERT INTO run_tombstone (run_id, report_id, owner_id, kind, connection_id, ocpi_version, subject_id,
          created_at, status, verdict, lines, head_hash, reason)
        SELECT run_id, report_id, owner_id, kind, connection_id, ocpi_version, subject_id,
          created_at, status, verdict, last_sequence, head_hash, why
        FROM due RETURNING run_id
    )
    SELECT array_agg(run_id) INTO purged FROM left_behind;
    DELETE FROM run USING unnest(purged) AS gone (id) WHERE run_id = gone.id COLLATE "C";
    -- A line leaves only where the tombstone of its run stands.
    EXECUTE format('SELECT EXISTS (SELECT FROM %I e WHERE NOT EXISTS (SELECT FROM run_tombstone t WHERE t.run_id = e.run_id))', part.name)
      INTO lost;
    IF lost THEN RAISE EXCEPTION 'lines without a run are in %', part.name USING ERRCODE = 'lock_not_available'; END IF;
    PERFORM lock_partition('ledger_event', part.name);
    -- Another process purges one of them, or has just created one.
    IF EXISTS (SELECT FROM run WHERE run_id >= lowest COLLATE "C" AND run_id < part.upper COLLATE "C") THEN
      RAISE EXCEPTION 'runs of % are in use', part.name USING ERRCODE = 'lock_not_available';
    END IF;
    EXECUTE format('DROP TABLE %I', part.name);
    RETURN QUERY SELECT unnest(purged);
  END $$;

  REVOKE EXECUTE ON FUNCTION protect_partition(text, text), add_partition(text, text, text, text), make_partitions(text, text, boolean),
    lock_partition(text, text), drop_old_partition(text, float8), purge_month(float8, text) FROM public;
  GRANT EXECUTE ON FUNCTION make_partitions(text, text, boolean), drop_old_partition(text, float8), purge_month(float8, text) TO ${role};`
