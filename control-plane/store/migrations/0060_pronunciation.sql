-- The pronunciation dictionary of the owner. Moments are epoch seconds, as in the API.
create table pronunciation (
  seq integer primary key,
  id text not null unique,
  term text not null,
  replacement text not null,
  type text not null check (type in ('respelling', 'ipa', 'cmu')),
  -- ISO 639-1, or * for every language.
  language text not null,
  enabled integer not null check (enabled in (0, 1)),
  created_at real not null
) strict;
