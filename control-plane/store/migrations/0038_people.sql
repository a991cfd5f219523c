-- People and programs with keys of their own. One that ended stays: what it made belongs to it.
create table person (
  id text primary key,
  name text not null,
  -- The form of the name for comparisons: two that differ only in case are the same.
  folded text not null,
  kind text not null check (kind in ('person', 'program')),
  role text not null check (role in ('listen', 'create', 'operate', 'own')),
  -- Null: without limit.
  sound_minutes_a_day real,
  gpu_minutes_a_month real,
  tasks_at_once integer,
  disk_bytes integer,
  -- JSON list of machine ids; null for all.
  machines text,
  -- Epoch ms.
  created_at integer not null,
  ended_at integer
) strict;
create unique index person_folded on person (folded) where ended_at is null;

create table person_key (
  id text primary key,
  person_id text not null references person (id),
  label text not null,
  -- SHA-256 of the key in lower-case hex, and its first characters, by which people recognise it.
  digest text not null unique,
  begins text not null,
  -- Epoch ms; null: never.
  created_at integer not null,
  expires_at integer,
  used_at integer,
  ended_at integer
) strict;
create index person_key_live on person_key (person_id) where ended_at is null;

-- Work of a person that has ended, by engine and by day (YYYY-MM-DD) in the time zone of the studio.
create table person_usage (
  person_id text not null,
  day text not null,
  engine text not null,
  tasks integer not null default 0,
  failed integer not null default 0,
  sound_ms integer not null default 0,
  gpu_ms integer not null default 0,
  primary key (person_id, day, engine)
) strict, without rowid;
create index person_usage_day on person_usage (day);
