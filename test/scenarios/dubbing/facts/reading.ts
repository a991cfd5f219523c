// Statements of the specification about what is read of a dub, checked and exported.
import { by, type FactTable, here } from '#test/support/facts/statements.ts'
import { CHECK, DOWNLOADS, EXPORT, GENERATE, INGEST, PREP, QC, RULES } from './files.ts'

const SEEN = 'a film is prepared, listed, and read back with ranges'
const WRONG = 'wrong requests are refused'
const PAGE = 'a page becomes a dub with its subtitles, and its cookies are removed'
const SPOKEN = 'lines are spoken, fitted and assembled; unchanged ones are not spoken again'
const SUBTITLES = 'subtitles have the times of the track, and a name in any script'
const FILMS = 'a film has its languages on the time line of the default one'
const SOUND = 'sound leaves as WAV and MP3, marked, and is saved where the owner allows it'
const ZIPS = 'lines and stems leave as zip files'
const CHECKED = 'a check is answered, stored with the lines, and made once for each line of a track'
const HISTORY = 'the history has the newest 30 dubs as rows with the whole dub as a text'
const ABSENT = 'what a dub does not have is 404, and its file answers HEAD'
const CODES = 'a wrong language code is 400 on every route, however long'
const UNAUTHORIZED = 'an unknown authorization is refused before anything is exported'
const GENERATED = 'a generation is a job of its own type; unknown fields do not stop it, unknown values do'
const FAULTS = 'planted faults are found, each in its line, and no others'

/** Statements of the same route with a name for the file. */
const NAMED = here('a name for the file changes nothing', 'as without a name')
const saved = [
  ...by(EXPORT, SOUND, '{saved, path, size, media_type, display_name}', 'folders are created', '403 for a used token'),
  ...here(UNAUTHORIZED, '403 for a bad token'),
]

export const READING_STATEMENTS: FactTable = {
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
  'GET /dub/download/{job_id}/{filename}': NAMED,
  'GET /dub/media/{job_id}': [...by(PREP, SEEN, 'original file', 'ranges', '416'), ...here(ABSENT, '404', 'HEAD', '416 carries the size')],
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
    ...by(CHECK, FAULTS, 'qc_done{engine, flagged, total}', 'does not change the dub', '409 asr_model_missing'),
    ...by(INGEST, PAGE, '404', '400 over the server'),
    ...here(CODES, '400 lang'),
  ],
  'GET /dub/download-audio/{job_id}': [
    ...by(EXPORT, SOUND, 'wav attachment', 'preserve_bg', 'marked'),
    ...by(EXPORT, WRONG, '404', '400 no tracks', '400 lang'),
    ...saved,
  ],
  'GET /dub/download-audio/{job_id}/{filename}': NAMED,
  'GET /dub/srt/{job_id}': [
    ...by(EXPORT, SUBTITLES, 'text/plain attachment subtitles_<name>.srt', '400 no segments', '404', 'times of the fitted track'),
    ...by(EXPORT, SUBTITLES, 'dual: the translated line and <i>original</i>'),
    ...here(CODES, '400 lang'),
  ],
  'GET /dub/srt/{job_id}/{filename}': NAMED,
  'GET /dub/vtt/{job_id}': [...by(EXPORT, SUBTITLES, 'text/vtt', 'cue numbers', '422 dual'), ...here(CODES, '400 lang')],
  'GET /dub/vtt/{job_id}/{filename}': NAMED,
  'GET /dub/export-segments/{job_id}': [
    ...by(EXPORT, ZIPS, 'zip of NNN_start-end_Speaker.wav'),
    ...by(EXPORT, WRONG, '404', '400 no tracks'),
    ...here(CODES, '400 lang'),
  ],
  'GET /dub/export-stems/{job_id}': [
    ...by(EXPORT, ZIPS, 'vocals_dubbed_<lang>.wav', 'a notice without a background'),
    ...by(CHECK, FAULTS, 'background_original.wav'),
    ...by(EXPORT, WRONG, '404', '400 no tracks'),
    ...here(CODES, '400 lang'),
  ],
  'GET /dub/download-mp3/{job_id}': [
    ...by(EXPORT, SOUND, 'audio/mpeg', 'unknown lang: the first track', 'bitrate clamped'),
    ...by(RULES, 'a bitrate is clamped, and anything else is the usual one', '64 to 320 kbit/s', 'junk is 192k'),
    ...by(EXPORT, WRONG, '404', '400 no tracks'),
    ...saved,
  ],
  'GET /dub/download-mp3/{job_id}/{filename}': NAMED,
}
