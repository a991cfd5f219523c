-- What a client works on with a project ('' for those of clients that do not say), and the number of its saves.
alter table studio_projects add column kind text not null default '';
alter table studio_projects add column revision integer not null default 1;
