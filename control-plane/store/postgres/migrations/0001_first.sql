-- The tables of a pool. Every key begins with the cell, so that several ledgers can share a database. Times are epoch milliseconds.

create table cell (
  id text primary key,
  -- Rises with each writer. A batch of another term has no effect.
  term bigint not null default 0,
  -- The process that holds the term; '' for none.
  writer text not null default '',
  address text not null default '',
  beat bigint not null default 0,
  -- The number of the last batch: it says whether a batch without an answer was written.
  last_batch bigint not null default 0,
  -- The oldest version of the schema whose writers may take the cell.
  min_version integer not null default 0
) with (fillfactor = 50);

-- Insert only. The columns that change are in task_state while the task is live, and in task_end afterwards, so that no old row is rewritten.
create table task (
  cell text not null,
  seq bigint not null,
  id text not null,
  -- In the order of bytes, so that keys with the same beginning are one range.
  idempotency_key text collate "C",
  body_digest text not null,
  operation text not null,
  engine text not null,
  model text not null,
  model_digest text not null,
  speaks text not null,
  maker text not null,
  machines text not null,
  params text not null,
  priority smallint not null check (priority in (0, 1)),
  size bigint not null,
  ephemeral smallint not null check (ephemeral in (0, 1)),
  max_attempts integer not null check (max_attempts > 0),
  deadline_at bigint not null,
  created_at bigint not null,
  inputs text not null,
  primary key (cell, seq),
  unique (cell, id)
);
create unique index task_key on task (cell, idempotency_key) where idempotency_key is not null;

