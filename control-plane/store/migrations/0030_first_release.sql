-- The database of the first release, version 30. Later versions are the files after this one.

create table task (
  seq integer primary key,
  id text not null unique,
  idempotency_key text,
  body_digest text not null,
  operation text not null,
  engine text not null,
  model text not null,
  params text not null,
  priority integer not null check (priority in (0, 1)),
  size integer not null,
  ephemeral integer not null check (ephemeral in (0, 1)),
  phase text not null,
  epoch integer not null,
  attempt integer not null check (attempt between 0 and max_attempts),
  max_attempts integer not null check (max_attempts > 0),
  worker_id text,
  attempt_id text,
  target text not null,
  excluded text not null,
  avoided text not null,
  interrupted text check (interrupted = 'offered' or interrupted = 'loading' or interrupted = 'running' or interrupted = 'delivering'),
  stopping text check (stopping in ('cancel','deadline')),
  failure_code text,
  failure_message text,
  deadline_at integer not null,
  created_at integer not null,
  updated_at integer not null,
  finished_at integer,
  result text,
  result_bytes blob,
  result_digest text,
  result_size integer,
  inputs text not null default '[]',
  model_digest text not null default '',
  check (case
    when finished_at is not null then phase = 'succeeded' or phase = 'failed' or phase = 'timed_out' or phase = 'cancelled'
    when worker_id is not null then phase = 'offered' or phase = 'loading' or phase = 'running' or phase = 'delivering' or phase = 'unknown' or phase = 'cancelling'
    else phase = 'queued' end),
  check (finished_at is null or worker_id is null),
  check ((attempt_id is not null) = (worker_id is not null)),
  check ((interrupted is not null) = (phase = 'unknown')),
  check ((result_digest is not null) = (phase = 'succeeded')),
  check (failure_code is not null or (phase <> 'failed' and phase <> 'timed_out'))
) strict;
create unique index task_key on task (idempotency_key) where idempotency_key is not null;
create index task_live on task (phase) where finished_at is null;
create index task_artifact on task (result_digest) where result_digest is not null and result_bytes is null;

create table attempt (
  task_seq integer not null references task (seq) on delete cascade,
  task_id text not null,
  epoch integer not null,
  attempt_id text not null,
  worker_id text not null,
  number integer not null,
  state text not null check (state = 'assigned' or state = 'accepted' or state = 'running' or state = 'uploading' or state = 'committed' or state = 'rejected' or state = 'failed' or state = 'timed_out' or state = 'cancelled' or state = 'lost' or state = 'superseded'),
  progress real not null default 0,
  stage text not null default '',
  failure_code text,
  failure_message text,
  created_at integer not null,
  finished_at integer,
  primary key (task_seq, epoch)
) strict, without rowid;
create unique index attempt_committed on attempt (task_seq) where state = 'committed';

create table worker (
  id text primary key,
  name text not null,
  pin text not null unique,
  enabled integer not null default 1 check (enabled in (0, 1)),
  revoked_at integer,
  priority integer not null default 50 check (priority between 0 and 100),
  endpoint text not null default '',
  host text not null default '{}',
  capabilities text not null default '[]',
  generation integer not null default 0,
  created_at integer not null,
  last_seen_at integer,
  renewal_nonce text not null default '',
  quarantine text,
  quarantined_at integer,
  resync integer not null default 0 check (resync in (0, 1)),
  issuer text not null default '',
  trusts text not null default '',
  followed integer not null default 0 check (followed in (0, 1))
) strict;

create table consent (
  id text primary key,
  worker_id text not null references worker (id),
  granted_at integer not null,
  withdrawn_at integer
) strict;
create unique index consent_live on consent (worker_id) where withdrawn_at is null;

create table join_token (
  id text primary key,
  secret_digest text not null,
  label text not null,
  endpoint text not null,
  worker_id text,
  created_at integer not null,
  expires_at integer not null,
  used_at integer,
  used_by text references worker (id)
) strict;

create table setting (key text primary key, value text not null) strict;

create table generation_history (
  id text primary key,
  seq integer not null unique,
  text text not null,
  mode text not null,
  language text not null,
  instruct text not null,
  profile_id text not null,
  audio_path text not null,
  duration_seconds real not null,
  generation_time real not null,
  seed integer not null,
  starred integer not null default 0 check (starred in (0, 1)),
  created_at real not null
, engine text not null default '', voice text not null default '', notice text not null default '', chunks text not null default '', routing text not null default ''
  check (routing in ('', 'stand_in', 'cpu_fallback', 'notice', 'remote_failed'))) strict;
create trigger offer_needs_consent before insert on attempt
when not exists (
  select 1 from worker w join consent c on c.worker_id = w.id and c.withdrawn_at is null
  where w.id = new.worker_id and w.revoked_at is null and w.enabled = 1)
