-- The events of a batch are one row: a task has five events in two batches, and a row costs more than what is in it. The view shows them one by one.
create table task_event_batch (
  seq integer primary key,
  at integer not null,
  -- JSON list of lists: task_id, epoch, kind, phase, worker_id, code
  events text not null
) strict;
insert into task_event_batch (seq, at, events)
  select seq, at, json_array(json_array(task_id, epoch, kind, phase, worker_id, code)) from task_event order by seq;
drop table task_event;
create view task_event as
  select batch.seq, event.key as place, batch.at, event.value ->> 0 as task_id, event.value ->> 1 as epoch, event.value ->> 2 as kind,
    event.value ->> 3 as phase, event.value ->> 4 as worker_id, event.value ->> 5 as code
  from task_event_batch batch, json_each(batch.events) event;
