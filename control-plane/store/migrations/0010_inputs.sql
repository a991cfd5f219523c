-- What a task is given besides its parameters: a JSON list of name, size and SHA-256. The bytes lie in the artifact folder under that digest.
alter table task add column inputs text not null default '[]';
