-- The pool that a machine declares itself to be, as JSON ('' for a single machine), and the terms of a consent that a later declaration ended.
alter table worker add column pool text not null default '';
alter table worker add column lapsed text not null default '';
-- The terms of a pool that a consent was given for, as JSON ('' for a single machine). It counts for no others.
alter table consent add column terms text not null default '';
-- The machine of a pool that runs an attempt; '' for a machine that is no pool.
alter table attempt add column machine text not null default '';
