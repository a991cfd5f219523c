-- A database of version 30, as the last version before the first release wrote it: a sentence, a take, a voice, two projects, a book, a film,
-- a term of the glossary, a pronunciation and a changed setting.
pragma user_version = 30;
CREATE TABLE attempt (
  task_seq integer not null references task (seq) on delete cascade,
  task_id text not null,
  epoch integer not null,
  attempt_id text not null,
  worker_id text not null,
  number integer not null,
  state text not null check (state = 'assigned' or state = 'accepted' or state = 'running' or state = 'uploading' or state = 'committed' or state = 'rejected' or state = 'failed' or state = 'timed_out' or state = 'cancelled' or state = 'lost' or state = 'superseded'),
  progress real not null default 0,
  stage text not null default '',
  failure_code text,
  failure_message text,
  created_at integer not null,
  finished_at integer,
  primary key (task_seq, epoch)
) strict, without rowid;
INSERT INTO "attempt" VALUES(1,'01a227dbb452f2b9',1,'f495e361337366ff','local',1,'committed',1.0,'speaking',NULL,NULL,1795965039706,1795965042298);
INSERT INTO "attempt" VALUES(2,'01a227dbeacdf2ba',1,'a4d4cb750beff5b6','local',1,'committed',1.0,'speaking',NULL,NULL,1795965053646,1795965053898);
INSERT INTO "attempt" VALUES(3,'01a227dc28c0f2bb',1,'347f53ed05e5fbf8','local',1,'committed',1.0,'speaking',NULL,NULL,1795965069525,1795965070276);
INSERT INTO "attempt" VALUES(4,'01a227dc2c2bf2bc',1,'6328e7665ea66bda','local',1,'committed',1.0,'speaking',NULL,NULL,1795965070380,1795965070544);
CREATE TABLE audit (
  seq integer primary key,
  at integer not null,
  kind text not null,
  subject text not null,
  detail text not null,
  previous text not null,
  digest text not null
) strict;
INSERT INTO "audit" VALUES(1,1795965034684,'code-issued','0995962a9aa23976','{"label":"Local","expires_at":1795965094684}','0000000000000000000000000000000000000000000000000000000000000000','b252b567a650ff04eecc6d72556d8502b4d6b5266c7327a91d47800d02a6786b');
INSERT INTO "audit" VALUES(2,1795965035122,'enrol','local','{"key":"20955f533a4d6cb26b15642bfdd7e91f5ea097ea8972328ae27440e5b306e396","name":"Local"}','b252b567a650ff04eecc6d72556d8502b4d6b5266c7327a91d47800d02a6786b','7eb7ac58a7f8343abd6c217eefa4b38f6282a3683ba60b9e68420d552aed8e80');
INSERT INTO "audit" VALUES(3,1795965035124,'consent','local','{}','7eb7ac58a7f8343abd6c217eefa4b38f6282a3683ba60b9e68420d552aed8e80','df5dc8bdcce747d35f56c5f050d0349eea1c9c5e4bec02a7bf7e7abf7ef10756');
INSERT INTO "audit" VALUES(4,1795965035756,'connect','local','{"address":"local"}','df5dc8bdcce747d35f56c5f050d0349eea1c9c5e4bec02a7bf7e7abf7ef10756','5d72e3d542fc9f3d7ecaa35a13a474fbce77b66fc1806fd7f17722fc26f64fce');
INSERT INTO "audit" VALUES(5,1795965077462,'disconnect','local','{"code":"WORKER_DISCONNECTED"}','5d72e3d542fc9f3d7ecaa35a13a474fbce77b66fc1806fd7f17722fc26f64fce','ed51e848e8b246964e4263eae5a5d9d59b7aeb470b21e249333767a29d154b47');
CREATE TABLE breaker (
  worker_id text not null references worker (id),
  model_key text not null,
  state text not null check (state in ('closed','open','half_open')),
  trips integer not null check (trips > 0),
  retry_at integer,
  reason text not null,
  primary key (worker_id, model_key),
  check ((retry_at is not null) = (state = 'open'))
) strict, without rowid;
CREATE TABLE community_pin (
  source text not null,
  item_id text not null,
  digest text not null,
  url text not null,
  pinned_at integer not null,
  primary key (source, item_id)
) strict, without rowid;
CREATE TABLE consent (
  id text primary key,
  worker_id text not null references worker (id),
  granted_at integer not null,
  withdrawn_at integer
) strict;
INSERT INTO "consent" VALUES('617dd5c99a9b7fb1','local',1795965035124,NULL);
CREATE TABLE dub (
  seq integer primary key,
  id text not null unique check (length(id) between 1 and 64),
  filename text not null,
  input_type text not null check (input_type in ('video', 'audio')),
  -- The uploaded file.
  source_digest text not null check (length(source_digest) = 64),
  -- JSON, what the file contains; null before it was read.
  probe text check (json_valid(probe)),
  -- Null until the sound is extracted; the history lists the dub from then on.
  duration_us integer check (duration_us >= 0),
  -- Names of files: sound at 48 kHz, speech at 16 kHz, isolated voice, still picture. Null while there is none.
  sound_digest text,
  speech_digest text,
  vocals_digest text,
  thumb_digest text,
  -- Two letters; empty before the transcription.
  source_lang text not null default '',
  full_transcript text not null default '',
  -- Of the last generation, as its request named it; empty before it.
  language text not null default '',
  language_code text not null default '',
  options text not null default '{}' check (json_valid(options)),
  aborted integer not null default 0 check (aborted in (0, 1)),
  created_at integer not null,
  check ((duration_us is null) = (sound_digest is null)),
  check ((sound_digest is null) = (speech_digest is null))
) strict;
INSERT INTO "dub" VALUES(1,'five','film.mp4','video','dbb9f2cc786a0dbd8a3d173aa5b065f73de937906ee44413f352742f27619e6f','{"kind":"video","container":"mov,mp4,m4a,3gp,3g2,mj2","durationUs":4000000,"lengthUs":4000000,"video":{"stream":0,"position":0,"codec":"mpeg4","pixelFormat":"yuv420p","width":160,"height":90,"rotation":0,"frameRate":{"numerator":10,"denominator":1},"isVariable":false,"hdr":null,"isDolbyVision":false,"bitDepth":8,"colour":{"space":null,"transfer":null,"primaries":null},"startUs":0,"durationUs":4000000},"audio":[{"stream":1,"position":0,"codec":"aac","channels":1,"layout":"mono","sampleRate":44100,"language":null,"title":null,"isDefault":true,"leadUs":0,"durationUs":4000000}],"defaultAudio":0,"cover":null,"chapters":[],"title":null,"startUs":0}',4017063,'1978205ca44d3cf24b2278fd1ef7cd443bc167eef448c2098771453ce8978b69','db46050aa5c565d8c27d1d1466799bde3f305558e5323a4aafff0c9fc67e76cc',NULL,'f0db92843fa9b7807bd809127b1abb02cf491ccfd8044c4838ff98e455acf39a','','','','','{"timing_strategy":null,"seg_order":[],"seg_hashes":{},"seg_num_step":{},"speaker_clones":{},"cast_sources":{},"segment_clones":{},"clone_files":{},"cast_presets":{},"per_segment_refs":null,"scene_cuts":[],"last_export_warning":null}',0,1795965054349);
CREATE TABLE dub_batch (
  seq integer primary key,
  id text not null unique check (length(id) between 1 and 64),
  filename text not null,
  -- SHA-256 of the uploaded file.
  source_digest text not null check (length(source_digest) = 64),
  -- JSON array of language tags.
  langs text not null check (json_valid(langs)),
  -- Null: the voices of the speakers.
  voice_id text,
  preserve_bg integer not null check (preserve_bg in (0, 1)),
  created_at integer not null,
  started_at integer,
  -- How the job ended; null before, when the job has the state.
  status text check (status in ('done', 'failed', 'cancelled')),
  finished_at integer,
  error text,
  -- JSON: the name of the finished file in dub_store by language.
  outputs text not null default '{}' check (json_valid(outputs)),
  -- JSON array of sentences.
  warnings text not null default '[]' check (json_valid(warnings)),
  check ((status is null) = (finished_at is null))
) strict;
CREATE TABLE dub_caption (
  dub_id text not null references dub (id) on delete cascade,
  language text not null check (length(language) between 1 and 100),
  -- JSON array of objects: start_us, end_us, text.
  cues text not null check (json_valid(cues)),
  primary key (dub_id, language)
) strict;
CREATE TABLE dub_file (
  digest text primary key check (length(digest) = 64),
  kind text not null,
  -- 0 for results that have no file: all of them is in `detail`.
  bytes integer not null check (bytes >= 0),
  detail text not null check (json_valid(detail)),
  -- The run that made it.
  maker text not null,
  used_at integer not null
) strict, without rowid;
INSERT INTO "dub_file" VALUES('1978205ca44d3cf24b2278fd1ef7cd443bc167eef448c2098771453ce8978b69','sound',771443,'{"durationUs":4017063,"decodedUs":4017063,"pictureUs":4000000}','1386ecee5d77240b',1795965055996);
INSERT INTO "dub_file" VALUES('c86614f6f43440ebf7c4db757e4d5bc1e9923a8e5d97592884861acaa6e48c61','scenes',0,'{"cuts":[]}','1386ecee5d77240b',1795965056910);
INSERT INTO "dub_file" VALUES('db46050aa5c565d8c27d1d1466799bde3f305558e5323a4aafff0c9fc67e76cc','speech',128712,'{"durationUs":4017063,"decodedUs":4017063,"pictureUs":4000000}','1386ecee5d77240b',1795965055994);
INSERT INTO "dub_file" VALUES('dbb9f2cc786a0dbd8a3d173aa5b065f73de937906ee44413f352742f27619e6f','source',86330,'{}','1386ecee5d77240b',1795965054348);
INSERT INTO "dub_file" VALUES('f0db92843fa9b7807bd809127b1abb02cf491ccfd8044c4838ff98e455acf39a','thumb',14902,'{}','1386ecee5d77240b',1795965056610);
CREATE TABLE dub_segment (
  dub_id text not null references dub (id) on delete cascade,
  id text not null check (length(id) between 1 and 64),
  position integer not null check (position >= 0),
  start_us integer not null check (start_us >= 0),
  end_us integer not null,
  text text not null,
  text_original text not null,
  speaker_id text not null default '',
  profile_id text not null default '',
  qc text check (json_valid(qc)),
  primary key (dub_id, id),
  check (end_us >= start_us)
) strict, without rowid;
CREATE TABLE dub_take (
  dub_id text not null references dub (id) on delete cascade,
  language text not null,
  segment_id text not null,
  take_no integer not null check (take_no >= 0),
  key text not null,
  digest text not null check (length(digest) = 64),
  natural_us integer not null check (natural_us >= 0),
  sample_rate integer not null check (sample_rate between 4000 and 384000),
  created_at integer not null,
  primary key (dub_id, language, segment_id, take_no)
) strict, without rowid;
CREATE TABLE dub_text (
  dub_id text not null references dub (id) on delete cascade,
  language text not null,
  segment_key text not null,
  text text not null,
  primary key (dub_id, language, segment_key)
) strict, without rowid;
CREATE TABLE dub_track (
  dub_id text not null references dub (id) on delete cascade,
  language_code text not null,
  -- As the request named it, such as Spanish.
  language text not null,
  digest text not null check (length(digest) = 64),
  duration_us integer not null check (duration_us >= 0),
  timing_strategy text not null check (timing_strategy in ('concise', 'stretch_video', 'strict_slot', 'smart_fit')),
  plan text not null check (json_valid(plan)),
  fit_fp text,
  -- JSON array: the keys of its takes, in the order of the lines.
  take_keys text not null check (json_valid(take_keys)),
  created_at integer not null, plan_file text check (length(plan_file) = 64),
  primary key (dub_id, language_code)
) strict, without rowid;
CREATE TABLE dub_use (
  dub_id text not null references dub (id) on delete cascade,
  digest text not null references dub_file (digest) on delete cascade,
  primary key (dub_id, digest)
) strict, without rowid;
INSERT INTO "dub_use" VALUES('five','1978205ca44d3cf24b2278fd1ef7cd443bc167eef448c2098771453ce8978b69');
INSERT INTO "dub_use" VALUES('five','c86614f6f43440ebf7c4db757e4d5bc1e9923a8e5d97592884861acaa6e48c61');
INSERT INTO "dub_use" VALUES('five','db46050aa5c565d8c27d1d1466799bde3f305558e5323a4aafff0c9fc67e76cc');
INSERT INTO "dub_use" VALUES('five','dbb9f2cc786a0dbd8a3d173aa5b065f73de937906ee44413f352742f27619e6f');
INSERT INTO "dub_use" VALUES('five','f0db92843fa9b7807bd809127b1abb02cf491ccfd8044c4838ff98e455acf39a');
CREATE TABLE export_history (
  seq integer primary key,
  id text not null unique,
  filename text not null,
  destination_path text not null,
  mode text not null,
  created_at real not null
) strict;
CREATE TABLE gallery_clip (
  seq integer primary key,
  id text not null unique,
  name text not null,
  character text not null,
  category text not null,
  description text not null,
  source_type text not null check (source_type in ('upload', 'youtube')),
  source_url text,
  -- The canonical recording (mono, 24 kHz, 16 bit), and the file as it arrived.
  audio_digest text not null,
  audio_bytes integer not null,
  original_digest text not null,
  original_bytes integer not null,
  original_name text not null,
  -- The media type of the original by its bytes; null if clients cannot be expected to play it.
  original_type text,
  -- Seconds.
  duration real not null,
  thumbnail text,
  -- JSON list of texts.
  tags text not null,
  is_favorite integer not null default 0 check (is_favorite in (0, 1)),
  -- 1: only the agent of this machine receives the recording.
  stays_here integer not null check (stays_here in (0, 1)),
  -- Name, character and description in lower case, for searches.
  words text not null,
  created_at integer not null
) strict;
CREATE TABLE generation_history (
  id text primary key,
  seq integer not null unique,
  text text not null,
  mode text not null,
  language text not null,
  instruct text not null,
  profile_id text not null,
  audio_path text not null,
  duration_seconds real not null,
  generation_time real not null,
  seed integer not null,
  starred integer not null default 0 check (starred in (0, 1)),
  created_at real not null
, engine text not null default '', voice text not null default '', notice text not null default '', chunks text not null default '', routing text not null default ''
  check (routing in ('', 'stand_in', 'cpu_fallback', 'notice', 'remote_failed'))) strict;
