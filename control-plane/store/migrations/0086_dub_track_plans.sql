-- The plan of a voice track is a file of dub_store/ with this name. A plan of a film of hours has megabytes, which blocked the studio when the row was
-- written and read. Null: `plan` has it, as earlier versions stored it.
alter table dub_track add column plan_file text check (length(plan_file) = 64);
