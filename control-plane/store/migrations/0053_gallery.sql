-- The clips of the gallery. Recordings are artifacts, named by their SHA-256. Moments are epoch milliseconds.
create table gallery_clip (
  seq integer primary key,
  id text not null unique,
  name text not null,
  character text not null,
  category text not null,
  description text not null,
  source_type text not null check (source_type in ('upload', 'youtube')),
  source_url text,
  -- The canonical recording (mono, 24 kHz, 16 bit), and the file as it arrived.
  audio_digest text not null,
  audio_bytes integer not null,
  original_digest text not null,
  original_bytes integer not null,
  original_name text not null,
  -- The media type of the original by its bytes; null if clients cannot be expected to play it.
  original_type text,
  -- Seconds.
  duration real not null,
  thumbnail text,
  -- JSON list of texts.
  tags text not null,
  is_favorite integer not null default 0 check (is_favorite in (0, 1)),
  -- 1: only the agent of this machine receives the recording.
  stays_here integer not null check (stays_here in (0, 1)),
  -- Name, character and description in lower case, for searches.
  words text not null,
  created_at integer not null
) strict;
-- A search reads these columns of every clip, so they are next to each other.
create index gallery_clip_category on gallery_clip (category, seq, words);
create index gallery_clip_words on gallery_clip (seq, words);
create index gallery_clip_audio on gallery_clip (audio_digest);
create index gallery_clip_original on gallery_clip (original_digest);
