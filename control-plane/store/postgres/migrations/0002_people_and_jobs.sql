-- People, their use, and jobs.

create table person (
  cell text not null,
  id text not null,
  name text not null,
  folded text not null,
  kind text not null check (kind in ('person','program')),
  role text not null check (role in ('listen','create','operate','own')),
  sound_minutes_a_day double precision,
  gpu_minutes_a_month double precision,
  tasks_at_once bigint,
  disk_bytes bigint,
  machines text,
  sign_in_email text,
  sign_in_issuer text,
  sign_in_subject text,
  created_at bigint not null,
  ended_at bigint,
  primary key (cell, id),
  -- Checked after each statement: one person may get what another one of the batch has given up.
  constraint person_folded exclude using btree (cell with =, folded with =) where (ended_at is null) deferrable initially immediate,
  constraint person_sign_in_email exclude using btree (cell with =, sign_in_email with =)
    where (ended_at is null) deferrable initially immediate,
  constraint person_sign_in_subject exclude using btree (cell with =, sign_in_issuer with =, sign_in_subject with =)
    where (ended_at is null) deferrable initially immediate
);

create table person_key (
  cell text not null,
  id text not null,
  person_id text not null,
  label text not null,
  digest text not null,
  begins text not null,
  created_at bigint not null,
  expires_at bigint,
  used_at bigint,
  ended_at bigint,
  primary key (cell, id),
  unique (cell, digest),
  foreign key (cell, person_id) references person (cell, id)
);

create table person_usage (
  cell text not null,
  person_id text not null,
  day text not null,
  engine text not null,
  tasks bigint not null,
  failed bigint not null,
  sound_ms bigint not null,
  gpu_ms bigint not null,
  primary key (cell, person_id, day, engine)
);

create table job (
  cell text not null,
  seq bigint not null,
  id text not null,
  type text not null,
  project_id text,
  source text not null,
  params text not null,
  meta text not null,
  status text not null check (status in ('pending','running','done','failed','cancelled')),
  cancel_wanted smallint not null check (cancel_wanted in (0, 1)),
  resumes integer not null check (resumes between 0 and 2),
  interrupted smallint not null check (interrupted in (0, 1)),
  error_code text,
  error text,
  last_seq bigint not null,
  step_name text,
  step_ordinal integer,
  step_total integer,
  created_at bigint not null,
  updated_at bigint not null,
  finished_at bigint,
  primary key (cell, id),
  constraint job_seq unique (cell, seq) deferrable initially immediate,
  check ((finished_at is not null) = (status in ('done','failed','cancelled'))),
  check ((error is not null) = (status = 'failed')),
  check ((error_code is not null) = (error is not null)),
  check (interrupted = 0 or status = 'failed'),
  check (cancel_wanted = 0 or status in ('running','cancelled'))
);
create index job_live on job (cell, status) where status in ('pending','running');

create table job_event (
  cell text not null,
  job_id text not null,
  seq bigint not null,
  created_at bigint not null,
  kind text not null check (kind in ('event','progress','terminal')),
  payload text not null,
  primary key (cell, job_id, seq) deferrable initially immediate,
  foreign key (cell, job_id) references job (cell, id) on delete cascade
);

create table job_step (
  cell text not null,
  job_id text not null,
  name text not null,
  ordinal integer not null,
  state text not null check (state in ('waiting','running','done','failed','skipped')),
  key text not null,
  task_id text,
  result_key text,
  failure_code text,
  failure text,
  primary key (cell, job_id, name),
  foreign key (cell, job_id) references job (cell, id) on delete cascade,
  check ((result_key is not null) = (state in ('done','skipped'))),
  check ((failure_code is not null) = (state = 'failed'))
);
create index job_step_result on job_step (cell, result_key) where result_key is not null;

create table step_result (
  cell text not null,
  key text not null,
  kind text not null,
  json text not null,
  digest text,
  bytes bigint not null,
  cost_ms bigint not null,
  used_at bigint not null,
  primary key (cell, key)
);
create index step_result_artifact on step_result (cell, digest) where digest is not null;

-- Keys that only a process with the sealing key can open.
create table sealed (
  cell text not null,
  name text not null,
  key_id text not null,
  bytes bytea not null,
  primary key (cell, name)
);

-- Files of the bucket that something names.
create table artifact (
  cell text not null,
  digest text not null,
  bytes bigint not null,
  kept_until bigint not null,
  -- 'leaving': the file is being removed, and the row after it.
  state text not null check (state in ('kept','leaving')),
  primary key (cell, digest)
);
create index artifact_old on artifact (cell, kept_until);
