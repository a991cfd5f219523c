-- The voices and the language that the machine of a task must offer, as JSON; '' for any.
alter table task add column speaks text not null default '';
