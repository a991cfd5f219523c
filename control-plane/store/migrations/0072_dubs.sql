-- Dubs. Moments are epoch ms; `_us` is microseconds from the start of the picture, or a length. Digests are SHA-256 in lower-case hex.
create table dub (
  seq integer primary key,
  id text not null unique check (length(id) between 1 and 64),
  filename text not null,
  input_type text not null check (input_type in ('video', 'audio')),
  -- The uploaded file.
  source_digest text not null check (length(source_digest) = 64),
  -- JSON, what the file contains; null before it was read.
  probe text check (json_valid(probe)),
  -- Null until the sound is extracted; the history lists the dub from then on.
  duration_us integer check (duration_us >= 0),
  -- Names of files: sound at 48 kHz, speech at 16 kHz, isolated voice, still picture. Null while there is none.
  sound_digest text,
  speech_digest text,
  vocals_digest text,
  thumb_digest text,
  -- Two letters; empty before the transcription.
  source_lang text not null default '',
  full_transcript text not null default '',
  -- Of the last generation, as its request named it; empty before it.
  language text not null default '',
  language_code text not null default '',
  options text not null default '{}' check (json_valid(options)),
  aborted integer not null default 0 check (aborted in (0, 1)),
  created_at integer not null,
  check ((duration_us is null) = (sound_digest is null)),
  check ((sound_digest is null) = (speech_digest is null))
) strict;
create index dub_by_source on dub (source_digest);

-- The lines. An id never changes when lines before it are inserted or removed.
create table dub_segment (
  dub_id text not null references dub (id) on delete cascade,
  id text not null check (length(id) between 1 and 64),
  position integer not null check (position >= 0),
  start_us integer not null check (start_us >= 0),
  end_us integer not null,
  text text not null,
  text_original text not null,
  speaker_id text not null default '',
  profile_id text not null default '',
  qc text check (json_valid(qc)),
  primary key (dub_id, id),
  check (end_us >= start_us)
) strict, without rowid;
create index dub_segment_by_position on dub_segment (dub_id, position);

-- The text that was spoken, by language code.
create table dub_text (
  dub_id text not null references dub (id) on delete cascade,
  language text not null,
  segment_key text not null,
  text text not null,
  primary key (dub_id, language, segment_key)
) strict, without rowid;

-- Spoken lines, by language code. `key` names everything that the sound depends on.
create table dub_take (
  dub_id text not null references dub (id) on delete cascade,
  language text not null,
  segment_id text not null,
  take_no integer not null check (take_no >= 0),
  key text not null,
  digest text not null check (length(digest) = 64),
  natural_us integer not null check (natural_us >= 0),
  sample_rate integer not null check (sample_rate between 4000 and 384000),
  created_at integer not null,
  primary key (dub_id, language, segment_id, take_no)
) strict, without rowid;
create index dub_take_by_key on dub_take (key);
create index dub_take_by_language on dub_take (language, created_at);

-- One voice track for each language code.
create table dub_track (
  dub_id text not null references dub (id) on delete cascade,
  language_code text not null,
  -- As the request named it, such as Spanish.
  language text not null,
  digest text not null check (length(digest) = 64),
  duration_us integer not null check (duration_us >= 0),
  timing_strategy text not null check (timing_strategy in ('concise', 'stretch_video', 'strict_slot', 'smart_fit')),
  plan text not null check (json_valid(plan)),
  fit_fp text,
  -- JSON array: the keys of its takes, in the order of the lines.
  take_keys text not null check (json_valid(take_keys)),
  created_at integer not null,
  primary key (dub_id, language_code)
) strict, without rowid;

-- Files of dub_store/, each a file or a folder of sound. The name is the SHA-256 of the content, or the key of what it was made from.
create table dub_file (
  digest text primary key check (length(digest) = 64),
  kind text not null,
  -- 0 for results that have no file: all of them is in `detail`.
  bytes integer not null check (bytes >= 0),
  detail text not null check (json_valid(detail)),
  -- The run that made it.
  maker text not null,
  used_at integer not null
) strict, without rowid;
create index dub_file_by_use on dub_file (used_at);

-- Which dubs need which files. A file that no dub needs is swept.
create table dub_use (
  dub_id text not null references dub (id) on delete cascade,
  digest text not null references dub_file (digest) on delete cascade,
  primary key (dub_id, digest)
) strict, without rowid;
create index dub_use_by_digest on dub_use (digest);
