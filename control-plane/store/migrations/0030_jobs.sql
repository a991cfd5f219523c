-- Jobs, their steps, their events and the results of steps. The constraints repeat control-plane/jobs/job.ts; a test compares the two.
-- Moments are epoch milliseconds. `seq` of a job is its order of creation, `seq` of an event ascends within its job and is never reused.
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

-- Shared by all jobs. `key` is the digest of everything the result depends on; `digest` names a file of the artifact folder.
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
