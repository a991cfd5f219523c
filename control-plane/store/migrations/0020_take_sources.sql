-- Who spoke a take, and what stood in for what; empty for the takes of before.
alter table generation_history add column engine text not null default '';
alter table generation_history add column voice text not null default '';
alter table generation_history add column notice text not null default '';
