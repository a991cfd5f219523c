-- A task with a private input, such as a recording that stays here, is offered to the agent of this machine only. As offer_needs_consent, this
-- does not depend on code.
create trigger offer_stays_here before insert on attempt
when new.worker_id <> 'local' and exists (
  select 1 from task t, json_each(t.inputs) i where t.seq = new.task_seq and json_extract(i.value, '$.private') = 1)
begin
  select raise(abort, 'an input of this task stays on this machine');
end;
