-- The digest that a voice of a community source had when it was downloaded first, for sources that state none. Moments are epoch milliseconds.
create table community_pin (
  source text not null,
  item_id text not null,
  digest text not null,
  url text not null,
  pinned_at integer not null,
  primary key (source, item_id)
) strict, without rowid;