INSERT INTO "generation_history" VALUES('e55795c9',1,'A take of version five','design','Auto','','','e55795c9.wav',1.65,0.33,1722757192,0,1795965053.972,'svc-engine','','Using the basic voice (Flite), because the model of the Voice Studio engine is not installed.','{"taskId":"01a227dbeacdf2ba","sampleRate":16000,"leadMs":0,"crossfade":0,"parts":[{"text":"A take of version five","samples":26400}]}','stand_in');
CREATE TABLE glossary_terms (
  seq integer primary key,
  id text not null unique,
  project_id text not null,
  source text not null,
  target text not null,
  note text not null,
  -- 1 if a language model proposed it and the owner has not changed it.
  auto integer not null check (auto in (0, 1)),
  created_at real not null
) strict;
INSERT INTO "glossary_terms" VALUES(1,'cccb2bb03aa3','five','tone','Ton','',0,1795965069.182);
CREATE TABLE job (
  seq integer primary key,
  id text not null unique,
  type text not null,
  project_id text,
  params text not null,
  meta text not null,
  status text not null check (status in ('pending','running','done','failed','cancelled')),
  cancel_wanted integer not null default 0 check (cancel_wanted in (0, 1)),
  resumes integer not null default 0 check (resumes between 0 and 2),
  interrupted integer not null default 0 check (interrupted in (0, 1)),
  error_code text,
  error text,
  last_seq integer not null default 0,
  step_name text,
  step_ordinal integer,
  step_total integer,
  created_at integer not null,
  updated_at integer not null,
  finished_at integer,
  check ((finished_at is not null) = (status in ('done','failed','cancelled'))),
  check ((error is not null) = (status = 'failed')),
  check ((error_code is not null) = (error is not null)),
  check (interrupted = 0 or status = 'failed'),
  check (cancel_wanted = 0 or status in ('running','cancelled'))
) strict;
INSERT INTO "job" VALUES(1,'prep_five','dub_upload',NULL,'{"dub":"five","filename":"film.mp4","inputType":"video","run":"1386ecee5d77240b","source":"dbb9f2cc786a0dbd8a3d173aa5b065f73de937906ee44413f352742f27619e6f"}','{"dub":"five","filename":"film.mp4"}','done',0,0,0,NULL,NULL,8,'scenes',7,7,1795965054351,1795965056953,1795965056953);
INSERT INTO "job" VALUES(2,'f6e78f81ff837430','audiobook',NULL,'{"keepRunning":false,"manifest":"589f1c1846c5454283f700396f8f8ad53bb3d2ce6a00a149ae43afe6642c1439"}','{"chapters":1,"title":"One","output":"audiobook_f6e78f81ff837430.m4b","duration_s":2.496}','done',0,0,0,NULL,NULL,5,'render',1,1,1795965069297,1795965072136,1795965072136);
CREATE TABLE job_event (
  job_id text not null references job (id) on delete cascade,
  seq integer not null,
  created_at integer not null,
  kind text not null check (kind in ('event','progress','terminal')),
  payload text not null,
  primary key (job_id, seq)
) strict, without rowid;
INSERT INTO "job_event" VALUES('f6e78f81ff837430',1,1795965069492,'event','{"type":"started","job_id":"f6e78f81ff837430","chapters":1}');
INSERT INTO "job_event" VALUES('f6e78f81ff837430',2,1795965070359,'event','{"type":"routing_notice","status":"notice","reason":"Using the basic voice (Flite), because the model of the Voice Studio engine is not installed."}');
INSERT INTO "job_event" VALUES('f6e78f81ff837430',3,1795965071398,'event','{"index":0,"total":1,"title":"One","type":"chapter","duration_s":2.496,"cached":false,"segments":1,"cached_segments":0}');
INSERT INTO "job_event" VALUES('f6e78f81ff837430',4,1795965071418,'event','{"type":"assembling"}');
INSERT INTO "job_event" VALUES('f6e78f81ff837430',5,1795965072137,'terminal','{"type":"done","output":"audiobook_f6e78f81ff837430.m4b","chapters":1,"duration_s":2.496,"cached_chapters":0,"failed_chapters":[]}');
INSERT INTO "job_event" VALUES('prep_five',1,1795965054664,'event','data: {"type":"extract_start"}

');
INSERT INTO "job_event" VALUES('prep_five',2,1795965056008,'event','data: {"type":"extract_done","job_id":"five","duration":4.017063,"filename":"film.mp4"}

');
INSERT INTO "job_event" VALUES('prep_five',3,1795965056023,'event','data: {"type":"demucs_start"}

');
INSERT INTO "job_event" VALUES('prep_five',4,1795965056147,'event','data: {"type":"warning","reason":"No separation model is installed, so the dub is mixed with the whole original sound turned down. Install htdemucs or mdx-net for a clean background.","error":"No separation model is installed, so the dub is mixed with the whole original sound turned down. Install htdemucs or mdx-net for a clean background.","error_class":"MODEL_NOT_DOWNLOADED","stage":"demucs","hint":"The model is not installed. Download it on that machine.","docs_topic":null,"docs_url":null,"detail":"No separation model is installed, so the dub is mixed with the whole original sound turned down. Install htdemucs or mdx-net for a clean background."}

');
INSERT INTO "job_event" VALUES('prep_five',5,1795965056193,'event','data: {"type":"demucs_done","has_bg":false}

');
INSERT INTO "job_event" VALUES('prep_five',6,1795965056620,'event','data: {"type":"scene_start"}

');
INSERT INTO "job_event" VALUES('prep_five',7,1795965056932,'event','data: {"type":"scene_done","count":0}

');
INSERT INTO "job_event" VALUES('prep_five',8,1795965056954,'terminal','data: {"type":"ready","job_id":"five","duration":4.017063,"filename":"film.mp4"}

');
CREATE TABLE job_step (
  job_id text not null references job (id) on delete cascade,
  name text not null,
  ordinal integer not null,
  state text not null check (state in ('waiting','running','done','failed','skipped')),
  key text not null,
  task_id text,
  result_key text,
  failure_code text,
  failure text,
  primary key (job_id, name),
  check ((result_key is not null) = (state in ('done','skipped'))),
  check ((failure_code is not null) = (state = 'failed'))
) strict, without rowid;
INSERT INTO "job_step" VALUES('f6e78f81ff837430','render',1,'done','29a5a751d6a98712cd85925dc16c7a4f4f506732795d64b892375d75c1449b19',NULL,'29a5a751d6a98712cd85925dc16c7a4f4f506732795d64b892375d75c1449b19',NULL,NULL);
INSERT INTO "job_step" VALUES('prep_five','extract',2,'done','b9e6be44b2087cf3a8827f010561d17dfd8cb33faff3b748b4ba467668b4b557',NULL,'b9e6be44b2087cf3a8827f010561d17dfd8cb33faff3b748b4ba467668b4b557',NULL,NULL);
INSERT INTO "job_step" VALUES('prep_five','known',3,'done','f5c49dc08b218e2afe8826aa278b15290ea8b71bbba91e882af1799a84b0fb3b',NULL,'f5c49dc08b218e2afe8826aa278b15290ea8b71bbba91e882af1799a84b0fb3b',NULL,NULL);
INSERT INTO "job_step" VALUES('prep_five','probe',1,'done','043cfb20bb4a67058e8ee2931a00a1d026cd1ae2dcda593d2d6081dc0dd74449',NULL,'043cfb20bb4a67058e8ee2931a00a1d026cd1ae2dcda593d2d6081dc0dd74449',NULL,NULL);
INSERT INTO "job_step" VALUES('prep_five','scene',6,'done','747459474c40ab9ad9285f675b215fa35983e16085cc039cc9bdc079005ded0e',NULL,'747459474c40ab9ad9285f675b215fa35983e16085cc039cc9bdc079005ded0e',NULL,NULL);
INSERT INTO "job_step" VALUES('prep_five','scenes',7,'done','eef6b445d4a9d301d1ed15ce04034950ef0d8086dc60e769367e0b03784d7ae2',NULL,'eef6b445d4a9d301d1ed15ce04034950ef0d8086dc60e769367e0b03784d7ae2',NULL,NULL);
INSERT INTO "job_step" VALUES('prep_five','separated',4,'done','d015e3eed3c7184e4007aabea8c177c066e302b1b21e5d0ce6818654136dd435',NULL,'d015e3eed3c7184e4007aabea8c177c066e302b1b21e5d0ce6818654136dd435',NULL,NULL);
INSERT INTO "job_step" VALUES('prep_five','thumb',5,'done','11b09489a9d21f43f0b0712334cfb2867a1ea48a20a7efe7f9205fd95507a8bf',NULL,'11b09489a9d21f43f0b0712334cfb2867a1ea48a20a7efe7f9205fd95507a8bf',NULL,NULL);
CREATE TABLE join_token (
  id text primary key,
  secret_digest text not null,
  label text not null,
  endpoint text not null,
  worker_id text,
  created_at integer not null,
  expires_at integer not null,
  used_at integer,
  used_by text references worker (id)
) strict;
INSERT INTO "join_token" VALUES('0995962a9aa23976','86c49e156a9e5ca6f7ccf139f9ed540aa4757da64b4566c627955342a505cf24','Local','','local',1795965034684,1795965094684,1795965035122,'local');
CREATE TABLE longform_book (
  job_id text primary key,
  kind text not null check (kind in ('audiobook', 'story')),
  title text not null,
  -- SHA-256 of the manifest in the artifact folder.
  manifest text not null,
  total_chapters integer not null,
  chapters_done integer not null default 0,
  cached_chapters integer not null default 0,
  -- JSON array of the numbers of failed chapters.
  failed_chapters text not null default '[]',
  output text,
  duration_s real,
  created_at integer not null,
  finished_at integer
) strict;
INSERT INTO "longform_book" VALUES('f6e78f81ff837430','audiobook','One','589f1c1846c5454283f700396f8f8ad53bb3d2ce6a00a149ae43afe6642c1439',1,1,0,'[]','audiobook_f6e78f81ff837430.m4b',2.496,1795965069287,1795965072093);
CREATE TABLE longform_pin (
  job_id text not null references longform_book (job_id) on delete cascade,
  key text not null,
  primary key (job_id, key)
) strict, without rowid;
CREATE TABLE longform_segment (
  key text primary key,
  bytes integer not null,
  sample_rate integer not null,
  samples integer not null,
  -- 1 if the sound was implausible after a second attempt.
  doubtful integer not null check (doubtful in (0, 1)),
  used_at integer not null
, recording text) strict, without rowid;
INSERT INTO "longform_segment" VALUES('9d37763f033a4fc62663314bf8e862c7d1b44d2760fbd6c0f72fdd91c07e35f2',37808,16000,18880,0,1795965071388,NULL);
INSERT INTO "longform_segment" VALUES('f11c9aab7b8b3f124694e95c02529436d45e07b90e48835718db59a476799b53',302768,16000,151360,0,1795965070348,NULL);
CREATE TABLE mcp_client_bindings (
  client_id text primary key,
  label text,
  profile_id text,
  default_engine text,
  last_seen_at real,
  created_at real not null
) strict;
CREATE TABLE preview (
  -- Over everything that changes the sound.
  key text primary key,
  -- The part of the key that belongs to the archetype.
  recipe text not null,
  digest text not null,
  bytes integer not null,
  used_at integer not null
) strict;
CREATE TABLE preview_check (
  id integer primary key check (id = 1),
  checked_at integer not null,
  error text,
  engine text,
  engine_version text,
  -- As in the manifest: ISO 8601 in UTC.
  generated_at text
) strict;
CREATE TABLE preview_download (
  archetype_id text primary key,
  recipe text not null,
  digest text not null,
  bytes integer not null
) strict;
CREATE TABLE pronunciation (
  seq integer primary key,
  id text not null unique,
  term text not null,
  replacement text not null,
  type text not null check (type in ('respelling', 'ipa', 'cmu')),
  -- ISO 639-1, or * for every language.
  language text not null,
  enabled integer not null check (enabled in (0, 1)),
  created_at real not null
) strict;
INSERT INTO "pronunciation" VALUES(1,'e42810f325c6','SQLite','ess queue light','respelling','en',1,1795965054.162);
CREATE TABLE setting (key text primary key, value text not null) strict;
INSERT INTO "setting" VALUES('audit_head','5:ed51e848e8b246964e4263eae5a5d9d59b7aeb470b21e249333767a29d154b47');
INSERT INTO "setting" VALUES('history.retention','77');
CREATE TABLE step_result (
  key text primary key,
  kind text not null,
  json text not null,
  digest text,
  bytes integer not null default 0,
  cost_ms integer not null,
  used_at integer not null
) strict, without rowid;
INSERT INTO "step_result" VALUES('043cfb20bb4a67058e8ee2931a00a1d026cd1ae2dcda593d2d6081dc0dd74449','dub.prep.probe','null',NULL,0,285,1795965054664);
INSERT INTO "step_result" VALUES('11b09489a9d21f43f0b0712334cfb2867a1ea48a20a7efe7f9205fd95507a8bf','dub.prep.thumb','null',NULL,0,353,1795965056616);
INSERT INTO "step_result" VALUES('29a5a751d6a98712cd85925dc16c7a4f4f506732795d64b892375d75c1449b19','book','{"type":"done","output":"audiobook_f6e78f81ff837430.m4b","chapters":1,"duration_s":2.496,"cached_chapters":0,"failed_chapters":[]}',NULL,0,2649,1795965072105);
INSERT INTO "step_result" VALUES('747459474c40ab9ad9285f675b215fa35983e16085cc039cc9bdc079005ded0e','dub.prep.scene','null',NULL,0,0,1795965056620);
INSERT INTO "step_result" VALUES('b9e6be44b2087cf3a8827f010561d17dfd8cb33faff3b748b4ba467668b4b557','dub.prep.extract','{"job_id":"five","duration":4.017063,"filename":"film.mp4"}',NULL,0,1327,1795965056008);
INSERT INTO "step_result" VALUES('d015e3eed3c7184e4007aabea8c177c066e302b1b21e5d0ce6818654136dd435','dub.prep.separated','{"has_bg":false}',NULL,0,47,1795965056193);
INSERT INTO "step_result" VALUES('eef6b445d4a9d301d1ed15ce04034950ef0d8086dc60e769367e0b03784d7ae2','dub.prep.scenes','{"count":0}',NULL,0,309,1795965056932);
INSERT INTO "step_result" VALUES('f5c49dc08b218e2afe8826aa278b15290ea8b71bbba91e882af1799a84b0fb3b','dub.prep.known','{"cached":false,"has_bg":false,"scene_count":0,"parts":0}',NULL,0,1,1795965056023);
CREATE TABLE studio_projects (
  id text primary key,
  name text not null,
  video_path text,
  audio_path text,
  duration real,
  created_at real not null,
  updated_at real not null,
  state_json text not null
) strict;
INSERT INTO "studio_projects" VALUES('ee04b242','Five',NULL,NULL,NULL,1795965068.994,1795965068.994,'{"text":"x"}');
INSERT INTO "studio_projects" VALUES('766ac46e','Five',NULL,NULL,NULL,1795965069.059,1795965069.059,'{"text":"x"}');
CREATE TABLE task (
  seq integer primary key,
  id text not null unique,
  idempotency_key text,
  body_digest text not null,
  operation text not null,
  engine text not null,
  model text not null,
  params text not null,
  priority integer not null check (priority in (0, 1)),
  size integer not null,
  ephemeral integer not null check (ephemeral in (0, 1)),
  phase text not null,
  epoch integer not null,
  attempt integer not null check (attempt between 0 and max_attempts),
  max_attempts integer not null check (max_attempts > 0),
  worker_id text,
  attempt_id text,
  target text not null,
  excluded text not null,
  avoided text not null,
  interrupted text check (interrupted = 'offered' or interrupted = 'loading' or interrupted = 'running' or interrupted = 'delivering'),
  stopping text check (stopping in ('cancel','deadline')),
  failure_code text,
  failure_message text,
  deadline_at integer not null,
  created_at integer not null,
  updated_at integer not null,
  finished_at integer,
  result text,
  result_bytes blob,
  result_digest text,
  result_size integer,
  inputs text not null default '[]',
  model_digest text not null default '',
  check (case
    when finished_at is not null then phase = 'succeeded' or phase = 'failed' or phase = 'timed_out' or phase = 'cancelled'
    when worker_id is not null then phase = 'offered' or phase = 'loading' or phase = 'running' or phase = 'delivering' or phase = 'unknown' or phase = 'cancelling'
    else phase = 'queued' end),
  check (finished_at is null or worker_id is null),
  check ((attempt_id is not null) = (worker_id is not null)),
  check ((interrupted is not null) = (phase = 'unknown')),
  check ((result_digest is not null) = (phase = 'succeeded')),
  check (failure_code is not null or (phase <> 'failed' and phase <> 'timed_out'))
) strict;
INSERT INTO "task" VALUES(1,'01a227dbb452f2b9',NULL,'','tts','svc-engine','','{"speed":1,"description":null,"duration":null,"num_step":null,"guidance_scale":null,"denoise":true,"preprocess_prompt":true,"chunk_duration":null,"chunk_threshold":null,"voice":null,"instruct":null,"language":null,"ref_text":null,"segments":[{"text":"A sentence of version five.","seed":null,"pause_after_ms":0}]}',0,27,1,'succeeded',1,1,3,NULL,NULL,'local','[]','[]',NULL,NULL,NULL,NULL,1795972239697,1795965039698,1795965042298,1795965042297,'{"sample_rate":16000,"parts":[{"samples":33520}],"voice":"slt","notices":[]}',NULL,'e19a028f2995442267d7d1da9c49640f0e1af07414f34308ae0f71f2000563b2',67040,'[]','');
INSERT INTO "task" VALUES(2,'01a227dbeacdf2ba',NULL,'','tts','svc-engine','','{"duration":null,"num_step":null,"guidance_scale":2,"speed":1,"t_shift":null,"denoise":true,"postprocess_output":true,"layer_penalty_factor":null,"position_temperature":null,"class_temperature":null,"voice":null,"instruct":null,"language":null,"ref_text":null,"segments":[{"text":"A take of version five","seed":1722757192,"pause_after_ms":0}]}',0,22,0,'succeeded',1,1,3,NULL,NULL,'local','[]','[]',NULL,NULL,NULL,NULL,1795972253645,1795965053645,1795965053898,1795965053898,'{"sample_rate":16000,"parts":[{"samples":26400}],"voice":"slt","notices":[]}',NULL,'25c2ad60d4722a889cc89878982404e73239c93a786914dffda8364de45b7e5e',52800,'[]','');
INSERT INTO "task" VALUES(3,'01a227dc28c0f2bb',NULL,'','tts','svc-engine','','{"voice":null,"instruct":null,"ref_text":null,"language":null,"speed":1,"segments":[{"text":"The road follows the river, past the mill and over the old bridge. In the evening the lamps of the town shine on the water, and people walk home without any hurry.","seed":0}]}',1,163,1,'succeeded',1,1,3,NULL,NULL,'local','[]','[]',NULL,NULL,NULL,NULL,1795972269504,1795965069504,1795965070276,1795965070275,'{"sample_rate":16000,"parts":[{"samples":151360}],"voice":"slt","notices":[]}',NULL,'2f5535a5aa8b13ca02dd232b2645d84b8abf3c67ee2be8451d37c04906d79275',302720,'[]','f975276f4f2a6de78613f197533aac2167d181b77020866d142d594bcc2a0e80');
INSERT INTO "task" VALUES(4,'01a227dc2c2bf2bc',NULL,'','tts','svc-engine','','{"voice":null,"instruct":null,"ref_text":null,"language":null,"speed":1,"segments":[{"text":"It was a day.","seed":1576445719}]}',1,13,1,'succeeded',1,1,3,NULL,NULL,'local','[]','[]',NULL,NULL,NULL,NULL,1795972270379,1795965070379,1795965070544,1795965070543,'{"sample_rate":16000,"parts":[{"samples":18880}],"voice":"slt","notices":[]}',NULL,'df6b08489c0cd781246ed1cf4d006e56829431210ac795fc06c5885cc026007e',37760,'[]','f975276f4f2a6de78613f197533aac2167d181b77020866d142d594bcc2a0e80');
CREATE TABLE task_event_batch (
  seq integer primary key,
  at integer not null,
  -- JSON list of lists: task_id, epoch, kind, phase, worker_id, code
  events text not null
) strict;
INSERT INTO "task_event_batch" VALUES(1,1795965039706,'[["01a227dbb452f2b9",0,"submit","queued",null,null],["01a227dbb452f2b9",1,"offer","offered","local",null]]');
INSERT INTO "task_event_batch" VALUES(2,1795965039857,'[["01a227dbb452f2b9",1,"accept","loading","local",null]]');
INSERT INTO "task_event_batch" VALUES(3,1795965041411,'[["01a227dbb452f2b9",1,"start","running","local",null]]');
INSERT INTO "task_event_batch" VALUES(4,1795965042298,'[["01a227dbb452f2b9",1,"complete","succeeded","local",null]]');
INSERT INTO "task_event_batch" VALUES(5,1795965053646,'[["01a227dbeacdf2ba",0,"submit","queued",null,null],["01a227dbeacdf2ba",1,"offer","offered","local",null]]');
INSERT INTO "task_event_batch" VALUES(6,1795965053656,'[["01a227dbeacdf2ba",1,"accept","loading","local",null]]');
INSERT INTO "task_event_batch" VALUES(7,1795965053680,'[["01a227dbeacdf2ba",1,"start","running","local",null]]');
INSERT INTO "task_event_batch" VALUES(8,1795965053893,'[["01a227dbeacdf2ba",1,"deliver","delivering","local",null]]');
INSERT INTO "task_event_batch" VALUES(9,1795965053898,'[["01a227dbeacdf2ba",1,"complete","succeeded","local",null]]');
INSERT INTO "task_event_batch" VALUES(10,1795965069525,'[["01a227dc28c0f2bb",0,"submit","queued",null,null],["01a227dc28c0f2bb",1,"offer","offered","local",null]]');
INSERT INTO "task_event_batch" VALUES(11,1795965069602,'[["01a227dc28c0f2bb",1,"accept","loading","local",null],["01a227dc28c0f2bb",1,"start","running","local",null]]');
INSERT INTO "task_event_batch" VALUES(12,1795965070276,'[["01a227dc28c0f2bb",1,"complete","succeeded","local",null]]');
INSERT INTO "task_event_batch" VALUES(13,1795965070380,'[["01a227dc2c2bf2bc",0,"submit","queued",null,null],["01a227dc2c2bf2bc",1,"offer","offered","local",null]]');
INSERT INTO "task_event_batch" VALUES(14,1795965070405,'[["01a227dc2c2bf2bc",1,"accept","loading","local",null],["01a227dc2c2bf2bc",1,"start","running","local",null]]');
INSERT INTO "task_event_batch" VALUES(15,1795965070544,'[["01a227dc2c2bf2bc",1,"complete","succeeded","local",null]]');
CREATE TABLE translation_answer (
  key text primary key,
  text text not null,
  -- Epoch ms.
  stored_at integer not null
) strict, without rowid;
CREATE TABLE voice_profile (
  seq integer primary key,
  id text not null unique,
  name text not null,
  kind text not null check (kind in ('clone', 'design')),
  language text not null,
  instruct text not null,
  ref_text text not null,
  personality text not null,
  description text not null,
  -- JSON object of the six design categories; null for a clone without them.
  vd_states text,
  seed integer,
  -- The canonical recording (mono, 24 kHz, 16 bit), its size, and the name of the uploaded file.
  ref_digest text,
  ref_bytes integer not null default 0,
  ref_name text not null default '',
  -- The file as it was uploaded.
  original_digest text,
  original_bytes integer not null default 0,
  -- The locked take as a canonical recording, its exact words (null if they are unknown), its size, and whether it was cut from the output
  -- of the engine, from the mastered file of the history, or came with the voice. All null while unlocked.
  locked_digest text,
  locked_text text,
  locked_bytes integer,
  locked_source text check (locked_source in ('engine', 'take', 'given')),
  image_digest text,
  -- Set once: own, gallery:ID, archetype:ID, community:REPO:ID, bundle:DIGEST.
  origin text not null,
  origin_url text not null default '',
  -- 1: only the agent of this machine receives the recording.
  stays_here integer not null default 0 check (stays_here in (0, 1)),
  quality text not null default '{}',
  -- JSON: engine, model digest, seed and steps of a rendered sample; null for a recording.
  made_with text,
  hosted_voice_id text not null default '',
  created_at integer not null,
  updated_at integer not null,
  check ((locked_bytes is not null) = (locked_digest is not null)),
  check ((locked_source is not null) = (locked_digest is not null)),
  check (locked_text is null or locked_digest is not null)
) strict;
INSERT INTO "voice_profile" VALUES(1,'82afda89','Ada','clone','Auto','','A tone.','','',NULL,NULL,'fe64bc6f476cf6b2c2c71637e5a2f3c9e53bf89563b5760689c4a435ba7f2953',288044,'clip.wav','b427dcaf55fd1c17b4ef268949632abc973478523dfb2d5f4634bc6674c2ef08',529278,NULL,NULL,NULL,NULL,NULL,'own','',0,'{"seconds":6,"speech_share":1,"clipped_share":0,"level_db":-21.1,"noise_db":-21.1,"warnings":["The recording has background noise or no pauses. A quiet room gives a clearer voice.","The recording starts inside a word.","The recording ends inside a word, which engines may continue."]}',NULL,'',1795965068961,1795965068961);
CREATE TABLE voice_statement (
  id integer primary key,
  profile_id text not null,
  text text not null,
  audio_digest text not null,
  audio_bytes integer not null,
  -- Name of the uploaded file.
  audio_name text not null,
  -- The canonical recording of the profile to which the statement belongs; for a design the SHA-256 of its description.
  ref_digest text not null,
  method text not null check (method in ('recorded', 'imported', 'designed')),
  checks text not null default '{}',
  recorded_at integer not null,
  revoked_at integer
) strict;
CREATE TABLE voice_withdrawal (recording text primary key) strict, without rowid;
CREATE TABLE worker (
  id text primary key,
  name text not null,
  pin text not null unique,
  enabled integer not null default 1 check (enabled in (0, 1)),
  revoked_at integer,
  priority integer not null default 50 check (priority between 0 and 100),
  endpoint text not null default '',
  host text not null default '{}',
  capabilities text not null default '[]',
  generation integer not null default 0,
  created_at integer not null,
  last_seen_at integer
, renewal_nonce text not null default '', quarantine text, quarantined_at integer, resync integer not null default 0 check (resync in (0, 1)), issuer text not null default '', trusts text not null default '', followed integer not null default 0 check (followed in (0, 1))) strict;
INSERT INTO "worker" VALUES('local','Local','20955f533a4d6cb26b15642bfdd7e91f5ea097ea8972328ae27440e5b306e396',1,NULL,50,'','{"hostname":"vm","os":"linux","arch":"x64","worker_version":"0.5.0","cpu_count":2,"system_memory_bytes":25276510208,"gpus":[],"unusable_gpus":[]}','[]',0,1795965035122,1795965077330,'',NULL,NULL,0,'fdde5b5e0c5f5e7f7a7c1e8198c44349300fdb027e23ef10f653f4fd5ac84c51','fdde5b5e0c5f5e7f7a7c1e8198c44349300fdb027e23ef10f653f4fd5ac84c51',1);
CREATE UNIQUE INDEX task_key on task (idempotency_key) where idempotency_key is not null;
CREATE INDEX task_live on task (phase) where finished_at is null;
CREATE INDEX task_artifact on task (result_digest) where result_digest is not null and result_bytes is null;
CREATE UNIQUE INDEX attempt_committed on attempt (task_seq) where state = 'committed';
CREATE UNIQUE INDEX consent_live on consent (worker_id) where withdrawn_at is null;
CREATE TRIGGER offer_needs_consent before insert on attempt
when not exists (
  select 1 from worker w join consent c on c.worker_id = w.id and c.withdrawn_at is null
  where w.id = new.worker_id and w.revoked_at is null and w.enabled = 1)
begin
  select raise(abort, 'no live consent for this worker');
end;
CREATE TRIGGER audit_is_final before update on audit begin
  select raise(abort, 'the audit log is append-only');
end;
CREATE TRIGGER audit_is_kept before delete on audit begin
  select raise(abort, 'the audit log is append-only');
end;
CREATE TRIGGER audit_is_in_order before insert on audit
when new.seq is not (select coalesce(max(seq), 0) + 1 from audit)
begin
  select raise(abort, 'the audit log is append-only');
end;
CREATE INDEX task_failed on task (seq) where finished_at is not null and result_digest is null;
CREATE INDEX job_live on job (status) where status in ('pending','running');
CREATE INDEX job_step_result on job_step (result_key) where result_key is not null;
CREATE INDEX step_result_artifact on step_result (digest) where digest is not null;
CREATE INDEX studio_projects_newest on studio_projects (updated_at);
CREATE INDEX generation_history_starred on generation_history (seq) where starred = 1;
CREATE INDEX generation_history_file on generation_history (audio_path);
CREATE INDEX voice_profile_origin on voice_profile (origin);
CREATE INDEX voice_profile_ref on voice_profile (ref_digest);
CREATE INDEX voice_profile_original on voice_profile (original_digest);
CREATE INDEX voice_profile_locked on voice_profile (locked_digest);
CREATE INDEX voice_profile_image on voice_profile (image_digest);
CREATE UNIQUE INDEX voice_statement_live on voice_statement (profile_id) where revoked_at is null;
CREATE INDEX voice_statement_audio on voice_statement (audio_digest);
CREATE TRIGGER offer_stays_here before insert on attempt
when new.worker_id <> 'local' and exists (
  select 1 from task t, json_each(t.inputs) i where t.seq = new.task_seq and json_extract(i.value, '$.private') = 1)
begin
  select raise(abort, 'an input of this task stays on this machine');
end;
CREATE INDEX preview_recipe on preview (recipe);
CREATE INDEX preview_digest on preview (digest);
CREATE INDEX preview_used on preview (used_at);
CREATE INDEX preview_download_digest on preview_download (digest);
CREATE INDEX gallery_clip_category on gallery_clip (category, seq, words);
CREATE INDEX gallery_clip_words on gallery_clip (seq, words);
CREATE INDEX gallery_clip_audio on gallery_clip (audio_digest);
CREATE INDEX gallery_clip_original on gallery_clip (original_digest);
CREATE INDEX generation_history_profile on generation_history (profile_id, seq) where profile_id <> '';
CREATE INDEX longform_segment_by_use on longform_segment (used_at);
CREATE INDEX longform_book_by_manifest on longform_book (manifest);
CREATE INDEX longform_pin_by_key on longform_pin (key);
CREATE INDEX glossary_terms_by_project on glossary_terms (project_id, created_at, seq);
CREATE INDEX translation_answer_by_age on translation_answer (stored_at);
CREATE INDEX dub_by_source on dub (source_digest);
CREATE INDEX dub_segment_by_position on dub_segment (dub_id, position);
CREATE INDEX dub_take_by_key on dub_take (key);
CREATE INDEX dub_take_by_language on dub_take (language, created_at);
CREATE INDEX dub_file_by_use on dub_file (used_at);
CREATE INDEX dub_use_by_digest on dub_use (digest);
CREATE INDEX longform_segment_by_recording on longform_segment (recording) where recording is not null;
CREATE VIEW task_event as
  select batch.seq, event.key as place, batch.at, event.value ->> 0 as task_id, event.value ->> 1 as epoch, event.value ->> 2 as kind,
    event.value ->> 3 as phase, event.value ->> 4 as worker_id, event.value ->> 5 as code
  from task_event_batch batch, json_each(batch.events) event;
