-- The person for whom a task is done ('' for every other client), and the machines that may run it as JSON ('' for all). They outlive a restart.
alter table task add column maker text not null default '';
alter table task add column machines text not null default '';
