-- The leading chunks of a take with their texts, as JSON; empty for takes of before. A lock uses them as the exact words of its reference.
alter table generation_history add column chunks text not null default '';
create index generation_history_profile on generation_history (profile_id, seq) where profile_id <> '';
