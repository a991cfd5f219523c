-- The project whose text a book is: '' for none.
alter table longform_book add column project text not null default '';
-- Name of its uploaded cover: '' for none.
alter table longform_book add column cover text not null default '';
-- The encoded chapters of books, so that each can be heard by itself, also before the book is finished.
create table longform_chapter (
  job_id text not null references longform_book (job_id) on delete cascade,
  place integer not null,
  digest text not null,
  primary key (job_id, place)
) strict, without rowid;
