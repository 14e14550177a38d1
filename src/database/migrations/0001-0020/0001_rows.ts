import type { Migration } from "../Migration.ts"

/** The tables of accounts, API keys, connections, parties and their objects, commands, and idempotent answers. */
export const rows: Migration = {
  id: 1,
  name: "rows",
  // collate "C": ids are ASCII and time-ordered, and must sort so in any database.
  // json and not jsonb for what came over a wire: it keeps the order of keys, and takes every escape.
  sql: () => `
    CREATE TABLE owner (
      id text COLLATE "C" PRIMARY KEY,
      account text NOT NULL UNIQUE,
      plan text,
      created_at timestamptz NOT NULL DEFAULT clock_timestamp()
    );

    CREATE TABLE api_key (
      id text COLLATE "C" PRIMARY KEY,
      owner_id text COLLATE "C" NOT NULL REFERENCES owner,
      name text NOT NULL,
      prefix text NOT NULL,
      last4 text NOT NULL,
      hash bytea NOT NULL UNIQUE,
      scopes text[] NOT NULL,
      created_at timestamptz NOT NULL,
      expires_at timestamptz,
      last_used_at timestamptz,
      revoked_at timestamptz
    );
    CREATE INDEX api_key_of_owner ON api_key (owner_id, id DESC);

    CREATE TABLE connection (
      id text COLLATE "C" PRIMARY KEY,
      owner_id text COLLATE "C" NOT NULL,
      label text NOT NULL,
      environment text NOT NULL,
      partner_base_url text NOT NULL,
      our_role text NOT NULL,
      their_role text NOT NULL,
      ocpi_version text NOT NULL,
      status text NOT NULL,
      last_error text,
      created_at timestamptz NOT NULL,
      registered_at timestamptz
    );
    CREATE INDEX connection_of_owner ON connection (owner_id, id DESC);

    CREATE TABLE party (
      id text COLLATE "C" PRIMARY KEY,
      owner_id text COLLATE "C" NOT NULL,
      kind text NOT NULL,
      revision bigint NOT NULL DEFAULT 1,
      document json NOT NULL,
      created_at timestamptz NOT NULL DEFAULT clock_timestamp()
    );
    CREATE INDEX party_sandbox_of_owner ON party (owner_id, id DESC) WHERE kind = 'sandbox';

    CREATE TABLE party_token (
      party_id text COLLATE "C" NOT NULL REFERENCES party ON DELETE CASCADE,
      slot text NOT NULL,
      name text NOT NULL,
      sealed text NOT NULL,
      hash bytea,
      PRIMARY KEY (party_id, slot)
    );
    CREATE INDEX party_token_by_hash ON party_token (hash) WHERE hash IS NOT NULL;

    CREATE TABLE party_object (
      party_id text COLLATE "C" NOT NULL REFERENCES party ON DELETE CASCADE,
      module text COLLATE "C" NOT NULL,
      side text NOT NULL,
      folded_key text COLLATE "C" NOT NULL,
      key text NOT NULL,
      json json NOT NULL,
      last_updated text NOT NULL,
      updated_millis bigint NOT NULL,
      PRIMARY KEY (party_id, module, side, folded_key)
    );
    CREATE INDEX party_object_by_age ON party_object (party_id, module, side, updated_millis, folded_key);

    CREATE TABLE party_exchange (
      position bigserial PRIMARY KEY,
      party_id text COLLATE "C" NOT NULL,
      exchange_id text COLLATE "C" NOT NULL,
      direction text NOT NULL,
      exchange json NOT NULL,
      UNIQUE (party_id, exchange_id)
    );
    CREATE INDEX party_exchange_in_order ON party_exchange (party_id, position);
    CREATE INDEX party_exchange_inbound ON party_exchange (party_id, position) WHERE direction = 'inbound';

    CREATE TABLE command (
      id text COLLATE "C" PRIMARY KEY,
      owner_id text COLLATE "C" NOT NULL,
      connection_id text COLLATE "C" NOT NULL,
      command text NOT NULL,
      state text NOT NULL,
      exchange json,
      deadline timestamptz,
      created_at timestamptz NOT NULL
    );
    CREATE INDEX command_of_connection ON command (owner_id, connection_id, id DESC);

    CREATE TABLE idempotency (
      owner_id text COLLATE "C" NOT NULL,
      endpoint text NOT NULL,
      key text NOT NULL,
      request_hash text NOT NULL,
      claim text NOT NULL,
      claimed_at timestamptz NOT NULL,
      status int,
      headers json,
      body text,
      PRIMARY KEY (owner_id, endpoint, key)
    );
    CREATE INDEX idempotency_by_age ON idempotency (claimed_at);
  `
}
