-- The panel lists what went wrong, which is rare among what went well: without this it would read every task to find it.
create index task_failed on task (seq) where phase in ('failed','timed_out','cancelled');
