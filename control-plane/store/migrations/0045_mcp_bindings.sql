-- The voice and the engine of each MCP client. Moments are epoch seconds, as in the API.
create table mcp_client_bindings (
  client_id text primary key,
  label text,
  profile_id text,
  default_engine text,
  last_seen_at real,
  created_at real not null
) strict;