begin
  select raise(abort, 'no live consent for this worker');
end;

create table breaker (
  worker_id text not null references worker (id),
  model_key text not null,
  state text not null check (state in ('closed','open','half_open')),
  trips integer not null check (trips > 0),
  retry_at integer,
  reason text not null,
  primary key (worker_id, model_key),
  check ((retry_at is not null) = (state = 'open'))
) strict, without rowid;

create table audit (
  seq integer primary key,
  at integer not null,
  kind text not null,
  subject text not null,
  detail text not null,
  previous text not null,
  digest text not null
) strict;
create trigger audit_is_final before update on audit begin
  select raise(abort, 'the audit log is append-only');
end;
create trigger audit_is_kept before delete on audit begin
  select raise(abort, 'the audit log is append-only');
end;
create trigger audit_is_in_order before insert on audit
when new.seq is not (select coalesce(max(seq), 0) + 1 from audit)
begin
  select raise(abort, 'the audit log is append-only');
end;
create index task_failed on task (seq) where finished_at is not null and result_digest is null;

create table job (
  seq integer primary key,
  id text not null unique,
  type text not null,
  project_id text,
  params text not null,
  meta text not null,
  status text not null check (status in ('pending','running','done','failed','cancelled')),
  cancel_wanted integer not null default 0 check (cancel_wanted in (0, 1)),
  resumes integer not null default 0 check (resumes between 0 and 2),
  interrupted integer not null default 0 check (interrupted in (0, 1)),
  error_code text,
  error text,
  last_seq integer not null default 0,
  step_name text,
  step_ordinal integer,
  step_total integer,
  created_at integer not null,
  updated_at integer not null,
  finished_at integer,
  check ((finished_at is not null) = (status in ('done','failed','cancelled'))),
  check ((error is not null) = (status = 'failed')),
  check ((error_code is not null) = (error is not null)),
  check (interrupted = 0 or status = 'failed'),
  check (cancel_wanted = 0 or status in ('running','cancelled'))
) strict;
create index job_live on job (status) where status in ('pending','running');

create table job_event (
  job_id text not null references job (id) on delete cascade,
  seq integer not null,
  created_at integer not null,
  kind text not null check (kind in ('event','progress','terminal')),
  payload text not null,
  primary key (job_id, seq)
) strict, without rowid;

create table job_step (
  job_id text not null references job (id) on delete cascade,
  name text not null,
  ordinal integer not null,
  state text not null check (state in ('waiting','running','done','failed','skipped')),
  key text not null,
  task_id text,
  result_key text,
  failure_code text,
  failure text,
  primary key (job_id, name),
  check ((result_key is not null) = (state in ('done','skipped'))),
  check ((failure_code is not null) = (state = 'failed'))
) strict, without rowid;
create index job_step_result on job_step (result_key) where result_key is not null;

create table step_result (
  key text primary key,
  kind text not null,
  json text not null,
  digest text,
  bytes integer not null default 0,
  cost_ms integer not null,
  used_at integer not null
) strict, without rowid;
create index step_result_artifact on step_result (digest) where digest is not null;

create table studio_projects (
  id text primary key,
  name text not null,
  video_path text,
  audio_path text,
  duration real,
  created_at real not null,
  updated_at real not null,
  state_json text not null
) strict;
create index studio_projects_newest on studio_projects (updated_at);

create table export_history (
  seq integer primary key,
  id text not null unique,
  filename text not null,
  destination_path text not null,
  mode text not null,
  created_at real not null
) strict;
create index generation_history_starred on generation_history (seq) where starred = 1;
create index generation_history_file on generation_history (audio_path);

create table mcp_client_bindings (
  client_id text primary key,
  label text,
  profile_id text,
  default_engine text,
  last_seen_at real,
  created_at real not null
) strict;

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
create trigger offer_stays_here before insert on attempt
when new.worker_id <> 'local' and exists (
  select 1 from task t, json_each(t.inputs) i where t.seq = new.task_seq and json_extract(i.value, '$.private') = 1)
begin
  select raise(abort, 'an input of this task stays on this machine');
end;

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

create table preview_check (
  id integer primary key check (id = 1),
  checked_at integer not null,
  error text,
  engine text,
  engine_version text,
  -- As in the manifest: ISO 8601 in UTC.
  generated_at text
) strict;

