-- Previews of archetypes: rendered here, and downloaded from a publisher. Sounds are artifacts, named by their SHA-256. Moments are epoch milliseconds.
create table preview (
  -- Over everything that changes the sound.
  key text primary key,
  -- The part of the key that belongs to the archetype.
  recipe text not null,
  digest text not null,
  bytes integer not null,
  used_at integer not null
) strict;
create index preview_recipe on preview (recipe);
create index preview_digest on preview (digest);
create index preview_used on preview (used_at);

create table preview_download (
  archetype_id text primary key,
  recipe text not null,
  digest text not null,
  bytes integer not null
) strict;
create index preview_download_digest on preview_download (digest);

-- The newest check of the publisher, and the newest manifest that was accepted; one row.
create table preview_check (
  id integer primary key check (id = 1),
  checked_at integer not null,
  error text,
  engine text,
  engine_version text,
  -- As in the manifest: ISO 8601 in UTC.
  generated_at text
) strict;
