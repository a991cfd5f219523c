-- The identity by which a person signs in with OpenID Connect: an e-mail address, and the account that it was bound to by the first sign-in; or the
-- account alone. All null: the person has keys only.
alter table person add column sign_in_email text;
-- The provider (without a slash at its end) and the id of the account there.
alter table person add column sign_in_issuer text;
alter table person add column sign_in_subject text;
create unique index person_sign_in_email on person (sign_in_email) where ended_at is null and sign_in_email is not null;
create unique index person_sign_in_subject on person (sign_in_issuer, sign_in_subject) where ended_at is null and sign_in_subject is not null;
