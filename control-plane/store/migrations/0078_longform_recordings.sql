-- SHA-256 of the recording whose voice a segment has; null for a voice of an engine. Segments of a withdrawn recording are removed.
alter table longform_segment add column recording text;
create index longform_segment_by_recording on longform_segment (recording) where recording is not null;
