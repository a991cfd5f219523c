-- What was decided about trust, in order; each entry carries the digest of the one before it. Never changed, never purged.
create table audit (
  seq integer primary key,
  at integer not null,
  kind text not null,
  subject text not null,
  detail text not null,
  previous text not null,
  digest text not null
) strict;
create trigger audit_is_final before update on audit begin
  select raise(abort, 'the audit log is append-only');
end;
create trigger audit_is_kept before delete on audit begin
  select raise(abort, 'the audit log is append-only');
end;
-- Also keeps `insert or replace` from replacing: a delete of that kind fires no trigger.
create trigger audit_is_in_order before insert on audit
when new.seq is not (select coalesce(max(seq), 0) + 1 from audit)
begin
  select raise(abort, 'the audit log is append-only');
end;
