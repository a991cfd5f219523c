-- Rendered segments of books. The sound is in a file that is named by the key; the file is durable before its row. used_at: epoch ms.
create table longform_segment (
  key text primary key,
  bytes integer not null,
  sample_rate integer not null,
  samples integer not null,
  -- 1 if the sound was implausible after a second attempt.
  doubtful integer not null check (doubtful in (0, 1)),
  used_at integer not null
) strict, without rowid;
create index longform_segment_by_use on longform_segment (used_at);

-- Books. A row without output is a book that can be resumed. Moments are epoch ms.
create table longform_book (
  job_id text primary key,
  kind text not null check (kind in ('audiobook', 'story')),
  title text not null,
  -- SHA-256 of the manifest in the artifact folder.
  manifest text not null,
  total_chapters integer not null,
  chapters_done integer not null default 0,
  cached_chapters integer not null default 0,
  -- JSON array of the numbers of failed chapters.
  failed_chapters text not null default '[]',
  output text,
  duration_s real,
  created_at integer not null,
  finished_at integer
) strict;
create index longform_book_by_manifest on longform_book (manifest);

-- Segments that a book which has not finished needs: they are not evicted.
create table longform_pin (
  job_id text not null references longform_book (job_id) on delete cascade,
  key text not null,
  primary key (job_id, key)
) strict, without rowid;
create index longform_pin_by_key on longform_pin (key);
