-- The subtitles that the page of a film offered: up to 40 languages of 20,000 cues, which were read and written with every option of their dub.
create table dub_caption (
  dub_id text not null references dub (id) on delete cascade,
  language text not null check (length(language) between 1 and 100),
  -- JSON array of objects: start_us, end_us, text.
  cues text not null check (json_valid(cues)),
  primary key (dub_id, language)
) strict;
insert into dub_caption (dub_id, language, cues)
  select dub.id, found.key, found.value from dub, json_each(dub.options, '$.youtube_subs') found
  where found.type = 'array' and length(found.key) between 1 and 100;
update dub set options = json_remove(options, '$.youtube_subs') where json_type(options, '$.youtube_subs') is not null;
