-- The nonce of the last renewal tells a lost answer from a copied key; a quarantined worker is refused until a person decides.
-- `resync`: after a release the next renewal is accepted with any generation.
-- `issuer`: pin of the authority that issued its certificate; `trusts`: pin of the newest authority it was told to trust; `followed`: it has
-- shown since that the answer arrived.
alter table worker add column renewal_nonce text not null default '';
alter table worker add column quarantine text;
alter table worker add column quarantined_at integer;
alter table worker add column resync integer not null default 0 check (resync in (0, 1));
alter table worker add column issuer text not null default '';
alter table worker add column trusts text not null default '';
alter table worker add column followed integer not null default 0 check (followed in (0, 1));
