import type { Migration } from "../Migration.ts"

/**
 * The tables of runs and their ledger lines. Lines are append-only: for our role by privilege, for every role by trigger.
 */
export const ledger: Migration = {
  id: 2,
  name: "ledger",
  // collate "C": ids are ASCII and time-ordered, and must sort so in any database.
  // fillfactor: an append changes no indexed column of `run`, so with room on the page the indexes stay untouched.
  // text, not json: the line is kept byte by byte, and nothing is parsed on the way in.
  sql: (role) => `
    create table run (
      run_id text collate "C" primary key,
      report_id text collate "C" not null unique,
      owner_id text not null,
      kind text not null,
      connection_id text not null,
      connection_label text not null,
      ocpi_version text not null,
      subject_id text not null,
      plan text not null,
      predecessor_run_id text,
      created_at text not null,
      status text not null,
      verdict text,
      snapshot text not null,
      last_sequence integer not null,
      head_hash text not null,
      closed boolean not null,
      lease_epoch integer not null,
      lease_owner text,
      lease_until timestamptz not null
    ) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.05);

    create index run_of_owner on run (owner_id, run_id desc);
    create index run_open_of_owner on run (owner_id) where not closed;
    create index run_to_claim on run (lease_until) where not closed;

    create table ledger_event (
      run_id text collate "C" not null,
      sequence integer not null,
      event_id text collate "C" not null,
      type text not null,
      stage_id text,
      line text not null,
      hash text not null,
      primary key (run_id, sequence),
      unique (run_id, event_id)
    );

    revoke update, delete, truncate on ledger_event from public, ${role};

    create function ledger_event_is_append_only() returns trigger language plpgsql as $$
    begin
      raise exception 'ledger_event is append-only' using errcode = 'insufficient_privilege';
    end $$;
    create trigger no_change before update or delete on ledger_event
      for each row execute function ledger_event_is_append_only();
    create trigger no_truncate before truncate on ledger_event
      for each statement execute function ledger_event_is_append_only();
  `
}
