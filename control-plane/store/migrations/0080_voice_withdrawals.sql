-- Recordings that may no longer be used (SHA-256), from the change of their profile until their tasks are cancelled and their derived sound is
-- removed. A row that is left was written by a run that was killed in between.
create table voice_withdrawal (recording text primary key) strict, without rowid;
