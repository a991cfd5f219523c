-- The kind of the notice of a take, as in the header X-Svc-Routing; '' without a notice.
alter table generation_history add column routing text not null default ''
  check (routing in ('', 'stand_in', 'cpu_fallback', 'notice', 'remote_failed'));
-- Earlier versions stored the sentences alone. These words began the notice about the basic voice.
update generation_history set routing = case when notice like 'Using the basic voice%' then 'stand_in' else 'notice' end where notice <> '';
