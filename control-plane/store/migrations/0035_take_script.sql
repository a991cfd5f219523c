-- The whole text of a take, the parts it was spoken in and the settings it was made with, as JSON.
create table take_script (
  take_id text primary key references generation_history (id) on delete cascade,
  text text not null,
  script text not null
) strict;
-- The sound of the parts as the engines made it, kept as long as the take.
create table take_sound (
  take_id text not null references generation_history (id) on delete cascade,
  digest text not null,
  primary key (take_id, digest)
) strict, without rowid;
create index take_sound_digest on take_sound (digest);
