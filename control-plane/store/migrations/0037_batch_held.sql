-- Films that were uploaded to the batch and are dubbed when a person starts them.
alter table dub_batch add column held integer not null default 0 check (held in (0, 1));
