-- Tasks that ended in each quarter of an hour, and how many waited at most; a month of them. `at`: epoch seconds of its beginning.
create table activity (
  at integer primary key,
  done integer not null,
  failed integer not null,
  waiting integer not null
) strict;
