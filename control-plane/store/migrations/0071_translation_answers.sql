-- Answers of translation services, so that the same text is not sent and paid for twice. The key is a digest of service and request.
create table translation_answer (
  key text primary key,
  text text not null,
  -- Epoch ms.
  stored_at integer not null
) strict, without rowid;
create index translation_answer_by_age on translation_answer (stored_at);
