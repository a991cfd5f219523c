-- What clients other than the owner have made. An object without a row here is the owner's.
create table made_by (
  kind text not null check (kind in ('take', 'project', 'voice', 'clip', 'term', 'dub', 'job', 'export')),
  id text not null,
  client text not null check (client <> 'owner'),
  -- Epoch ms.
  made_at integer not null,
  primary key (kind, id)
) strict, without rowid;
create index made_by_client on made_by (client, kind, id);
