// What the specification says about the routes of dubbing, glossaries and the batch (its section 4.7 and facts 07), and the test of each
// statement. conformance.test.ts holds the tests without a file here, and checks that every other one exists and that no route is without a
// statement. Where the studio decided otherwise, the statement says what it does.
import { by, type FactTable, here } from '#test/support/facts/statements.ts'
import {
  BATCH,
  BATCH_UNIT,
  CONTEXT,
  DOWNLOADS,
  EXPORT,
  GENERATE,
  INGEST,
  LINES,
  PREP,
  QC,
  REFUSALS,
  RULES,
  STATUS,
  STREAM,
  TRANSLATE,
} from './files.ts'

const SEEN = 'a film is prepared, listed, and read back with ranges'
const CACHED = 'the same bytes are cached, and files stay while another dub uses them'
const UNUSABLE = 'what cannot be dubbed ends with an error event, and leaves nothing behind'
const WRONG = 'wrong requests are refused'
const PAGE = 'a page becomes a dub with its subtitles, and its cookies are removed'
const HEARD = 'a film is transcribed, with times, speakers and reference clips'
const READ = 'lines are read from subtitles, imported and cleaned'
const SPOKEN = 'lines are spoken, fitted and assembled; unchanged ones are not spoken again'
const AT_ONCE = 'one line is spoken at once'
const SUBTITLES = 'subtitles have the times of the track, and a name in any script'
const FILMS = 'a film has its languages on the time line of the default one'
const SOUND = 'sound leaves as WAV and MP3, marked, and is saved where the owner allows it'
const ZIPS = 'lines and stems leave as zip files'
const CHECKED = 'a check is answered, stored with the lines, and made once for each line of a track'
const TERMS = 'the glossary of a project'
const REFUSED = 'a translator that cannot be used is refused with the way out, as a sentence in `error`'
const LOCAL = 'a translator of this machine translates without a network'
const MODEL = 'a language model translates, reviews, shortens and finds terms; its answers are only ever texts of their lines'
const WHOLE = 'a film is dubbed without edits, downloaded in parts, and deleted with its files'
const IMPOSSIBLE = 'what cannot work is refused at once, and a film without speech fails with the reason'
const QUEUE = 'one film is worked on at a time; it continues after a kill, and the next is cancelled or deleted'

const HISTORY = 'the history has the newest 30 dubs as rows with the whole dub as a text'
const ABSENT = 'what a dub does not have is 404, and its file answers HEAD'
const CODES = 'a wrong language code is 400 on every route, however long'
const UNAUTHORIZED = 'an unknown authorization is refused before anything is exported'
const SPEAKERS = 'a number of speakers that is not from 1 to 20 counts as none'
const BEGIN = 'a transcription that cannot begin is an event of the stream, and a status of the other route'
const GENERATED = 'a generation is a job of its own type; unknown fields do not stop it, unknown values do'
const EXTRACTED = 'a language model reads the first 12,000 characters, and its failure is status 502'
const EVENTS = 'each change of dubs is an event; deleting all of them has neither action nor id'

/** What a second path of the same route, with a name for the file, says. */
const named = (file: string, test: string) => by(file, test, 'as without a name')
const saved = [
  ...by(EXPORT, SOUND, '{saved, path, size, media_type, display_name}', 'folders are created', '403 for a used token'),
  ...here(UNAUTHORIZED, '403 for a bad token'),
]

