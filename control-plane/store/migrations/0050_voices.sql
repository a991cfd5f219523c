-- Voice profiles and the statements of their speakers. Recordings are artifacts, named by their SHA-256. Moments are epoch milliseconds.
create table voice_profile (
  seq integer primary key,
  id text not null unique,
  name text not null,
  kind text not null check (kind in ('clone', 'design')),
  language text not null,
  instruct text not null,
  ref_text text not null,
  personality text not null,
  description text not null,
  -- JSON object of the six design categories; null for a clone without them.
  vd_states text,
  seed integer,
  -- The canonical recording (mono, 24 kHz, 16 bit), its size, and the name of the uploaded file.
  ref_digest text,
  ref_bytes integer not null default 0,
  ref_name text not null default '',
  -- The file as it was uploaded.
  original_digest text,
  original_bytes integer not null default 0,
  -- The locked take as a canonical recording, its exact words (null if they are unknown), its size, and whether it was cut from the output
  -- of the engine, from the mastered file of the history, or came with the voice. All null while unlocked.
  locked_digest text,
  locked_text text,
  locked_bytes integer,
  locked_source text check (locked_source in ('engine', 'take', 'given')),
  image_digest text,
  -- Set once: own, gallery:ID, archetype:ID, community:REPO:ID, bundle:DIGEST.
  origin text not null,
  origin_url text not null default '',
  -- 1: only the agent of this machine receives the recording.
  stays_here integer not null default 0 check (stays_here in (0, 1)),
  quality text not null default '{}',
  -- JSON: engine, model digest, seed and steps of a rendered sample; null for a recording.
  made_with text,
  hosted_voice_id text not null default '',
  created_at integer not null,
  updated_at integer not null,
  check ((locked_bytes is not null) = (locked_digest is not null)),
  check ((locked_source is not null) = (locked_digest is not null)),
  check (locked_text is null or locked_digest is not null)
) strict;
create index voice_profile_origin on voice_profile (origin);
create index voice_profile_ref on voice_profile (ref_digest);
create index voice_profile_original on voice_profile (original_digest);
create index voice_profile_locked on voice_profile (locked_digest);
create index voice_profile_image on voice_profile (image_digest);

create table voice_statement (
  id integer primary key,
  profile_id text not null,
  text text not null,
  audio_digest text not null,
  audio_bytes integer not null,
  -- Name of the uploaded file.
  audio_name text not null,
  -- The canonical recording of the profile to which the statement belongs; for a design the SHA-256 of its description.
  ref_digest text not null,
  method text not null check (method in ('recorded', 'imported', 'designed')),
  checks text not null default '{}',
  recorded_at integer not null,
  revoked_at integer
) strict;
create unique index voice_statement_live on voice_statement (profile_id) where revoked_at is null;
create index voice_statement_audio on voice_statement (audio_digest);