create table task_state (
  cell text not null,
  seq bigint not null,
  phase text not null check (phase in ('queued','offered','loading','running','delivering','unknown','cancelling')),
  epoch bigint not null,
  attempt integer not null check (attempt >= 0),
  worker_id text,
  attempt_id text,
  target text not null,
  excluded text not null,
  avoided text not null,
  interrupted text check (interrupted in ('offered','loading','running','delivering')),
  stopping text check (stopping in ('cancel','deadline')),
  failure_code text,
  failure_message text,
  updated_at bigint not null,
  primary key (cell, seq),
  check ((worker_id is null) = (phase = 'queued')),
  check ((attempt_id is null) = (worker_id is null)),
  check ((interrupted is not null) = (phase = 'unknown'))
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
-- It does not begin with the cell: with one that does, the deletion of ended tasks was planned to read all of a cell.
create index task_state_phase on task_state (phase, cell, seq);

create table task_end (
  cell text not null,
  seq bigint not null,
  -- The task has an idempotency key, or was asked to leave nothing behind.
  keyed smallint not null check (keyed in (0, 1)),
  ephemeral smallint not null check (ephemeral in (0, 1)),
  phase text not null check (phase in ('succeeded','failed','timed_out','cancelled')),
  epoch bigint not null,
  attempt integer not null check (attempt >= 0),
  target text not null,
  excluded text not null,
  avoided text not null,
  stopping text check (stopping in ('cancel','deadline')),
  failure_code text,
  failure_message text,
  updated_at bigint not null,
  finished_at bigint not null,
  result text,
  result_bytes bytea,
  result_digest text,
  result_size bigint,
  primary key (cell, seq),
  check ((result_digest is not null) = (phase = 'succeeded')),
  check (failure_code is not null or phase not in ('failed','timed_out'))
);
create index task_end_succeeded on task_end (cell, seq) where phase = 'succeeded';
create index task_end_failed on task_end (cell, seq) where phase <> 'succeeded';
create index task_end_old on task_end (cell, finished_at) where keyed = 0;
create index task_end_artifact on task_end (cell, result_digest) where result_digest is not null and result_bytes is null;

create view task_row as
select t.cell, t.seq, t.id, idempotency_key, body_digest, operation, engine, model, model_digest, speaks, maker, machines, params, priority,
  size, t.ephemeral, coalesce(s.phase, e.phase) as phase, coalesce(s.epoch, e.epoch) as epoch, coalesce(s.attempt, e.attempt) as attempt,
  max_attempts, s.worker_id, s.attempt_id, coalesce(s.target, e.target) as target, coalesce(s.excluded, e.excluded) as excluded,
  coalesce(s.avoided, e.avoided) as avoided, s.interrupted, coalesce(s.stopping, e.stopping) as stopping,
  coalesce(s.failure_code, e.failure_code) as failure_code, coalesce(s.failure_message, e.failure_message) as failure_message,
  deadline_at, created_at, coalesce(s.updated_at, e.updated_at) as updated_at, finished_at, result, result_bytes, result_digest,
  result_size, inputs
from task t
left join task_state s on s.cell = t.cell and s.seq = t.seq
left join task_end e on e.cell = t.cell and e.seq = t.seq;

create table attempt (
  cell text not null,
  task_seq bigint not null,
  epoch bigint not null,
  task_id text not null,
  attempt_id text not null,
  worker_id text not null,
  number integer not null,
  state text not null check (state in ('assigned','accepted','running','uploading','committed','rejected','failed','timed_out','cancelled','lost')),
  progress double precision not null,
  stage text not null,
  failure_code text,
  failure_message text,
  created_at bigint not null,
  finished_at bigint,
  -- The machine of a pool that runs it; '' for a machine that is no pool.
  machine text not null,
  primary key (cell, task_seq, epoch)
) with (fillfactor = 80);
create unique index attempt_committed on attempt (cell, task_seq) where state = 'committed';

create table task_event_batch (
  cell text not null,
  batch bigint not null,
  place integer not null,
  term bigint not null,
  at bigint not null,
  -- JSON list of task id, epoch, kind, phase, worker id and code.
  events text not null,
  primary key (cell, batch, place)
);
create index task_event_batch_at on task_event_batch (cell, at);

create table setting (cell text not null, key text not null, value text not null, primary key (cell, key));

create table worker (
  cell text not null,
  id text not null,
  name text not null,
  pin text not null,
  enabled smallint not null check (enabled in (0, 1)),
  revoked_at bigint,
  priority integer not null check (priority between 0 and 100),
  endpoint text not null,
  host text not null,
  generation bigint not null,
  renewal_nonce text not null,
  quarantine text,
  quarantined_at bigint,
  resync smallint not null check (resync in (0, 1)),
  issuer text not null,
  trusts text not null,
  followed smallint not null check (followed in (0, 1)),
  created_at bigint not null,
  last_seen_at bigint,
  -- The pool that a machine declares itself to be, as JSON ('' for a single machine), and the terms of a consent that a later declaration ended.
  pool text not null,
  lapsed text not null,
  primary key (cell, id),
  unique (cell, pin)
);

create table consent (
  cell text not null,
  id text not null,
  worker_id text not null,
  granted_at bigint not null,
  withdrawn_at bigint,
  -- The terms of a pool that it was given for, as JSON; '' for a single machine.
  terms text not null,
  primary key (cell, id),
  foreign key (cell, worker_id) references worker (cell, id),
  -- Checked after each statement, which may replace one consent by another.
  constraint consent_live exclude using btree (cell with =, worker_id with =) where (withdrawn_at is null) deferrable initially immediate
);

-- An offer needs a consent that is in force at the end of its own batch, and an input that may leave its machine.
create function offer_needs_consent() returns trigger language plpgsql as $$
begin
  if exists (
    select 1 from added a where not exists (
      select 1 from worker w join consent c on c.cell = w.cell and c.worker_id = w.id and c.withdrawn_at is null
      where w.cell = a.cell and w.id = a.worker_id and w.revoked_at is null and w.enabled = 1)
  ) then
    raise exception 'no live consent for this worker' using errcode = 'check_violation', table = 'attempt', column = 'worker_id';
  end if;
  if exists (
    select 1 from added a join task t on t.cell = a.cell and t.seq = a.task_seq
    where a.worker_id <> 'local' and t.inputs <> '[]' and t.inputs::jsonb @> '[{"private": 1}]'
  ) then
    raise exception 'an input of this task stays on its machine' using errcode = 'check_violation', table = 'task', column = 'inputs';
  end if;
  return null;
end $$;
create trigger offer_needs_consent after insert on attempt referencing new table as added
for each statement execute function offer_needs_consent();

create table join_token (
  cell text not null,
  id text not null,
  secret_digest text not null,
  label text not null,
  endpoint text not null,
  worker_id text,
  created_at bigint not null,
  expires_at bigint not null,
  used_at bigint,
  used_by text,
  primary key (cell, id),
  foreign key (cell, used_by) references worker (cell, id)
);

create table breaker (
  cell text not null,
  worker_id text not null,
  model_key text not null,
  state text not null check (state in ('closed','open','half_open')),
  trips integer not null check (trips > 0),
  retry_at bigint,
  reason text not null,
  primary key (cell, worker_id, model_key),
  foreign key (cell, worker_id) references worker (cell, id),
  check ((retry_at is not null) = (state = 'open'))
);

create table audit (
  cell text not null,
  seq bigint not null,
  at bigint not null,
  kind text not null,
  subject text not null,
  detail text not null,
  previous text not null,
  digest text not null,
  primary key (cell, seq)
);
create function audit_is_final() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only' using errcode = 'check_violation', table = 'audit';
end $$;
create trigger audit_is_final before update or delete or truncate on audit for each statement execute function audit_is_final();
create function audit_is_in_order() returns trigger language plpgsql as $$
begin
  if exists (
    select 1 from added a where a.seq <> 1 and not exists (select 1 from audit b where b.cell = a.cell and b.seq = a.seq - 1)
  ) then
    raise exception 'the audit log has no gaps' using errcode = 'check_violation', table = 'audit', column = 'seq';
  end if;
  return null;
end $$;
create trigger audit_is_in_order after insert on audit referencing new table as added
for each statement execute function audit_is_in_order();
