-- What clients keep: projects and the list of their exports. Moments are epoch seconds, as in the API.
-- `state_json` is the last column, so that a list never reads the pages of a large state.
create table studio_projects (
  id text primary key,
  name text not null,
  video_path text,
  audio_path text,
  duration real,
  created_at real not null,
  updated_at real not null,
  state_json text not null
) strict;
create index studio_projects_newest on studio_projects (updated_at);

create table export_history (
  seq integer primary key,
  id text not null unique,
  filename text not null,
  destination_path text not null,
  mode text not null,
  created_at real not null
) strict;

-- Without these, a list and the removal of a take read every take.
create index generation_history_starred on generation_history (seq) where starred = 1;
create index generation_history_file on generation_history (audio_path);
