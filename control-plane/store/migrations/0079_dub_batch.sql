-- Films that are dubbed without edits, one after another. Moments are epoch ms. The dub and the job have the same id.
create table dub_batch (
  seq integer primary key,
  id text not null unique check (length(id) between 1 and 64),
  filename text not null,
  -- SHA-256 of the uploaded file.
  source_digest text not null check (length(source_digest) = 64),
  -- JSON array of language tags.
  langs text not null check (json_valid(langs)),
  -- Null: the voices of the speakers.
  voice_id text,
  preserve_bg integer not null check (preserve_bg in (0, 1)),
  created_at integer not null,
  started_at integer,
  -- How the job ended; null before, when the job has the state.
  status text check (status in ('done', 'failed', 'cancelled')),
  finished_at integer,
  error text,
  -- JSON: the name of the finished file in dub_store by language.
  outputs text not null default '{}' check (json_valid(outputs)),
  -- JSON array of sentences.
  warnings text not null default '[]' check (json_valid(warnings)),
  check ((status is null) = (finished_at is null))
) strict;
