-- Breakers that have tripped: written when one opens, tests its worker, closes or is resumed, never for a task that went well.
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