/** By the method and path of the route. */
export const STATEMENTS: FactTable = {
  'POST /dub/parse-subtitle-text': [
    ...by(LINES, READ, '{segments of start, end, text, skipped_cues, dropped_overlaps}', '413 over 2,000,000 characters', '400 no cues'),
    ...by(
      'test/shared/subtitles/parse.test.ts',
      'line breaks of every system, a byte order mark, NULs and no final line break',
      'BOM',
      'CRLF',
    ),
    ...by(
      'test/shared/subtitles/parse.test.ts',
      'times in every usual form',
      'comma or dot milliseconds',
      'HH:MM:SS with 1 or 2 digits',
      'MM:SS as well, which the observed system does not read',
    ),
    ...by('test/shared/subtitles/parse.test.ts', 'an index that is missing, repeated, out of order or part of the text', 'missing indices'),
    ...by('test/shared/subtitles/parse.test.ts', 'overlaps move the start of the later cue, or drop it', 'overlaps'),
  ],
  'POST /dub/import-srt/{job_id}': [
    ...by(LINES, READ, '404', '400 empty', '400 no cues', '{segments, stats of four counts}', 'ids are integers', 'latin-1'),
    ...by(LINES, READ, 'cues beyond the duration dropped', 'ends clamped', 'speaker_id Speaker 1', 'text_original'),
    ...by('test/shared/subtitles/decode.test.ts', 'UTF-8 with and without a mark', 'UTF-8 with a mark'),
    ...here(EVENTS, 'replaces the lines', 'saved event', '422 without a file'),
  ],
  'POST /dub/cleanup-segments/{job_id}': [
    ...by(LINES, READ, '{segments, before, after}'),
    ...by(LINES, 'what cannot be transcribed is an error event before the last one', '404'),
    ...by(STREAM.rules, 'cleaning joins fragments of one speaker, and removes empty and repeated lines', 'merges'),
  ],
  'POST /dub/abort/{job_id}': [
    ...by(PREP, WRONG, '{aborted, had_active_procs}', 'idempotent 200, also for an unknown dub'),
    ...by(INGEST, 'an abort ends the program and removes the cookies', 'ends the running work', 'had_active_procs true'),
  ],
  'GET /dub/history': [
    ...here(HISTORY, 'bare array', 'newest 30', 'ten fields', 'tracks a JSON list of codes', 'job_data a JSON text', 'keys of job_data'),
    ...by(PREP, SEEN, 'content_hash', 'local paths in job_data'),
    ...by(
      'test/control-plane/areas/dubbing/store.test.ts',
      'a dub appears in the list with its sound, and its row is a view with job_data as text',
      'appears with its sound, before the separation',
    ),
    ...by(INGEST, PAGE, 'youtube_subs by language'),
    ...by(LINES, HEARD, 'segments', 'source_lang', 'full_transcript'),
  ],
  'DELETE /dub/history': here(EVENTS, '{cleared, count}', 'deletes the files', 'event without action'),
  'DELETE /dub/history/{history_id}': [
    ...by(PREP, CACHED, 'always 200', '{deleted, dir_kept_for}', 'files that another dub uses stay'),
    ...here(EVENTS, 'deleted event with id'),
  ],
  'POST /dub/upload': [
    ...by(PREP, SEEN, '202', '{job_id, task_id, filename}', 'id of 8 hex digits', 'task prep_<job_id>', 'job type dub_upload'),
    ...by(PREP, SEEN, 'events in order', 'extract_done{job_id, duration, filename}', 'demucs_done{has_bg}', 'scene_done{count}', 'ready'),
    ...by(PREP, SEEN, 'a failed separation is a warning with failure fields and stage demucs'),
    ...by(PREP, CACHED, 'id of the client', 'reusing an id overwrites', 'cached{has_bg, scene_count}', 'extract_done, cached, ready'),
    ...by(PREP, 'a recording has no picture and no cuts', 'audio has scene_done with count 0', 'no thumbnail'),
    ...by(PREP, UNUSABLE, 'error{failure fields, stage}', 'the job is failed as well, where the observed status is done'),
    ...by(PREP, WRONG, '400 Invalid job id', '400 input_type', '400 audio type', '422 without a file'),
    ...by(
      'test/control-plane/areas/dubbing/prep.test.ts',
      'a failed separation is a warning, and the dub works with the whole sound',
      'continues',
    ),
    ...by(
      'test/control-plane/areas/dubbing/prep.test.ts',
      'a cancel during the extraction removes what was made, and the dub',
      'cancelled event',
    ),
  ],
  'POST /dub/ingest-url': [
    ...by(INGEST, PAGE, '202', '{job_id, task_id, filename empty}', 'download_start{url}', 'download_progress{percent, speed_bps, eta_s}'),
    ...by(INGEST, PAGE, 'download_done{title, size, filename, youtube_subs}', 'then as an upload', 'cookie_file is the text of an export'),
    ...by(INGEST, WRONG, '400 not http(s)', '400 job id', '400 over 1 MB', '400 header line', '422 without url'),
    ...by(INGEST, 'what cannot be fetched ends with an error of the download, and leaves nothing behind', 'error with stage download'),
    ...by(
      'test/control-plane/areas/dubbing/ingest.test.ts',
      'cookies need HTTPS or this machine, and the form of an export',
      '403 cookies',
    ),
    ...here('a page without a downloader is status 500, and the address is checked first', '500 downloader missing', 'order'),
  ],
  'GET /dub/transcribe-stream/{job_id}': [
    ...by(LINES, HEARD, 'named events', 'order', 'comment at the beginning', 'start{duration, chunks, chunk_s 30}'),
    ...by(LINES, HEARD, 'segments{chunk, total_chunks, segments, progress, error, error_code}', 'ids s and 5 hex digits'),
    ...by(
      LINES,
      HEARD,
      'final{segments, source_lang, full_transcript, speaker_clones, cast_sources}',
      'both maps are equal',
      'profile_id auto',
    ),
    ...by(LINES, HEARD, 'warning{detail, source diarization}', 'speaker_hint ignored', 'done is the last one'),
    ...by(STREAM.job, 'lines are given to speakers, with a clip of each and of each line', 'speaker_hint approximate', 'kind speaker'),
    ...by(STREAM.job, 'a part that fails twice has its error in its event, and is tried again by the next transcription', 'two attempts'),
    ...by(STREAM.job, 'a film without speech ends with an error, and one that cannot begin, too', 'zero segments: error and done'),
    ...by(
      STREAM.job,
      'a second client follows the same transcription, one that leaves does not stop it, and a cancel is the last event',
      'aborted{} without done',
    ),
    ...by(LINES, 'what cannot be transcribed is an error event before the last one', 'missing dub: error{detail, retryable}', 'then done'),
    ...here(BEGIN, 'missing sound', 'missing recogniser: asr_model_missing payload'),
    ...here(SPEAKERS, 'num_speakers outside of 1 to 20 is ignored', 'per_segment_refs true'),
    ...here('a stream of a transcription has comments until it starts, and then pings', 'keepalive every 15 s', 'ping{} every 5 s'),
  ],
  'POST /dub/transcribe/{job_id}': [
    ...by(LINES, HEARD, '{job_id, segments, full_transcript, source_lang}', 'segments have stable ids here as well'),
    ...by(LINES, 'what cannot be transcribed is an error event before the last one', '404'),
    ...here(BEGIN, '409 asr missing'),
    ...here('a cancelled transcription is status 499', '499 aborted'),
    ...by(STREAM.job, 'a film without speech ends with an error, and one that cannot begin, too', 'a failure is a status'),
  ],
  'POST /dub/generate/{job_id}': [
    ...by(GENERATE, SPOKEN, '{task_id}', 'dub_<job_id>_<unix s>', 'progress{current, total, text}', 'assembling', 'done with nine fields'),
    ...by(GENERATE, SPOKEN, 'empty text and a short slot: silence with score 1', 'regen_only', 'seg_hashes as of /tools/incremental'),
    ...by(GENERATE, SPOKEN, 'unchanged lines are not spoken again', 'fit_fp of 16 hex digits', 'a track for each language'),
    ...by(GENERATE, WRONG, '404', '422 timing_strategy', '422 slot_fit', '422 effect_preset', '422 gain', 'gain 0 to 2'),
    ...by(GENERATE, 'what has the voice of a person goes with that voice', '400 engine cannot clone'),
    ...here(GENERATED, 'job type dub_generate', '422 voice_match', 'fit_options', 'defaults num_step 16', 'unknown fields'),
    ...by(
      'test/scenarios/dubbing/generate-stops.test.ts',
      'a cancelled generation says so, and one that is killed gives the same track',
      'cancelled{segments_processed}',
    ),
    ...by(
      'test/control-plane/areas/dubbing/speaking.test.ts',
      'a line that fails is reported, and the others are spoken',
      'error{segment, error}',
      'not terminal',
    ),
    ...by(
      'test/control-plane/areas/dubbing/speaking.test.ts',
      'without a machine that has its model a dub waits, says why once, and goes on with the same voice',
      'routing_notice{status, reason}',
    ),
    ...by(
      'test/control-plane/jobs/jobs.test.ts',
      'a failure ends the job with its reason and the failure event of the API; an optional step may fail',
      'terminal error has failure fields',
    ),
    ...by(STATUS, 'strict_slot speeds up, slows down and reports it', 'strict_slot: fits with compression_applied', 'audio_slowed'),
    ...by(
      STATUS,
      'concise delays later lines by the budget at most, and reports what runs past the own room',
      'concise: fits, overflows with overflow_s',
    ),
    ...by(
      STATUS,
      'stretch_video keeps the voice and stretches the picture up to four times',
      'stretch_video: video_stretched with stretch_ratio',
    ),
    ...by(
      STATUS,
      'smart_fit divides the excess between voice and picture',
      'smart_fit: five states',
      'rule of its rates',
      'without retiming 1.8',
    ),
    ...by(STATUS, 'the silence after a line counts as room, and never makes a line slower', 'slot extends to the next line'),
    ...by(
      STATUS,
      'the fingerprint has defaults filled in and depends on the strategy and every option',
      'fit_fp',
      'defaults of fit_options',
    ),
  ],
  'POST /dub/preview-segment/{job_id}': [
    ...by(GENERATE, AT_ONCE, 'audio/wav', 'X-Audio-Duration', '404', '400 auto voice without a clone', 'watermark'),
    ...here('a preview of a line has the length that was asked for, and stores nothing', 'duration', 'no disk write', '400 no words'),
  ],
  'GET /dub/tracks/{job_id}': [
    ...here(HISTORY, 'tracks by language with six fields'),
    ...by(PREP, SEEN, 'empty without tracks'),
    ...by(PREP, WRONG, '404'),
  ],
  'GET /dub/segments-text/{job_id}': [
    ...by(GENERATE, SPOKEN, '{texts by key of the line}'),
    ...by(PREP, SEEN, 'empty map', '400 lang'),
    ...by(PREP, WRONG, '404 unknown job'),
  ],
  'GET /dub/download/{job_id}': [
    ...by(EXPORT, FILMS, 'video/mp4 attachment dubbed_<name>_<stamp>.mp4', 'default_track original', 'include_tracks empty means all'),
    ...by(
      EXPORT,
      FILMS,
      'original in include_tracks',
      'default_track falls to the first dubbed track',
      'burn_subs is left out for stretch_video',
    ),
    ...by(EXPORT, SOUND, 'audio jobs: out_format', 'unknown format is m4a'),
    ...by(EXPORT, WRONG, '404', '400 no tracks', '400 nothing selected'),
    ...by(
      DOWNLOADS.fallback,
      'a film whose picture cannot be made slower has its own times, and says so each time',
      'video-retime-fallback',
    ),
    ...by(DOWNLOADS.runs, 'aborting the dub ends its exports with a conflict, and a new request begins again', '409 aborted'),
    ...by(DOWNLOADS.runs, 'a request that waits too long, or leaves, does not end the work, and the next one finds the file', '504'),
    ...by(RULES, 'the selection decides before anything else, and its default is always in it', 'order of selection'),
    ...here(CODES, 'unusual values of any length'),
    ...saved,
  ],
  'GET /dub/download/{job_id}/{filename}': named(EXPORT, FILMS),
  'GET /dub/media/{job_id}': [...by(PREP, SEEN, 'original file', 'ranges', '416 with the size'), ...here(ABSENT, '404', 'HEAD')],
  'GET /dub/audio/{job_id}': [...by(PREP, SEEN, 'wav', 'ranges'), ...here(ABSENT, '404 no audio'), ...by(PREP, WRONG, '404')],
  'GET /dub/preview-video/{job_id}': [
    ...by(EXPORT, 'a preview plays in a browser', 'inline MP4', 'chosen track as sole audio', '404 no track'),
    ...by(DOWNLOADS.runs, 'aborting the dub ends its exports with a conflict, and a new request begins again', '409'),
    ...by(DOWNLOADS.runs, 'a request that waits too long, or leaves, does not end the work, and the next one finds the file', '504'),
    ...here(CODES, '400 lang'),
  ],
  'GET /dub/onsets/{job_id}': [...by(PREP, SEEN, '{onsets, source mix}'), ...here(ABSENT, '404 no audio')],
  'GET /dub/thumb/{job_id}': [...by(PREP, SEEN, 'image/jpeg', 'cached for an hour'), ...here(ABSENT, '404 when there is none')],
  'GET /dub/preview/{job_id}/{segment_index}': [
    ...by(GENERATE, SPOKEN, 'wav', 'index into the order of the last generation', '404 for another language'),
    ...here(ABSENT, '404 Segment not generated yet'),
    ...here(GENERATED, '404 beyond the last line'),
    ...here(CODES, '400 lang'),
  ],
  'POST /dub/qc/{job_id}': [
    ...by(QC, CHECKED, '{engine, total, flagged_count, drift_threshold, segments}', 'six fields of a segment', 'null measures'),
    ...by(QC, CHECKED, '400 no track', '409 aborted', 'stored with the lines', 'threshold'),
    ...by(
      'test/scenarios/dubbing/check.test.ts',
      'planted faults are found, each in its line, and no others',
      'qc_done{engine, flagged, total}',
      'does not change the dub',
    ),
    ...by(INGEST, PAGE, '404', '400 over the server'),
    ...here(CODES, '400 lang'),
  ],
  'GET /dub/download-audio/{job_id}': [
    ...by(EXPORT, SOUND, 'wav attachment', 'preserve_bg', 'marked'),
    ...by(EXPORT, WRONG, '404', '400 no tracks', '400 lang'),
    ...saved,
  ],
  'GET /dub/download-audio/{job_id}/{filename}': by(EXPORT, SOUND, 'the mp3 route with a name has the same handler'),
  'GET /dub/srt/{job_id}': [
    ...by(EXPORT, SUBTITLES, 'text/plain attachment subtitles_<name>.srt', '400 no segments', '404', 'times of the fitted track'),
    ...by(EXPORT, SUBTITLES, 'dual: the translated line and <i>original</i>'),
    ...here(CODES, '400 lang'),
  ],
  'GET /dub/srt/{job_id}/{filename}': named(EXPORT, SUBTITLES),
  'GET /dub/vtt/{job_id}': [...by(EXPORT, SUBTITLES, 'text/vtt', 'cue numbers', '422 dual'), ...here(CODES, '400 lang')],
  'GET /dub/vtt/{job_id}/{filename}': by(EXPORT, SUBTITLES, 'the srt route with a name has the same handler'),
  'GET /dub/export-segments/{job_id}': [
    ...by(EXPORT, ZIPS, 'zip of NNN_start-end_Speaker.wav'),
    ...by(EXPORT, WRONG, '404', '400 no tracks'),
    ...here(CODES, '400 lang'),
  ],
  'GET /dub/export-stems/{job_id}': [
    ...by(EXPORT, ZIPS, 'vocals_dubbed_<lang>.wav', 'a notice without a background'),
    ...by(
      'test/control-plane/areas/dubbing/export/background.test.ts',
      'the background has nothing of the isolated voice, from its first to its last sample',
      'background_original.wav',
    ),
    ...by(EXPORT, WRONG, '404', '400 no tracks'),
    ...here(CODES, '400 lang'),
  ],
  'GET /dub/download-mp3/{job_id}': [
    ...by(EXPORT, SOUND, 'audio/mpeg', 'unknown lang: the first track', 'bitrate clamped'),
    ...by(RULES, 'a bitrate is clamped, and anything else is the usual one', '64 to 320 kbit/s', 'junk is 192k'),
    ...by(EXPORT, WRONG, '404', '400 no tracks'),
    ...saved,
  ],
  'GET /dub/download-mp3/{job_id}/{filename}': named(EXPORT, SOUND),
  'POST /dub/translate': [
    ...by(
      TRANSLATE,
      REFUSED,
      'errors have {error: string}',
      '400 package missing',
      '400 no language model',
      '422 as {error}',
      'seven providers',
    ),
    ...by(
      TRANSLATE,
      LOCAL,
      '{translated, target_lang, source_lang, quality_used}',
      'cinematic_skipped',
      'plan',
      'target_lang of a segment',
    ),
    ...by(
      TRANSLATE,
      LOCAL,
      'slot_seconds',
      'start and end',
      'glossary of the request',
      'glossary of the job',
      'a plan that is not calibrated',
    ),
    ...by(
      TRANSLATE,
      'a service with a key of the owner: texts and keys are in no log',
      'error keeps the source text, status 200',
      'TRANSLATE_PROVIDER',
    ),
    ...by(
      TRANSLATE,
      MODEL,
      'rows of a model sorted by id as text',
      'dialect and dialect_applied',
      'literal and critique',
      'autofit and rate_ratio',
    ),
    ...by(TRANSLATE, MODEL, 'condense proposes suggested_text', 'reflect false'),
    ...here('the language of the lines is that of the request, of the dub, or of their writing', 'order of source_lang', 'unknown fields'),
    ...here(
      'a line that the language model did not translate, and one that stays too long, say so',
      'degraded',
      'rate_error',
      'five fields of a plan',
    ),
  ],
  'GET /glossary/{project_id}': by(TRANSLATE, TERMS, 'bare array', 'oldest first', 'auto as boolean', 'any project_id'),
  'POST /glossary/{project_id}': [
    ...by(TRANSLATE, TERMS, 'id of 12 characters', 'auto false', 'echo is untrimmed', 'duplicates allowed', 'blank 400', 'missing 422'),
    ...here('a term is checked before it is looked for', 'seven fields', 'created_at in seconds'),
  ],
  'DELETE /glossary/{project_id}': by(TRANSLATE, TERMS, '{deleted: count}').concat(by(TRANSLATE, MODEL, 'only_auto')),
  'PUT /glossary/{project_id}/{term_id}': [
    ...by(TRANSLATE, TERMS, 'returns the row', 'empty body 400', 'blank 400', '404', 'null leaves a field'),
    ...here('a term is checked before it is looked for', 'order of checks', 'trimmed'),
  ],
  'DELETE /glossary/{project_id}/{term_id}': by(TRANSLATE, TERMS, '{deleted: bool}', 'never 404'),
  'POST /glossary/{project_id}/auto-extract': [
    ...by(TRANSLATE, TERMS, '503 no language model'),
    ...by(
      TRANSLATE,
      MODEL,
      '{project_id, proposed, inserted, terms}',
      'auto rows first',
      'no duplicates by lower-cased source',
      'bare list for an empty text',
    ),
    ...here(EXTRACTED, '502', 'text cut at 12,000 characters', 'max_terms 40', 'lines of the dub without segments'),
  ],
  'POST /batch/enqueue': [
    ...by(BATCH, WHOLE, 'id of 12 characters', 'langs with commas', 'preserve_bg'),
    ...by(BATCH, QUEUE, 'langs es by default', 'queued, and not pending'),
    ...by(BATCH, IMPOSSIBLE, '400 no language', '422 without a file'),
    ...by(REFUSALS, 'a hundred films wait, and the next is refused until one of them is cancelled', 'queue_position'),
    ...by(REFUSALS, 'what is missing on this machine is named, and nothing is stored', '409 asr missing', 'voice_id'),
    ...here(BEGIN, '409 over the server'),
  ],
  'GET /batch/jobs': [
    ...by(BATCH, WHOLE, 'bare array', 'status', 'limit'),
    ...by(BATCH, QUEUE, 'active is queued and running', 'newest first'),
    ...by(REFUSALS, 'a hundred films wait, and the next is refused until one of them is cancelled', 'limit beyond 500'),
    ...by(BATCH, IMPOSSIBLE, 'an unknown status is empty', '422 limit'),
  ],
  'GET /batch/jobs/{job_id}': [
    ...by(BATCH, WHOLE, 'fields of a job', 'outputs by language', 'progress of a finished one', 'times in seconds'),
    ...by(BATCH, QUEUE, 'nulls while it waits', 'survives a restart, which the observed system does not'),
    ...by(BATCH, IMPOSSIBLE, 'failed with error', '404'),
    ...by(BATCH_UNIT, 'the percentage rises from stage to stage and from language to language', 'stages'),
    ...by(
      BATCH_UNIT,
      'lines that cannot be translated keep their text; a language that fails leaves the others',
      'failed translation keeps the text',
      'warnings',
    ),
  ],
  'DELETE /batch/jobs/{job_id}': [
    ...by(BATCH, WHOLE, '{deleted: true}', 'removes the video file', 'removes the outputs, which the observed system leaves'),
    ...by(BATCH, QUEUE, 'also for a running job'),
    ...by(BATCH, IMPOSSIBLE, '404'),
  ],
  'POST /batch/jobs/{job_id}/cancel': [
    ...by(BATCH, QUEUE, '{cancelled: true}', '{already: status}'),
    ...by(BATCH, IMPOSSIBLE, '404'),
    ...by(BATCH_UNIT, 'a cancel in any stage stops the item, ends its exports, and removes a film that was not read', 'running ones stop'),
  ],
  'GET /batch/download/{job_id}/{lang}': [
    ...by(BATCH, WHOLE, 'video/mp4 <name>_<lang>.mp4', '404 lang', 'ranges'),
    ...by(BATCH, QUEUE, '400 when not done'),
    ...by(BATCH, IMPOSSIBLE, '404 job'),
  ],
  'POST /tools/video-context/{job_id}': [
    ...by(
      CONTEXT,
      'a dub with a dark and a moving half, one without a picture, and an unknown one',
      'global values',
      'segments by index',
      'frame_count',
      'unknown',
    ),
    ...by(CONTEXT, 'at most the allowed number of lines is sampled, evenly', 'at most 30 frames'),
    ...by(CONTEXT, 'pictures are told apart by light, colour, detail and movement', 'words of brightness, mood and complexity'),
    ...here('the look of a picture needs a film that is there', 'missing video: 200 {error, segments}', '400', '404'),
  ],
  'GET /engines/sonitranslate/status': by(
    'test/scenarios/engines/sonitranslate.test.ts',
    'it is started once, answers on this machine, and ends with everything that it started',
    'five fields',
  ),
  'POST /engines/sonitranslate/start': [
    ...by(
      'test/scenarios/engines/sonitranslate.test.ts',
      'it is started once, answers on this machine, and ends with everything that it started',
      '{started, reason already_running}',
    ),
    ...by(
      'test/scenarios/engines/sonitranslate.test.ts',
      'a program that ends at its start, one that never answers, and a used port are reported',
      '500',
    ),
  ],
  'POST /engines/sonitranslate/stop': by(
    'test/scenarios/engines/sonitranslate.test.ts',
    'it is started once, answers on this machine, and ends with everything that it started',
    '{stopped, reason not_running}',
  ),
  '/ws/events': here(EVENTS, 'dub_history saved', 'deleted', 'no action when cleared'),
}
