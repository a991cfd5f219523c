-- Whose work a job is, so that it keeps its share of the studio after a restart: an address, or 'owner'.
alter table job add column source text not null default 'studio';
