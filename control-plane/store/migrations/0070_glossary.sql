-- The glossary of each project: how its terms are translated. Moments are epoch seconds, as in the API.
create table glossary_terms (
  seq integer primary key,
  id text not null unique,
  project_id text not null,
  source text not null,
  target text not null,
  note text not null,
  -- 1 if a language model proposed it and the owner has not changed it.
  auto integer not null check (auto in (0, 1)),
  created_at real not null
) strict;
create index glossary_terms_by_project on glossary_terms (project_id, created_at, seq);