create table gallery_clip (
  seq integer primary key,
  id text not null unique,
  name text not null,
  character text not null,
  category text not null,
  description text not null,
  source_type text not null check (source_type in ('upload', 'youtube')),
  source_url text,
  -- The canonical recording (mono, 24 kHz, 16 bit), and the file as it arrived.
  audio_digest text not null,
  audio_bytes integer not null,
  original_digest text not null,
  original_bytes integer not null,
  original_name text not null,
  -- The media type of the original by its bytes; null if clients cannot be expected to play it.
  original_type text,
  -- Seconds.
  duration real not null,
  thumbnail text,
  -- JSON list of texts.
  tags text not null,
  is_favorite integer not null default 0 check (is_favorite in (0, 1)),
  -- 1: only the agent of this machine receives the recording.
  stays_here integer not null check (stays_here in (0, 1)),
  -- Name, character and description in lower case, for searches.
  words text not null,
  created_at integer not null
) strict;
create index gallery_clip_category on gallery_clip (category, seq, words);
create index gallery_clip_words on gallery_clip (seq, words);
create index gallery_clip_audio on gallery_clip (audio_digest);
create index gallery_clip_original on gallery_clip (original_digest);

create table community_pin (
  source text not null,
  item_id text not null,
  digest text not null,
  url text not null,
  pinned_at integer not null,
  primary key (source, item_id)
) strict, without rowid;
create index generation_history_profile on generation_history (profile_id, seq) where profile_id <> '';

create table pronunciation (
  seq integer primary key,
  id text not null unique,
  term text not null,
  replacement text not null,
  type text not null check (type in ('respelling', 'ipa', 'cmu')),
  -- ISO 639-1, or * for every language.
  language text not null,
  enabled integer not null check (enabled in (0, 1)),
  created_at real not null
) strict;

create table longform_segment (
  key text primary key,
  bytes integer not null,
  sample_rate integer not null,
  samples integer not null,
  -- 1 if the sound was implausible after a second attempt.
  doubtful integer not null check (doubtful in (0, 1)),
  used_at integer not null,
  recording text
) strict, without rowid;
create index longform_segment_by_use on longform_segment (used_at);

create table longform_book (
  job_id text primary key,
  kind text not null check (kind in ('audiobook', 'story')),
  title text not null,
  -- SHA-256 of the manifest in the artifact folder.
  manifest text not null,
  total_chapters integer not null,
  chapters_done integer not null default 0,
  cached_chapters integer not null default 0,
  -- JSON array of the numbers of failed chapters.
  failed_chapters text not null default '[]',
  output text,
  duration_s real,
  created_at integer not null,
  finished_at integer
) strict;
create index longform_book_by_manifest on longform_book (manifest);

create table longform_pin (
  job_id text not null references longform_book (job_id) on delete cascade,
  key text not null,
  primary key (job_id, key)
) strict, without rowid;
create index longform_pin_by_key on longform_pin (key);

create table glossary_terms (
  seq integer primary key,
  id text not null unique,
  project_id text not null,
  source text not null,
  target text not null,
  note text not null,
  -- 1 if a language model proposed it and the owner has not changed it.
  auto integer not null check (auto in (0, 1)),
  created_at real not null
) strict;
create index glossary_terms_by_project on glossary_terms (project_id, created_at, seq);

create table translation_answer (
  key text primary key,
  text text not null,
  -- Epoch ms.
  stored_at integer not null
) strict, without rowid;
create index translation_answer_by_age on translation_answer (stored_at);

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

create table dub_text (
  dub_id text not null references dub (id) on delete cascade,
  language text not null,
  segment_key text not null,
  text text not null,
  primary key (dub_id, language, segment_key)
) strict, without rowid;

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
  created_at integer not null, plan_file text check (length(plan_file) = 64),
  primary key (dub_id, language_code)
) strict, without rowid;

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

create table dub_use (
  dub_id text not null references dub (id) on delete cascade,
  digest text not null references dub_file (digest) on delete cascade,
  primary key (dub_id, digest)
) strict, without rowid;
create index dub_use_by_digest on dub_use (digest);
create index longform_segment_by_recording on longform_segment (recording) where recording is not null;

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

create table voice_withdrawal (recording text primary key) strict, without rowid;

create table task_event_batch (
  seq integer primary key,
  at integer not null,
  -- JSON list of lists: task_id, epoch, kind, phase, worker_id, code
  events text not null
) strict;
CREATE VIEW task_event as
  select batch.seq, event.key as place, batch.at, event.value ->> 0 as task_id, event.value ->> 1 as epoch, event.value ->> 2 as kind,
    event.value ->> 3 as phase, event.value ->> 4 as worker_id, event.value ->> 5 as code
  from task_event_batch batch, json_each(batch.events) event;

create table dub_caption (
  dub_id text not null references dub (id) on delete cascade,
  language text not null check (length(language) between 1 and 100),
  -- JSON array of objects: start_us, end_us, text.
  cues text not null check (json_valid(cues)),
  primary key (dub_id, language)
) strict;
