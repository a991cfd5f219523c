-- SQLite builds a temporary table for each list of three or more values in a check or in the condition of an index, each time that a row is
-- written: half of the cost of a task. The conditions are the same ones without lists. Nothing changes in the rows and indexes, so only the
-- text of the schema is replaced; copying a week of results could take longer than a start may, and more room than there is.
create table task_next (
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
create table attempt_next (
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

pragma writable_schema = on;
update sqlite_schema set sql = (select replace(next.sql, 'task_next', 'task') from sqlite_schema next where next.name = 'task_next')
  where type = 'table' and name = 'task';
update sqlite_schema set sql = (select replace(next.sql, 'attempt_next', 'attempt') from sqlite_schema next where next.name = 'attempt_next')
  where type = 'table' and name = 'attempt';
update sqlite_schema set sql = 'CREATE INDEX task_live on task (phase) where finished_at is null' where name = 'task_live';
update sqlite_schema set sql = 'CREATE INDEX task_failed on task (seq) where finished_at is not null and result_digest is null' where name = 'task_failed';
pragma writable_schema = reset;
drop table task_next;
drop table attempt_next;
