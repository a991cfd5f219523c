-- SHA-256 of the files of the model that a task must run with; '' for any.
alter table task add column model_digest text not null default '';
