// Statements of the specification about POST /dub/upload to POST /dub/preview-segment: what makes a dub, and its history.
import { by, type FactTable, here } from '#test/support/facts/statements.ts'
import { GENERATE, INGEST, LINES, PREP, STATUS, STREAM } from './files.ts'

const SEEN = 'a film is prepared, listed, and read back with ranges'
const CACHED = 'the same bytes are cached, and files stay while another dub uses them'
const UNUSABLE = 'what cannot be dubbed ends with an error event, and leaves nothing behind'
const WRONG = 'wrong requests are refused'
const PAGE = 'a page becomes a dub with its subtitles, and its cookies are removed'
const HEARD = 'a film is transcribed, with times, speakers and reference clips'
const READ = 'lines are read from subtitles, imported and cleaned'
const SPOKEN = 'lines are spoken, fitted and assembled; unchanged ones are not spoken again'
const AT_ONCE = 'one line is spoken at once'
const HISTORY = 'the history has the newest 30 dubs as rows with the whole dub as a text'
const SPEAKERS = 'a number of speakers that is not from 1 to 20 counts as none'
const BEGIN = 'a transcription that cannot begin is an event of the stream, and a status of the other route'
const GENERATED = 'a generation is a job of its own type; unknown fields do not stop it, unknown values do'
const EVENTS = 'each change of dubs is an event; deleting all of them has neither action nor id'

export const MAKING_STATEMENTS: FactTable = {
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
    ...by(
      'test/shared/subtitles/parse.test.ts',
      'overlaps move the start of the later cue, or join what lies inside of the earlier one',
      'overlaps',
    ),
  ],
  'POST /dub/import-srt/{job_id}': [
    ...by(LINES, READ, '404', '400 empty', '400 no cues', '{segments, stats of four counts}', 'ids are integers', 'latin-1'),
    ...by(LINES, READ, 'cues beyond the duration dropped', 'ends clamped', 'speaker_id Speaker 1'),
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
    ...here(
      HISTORY,
      'bare array',
      'newest 30',
      'ten fields',
      'tracks a JSON list of codes',
      'job_data a JSON text',
      'keys of job_data',
      'fields of a segment',
      'qc fields of a segment',
    ),
    ...by(PREP, SEEN, 'content_hash', 'local paths in job_data'),
    ...by(
      'test/control-plane/features/dubbing/store.test.ts',
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
      'test/control-plane/features/dubbing/prep.test.ts',
      'a failed separation is a warning, and the dub works with the whole sound',
      'continues',
    ),
    ...by(
      'test/control-plane/features/dubbing/prep.test.ts',
      'a picture and cuts that cannot be found are warnings with their stage',
      'stages scene and thumbnail',
    ),
    ...by(
      'test/control-plane/features/dubbing/prep.test.ts',
      'the isolated voice has both channels, without a seam between its parts',
      'demucs_progress{percent}',
    ),
    ...by(
      'test/control-plane/features/dubbing/prep.test.ts',
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
      'test/control-plane/features/dubbing/ingest.test.ts',
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
    ...by(GENERATE, SPOKEN, '{task_id}', 'dub_<job_id>_<unix s>', 'progress{current, total, text}', 'assembling', 'done with eight fields'),
    ...by(GENERATE, SPOKEN, 'empty text and a short slot: silence with score 1', 'regen_only', 'seg_hashes as of /tools/incremental'),
    ...by(GENERATE, SPOKEN, 'unchanged lines are not spoken again', 'fit_fp of 16 hex digits', 'a track for each language'),
    ...by(GENERATE, WRONG, '404', '422 timing_strategy', '422 slot_fit', '422 effect_preset', '422 gain', 'gain 0 to 2'),
    ...by(LINES, HEARD, 'warning{segment, message}'),
    ...by(GENERATE, 'what has the voice of a person goes with that voice', '400 engine cannot clone'),
    ...here(GENERATED, 'job type dub_generate', '422 voice_match', 'fit_options', 'defaults num_step 16', 'unknown fields'),
    ...by(
      'test/scenarios/dubbing/generate-stops.test.ts',
      'a cancelled generation says so, and one that is killed gives the same track',
      'cancelled{segments_processed}',
    ),
    ...by(
      'test/control-plane/features/dubbing/speaking.test.ts',
      'a line that fails is reported, and the others are spoken',
      'error{segment, error}',
      'not terminal',
    ),
    ...by(
      'test/control-plane/features/dubbing/speaking.test.ts',
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
}
