-- The constraints repeat what shared/protocol/task.ts says; a test compares the two. Moments are epoch milliseconds.
-- Every page that a commit touches is written and synced, so nothing here is indexed that the start or a request does not look up, and
-- rows that are appended together share pages: they are in the order of their seq, and ids grow with time.
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
  phase text not null check (phase in ('queued','offered','loading','running','delivering','unknown','cancelling','succeeded','failed','timed_out','cancelled')),
  epoch integer not null,
  attempt integer not null check (attempt between 0 and max_attempts),
  max_attempts integer not null check (max_attempts > 0),
  worker_id text,
  attempt_id text,
  target text not null,
  excluded text not null,
  avoided text not null,
  interrupted text check (interrupted in ('offered','loading','running','delivering')),
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
  check ((worker_id is not null) = (phase in ('offered','loading','running','delivering','unknown','cancelling'))),
  check ((attempt_id is not null) = (worker_id is not null)),
  check ((interrupted is not null) = (phase = 'unknown')),
  check ((finished_at is not null) = (phase in ('succeeded','failed','timed_out','cancelled'))),
  check ((result_digest is not null) = (phase = 'succeeded')),
  check (phase not in ('failed','timed_out') or failure_code is not null)
) strict;
create unique index task_key on task (idempotency_key) where idempotency_key is not null;
create index task_live on task (phase) where phase not in ('succeeded','failed','timed_out','cancelled');
create index task_artifact on task (result_digest) where result_digest is not null and result_bytes is null;

-- One row for each offer. (task_id, epoch) is what a fact from a worker names.
create table attempt (
  task_seq integer not null references task (seq) on delete cascade,
  task_id text not null,
  epoch integer not null,
  attempt_id text not null,
  worker_id text not null,
  number integer not null,
  state text not null check (state in ('assigned','accepted','running','uploading','committed','rejected','failed','timed_out','cancelled','lost','superseded')),
  progress real not null default 0,
  stage text not null default '',
  failure_code text,
  failure_message text,
  created_at integer not null,
  finished_at integer,
  primary key (task_seq, epoch)
) strict, without rowid;
-- At most one attempt of a task is ever committed, also after a defect of the program.
create unique index attempt_committed on attempt (task_seq) where state = 'committed';

-- What happened, in the order it became durable: the history that the checker reads.
create table task_event (
  seq integer primary key,
  task_id text not null,
  epoch integer not null,
  at integer not null,
  kind text not null,
  phase text not null,
  worker_id text,
  code text
) strict;

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
  last_seen_at integer
) strict;

-- One row for each consent; a withdrawal sets its time. Enrolment creates none.
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
) strict;

-- Seat belt for the one promise that must not depend on code: no offer without a live consent.
create trigger offer_needs_consent before insert on attempt
when not exists (
  select 1 from worker w join consent c on c.worker_id = w.id and c.withdrawn_at is null
  where w.id = new.worker_id and w.revoked_at is null and w.enabled = 1)
begin
  select raise(abort, 'no live consent for this worker');
end;
