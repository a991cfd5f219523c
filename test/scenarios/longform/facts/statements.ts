// Statements of the specification about the routes of books, stories, pronunciation and the watermark (in its section 4.10 and facts 10),
// and the test of each statement. conformance.test.ts holds the tests without a file here, and checks that every other one exists and that
// no route is without a statement. Where the studio decided otherwise, the statement says what it does.
import { by, type FactTable, here } from '#test/support/facts/statements.ts'

const BOOK = 'test/scenarios/longform/book.test.ts'
const STOPS = 'test/scenarios/longform/book-stops.test.ts'
const RACES = 'test/scenarios/longform/book-races.test.ts'
const FILES = 'test/scenarios/longform/book-files.test.ts'
const VOICES = 'test/scenarios/longform/book-voices.test.ts'
const STORIES = 'test/scenarios/longform/stories.test.ts'
const PLAN = 'test/scenarios/longform/plan.test.ts'
const ACCESS = 'test/scenarios/longform/access.test.ts'
const SCRIPT = 'test/shared/text/script/script.test.ts'
const IMPORT = 'test/control-plane/features/books/import.test.ts'
const TEXT = 'test/control-plane/features/books/reading/text.test.ts'
const SEGMENTS = 'test/control-plane/features/books/segments.test.ts'
const CACHE = 'test/control-plane/features/books/segment-cache.test.ts'
const ENTRIES = 'test/scenarios/pronunciation/pronunciation.test.ts'
const MATCHING = 'test/shared/text/pronunciation.test.ts'
const MARK = 'test/scenarios/watermark/watermark.test.ts'

const ORDER = 'a book is rendered in order, and a second rendering uses what is there'
const PREVIEW = 'a preview is one chapter as WAV, and warms the cache'
const REFUSED = 'too many chapters are refused before the stream, and a book without words ends with one error'
const STOPPED = 'after a disconnect and a kill a stopped book is resumed with the same bytes, and one that keeps running goes on'
const HOSTILE = 'hostile requests are refused before they cost anything'
const PLANNED = 'a manuscript is planned without synthesis'
const KINDS = 'books of each kind become manuscripts'
const NO_BOOKS = 'files that are no books are refused, and leave neither files nor processes'
const COVERS = 'covers are JPEG or PNG of limited size, and only stored ones are found again'
const LIFE = 'an entry is added, listed, changed, applied and removed'
const INVALID = 'invalid entries are refused with the reason'
const EXPORTED = 'an export can be imported, and one invalid entry refuses the whole import'
const ADMIN = 'the 20 routes and those of covers and finished books are here; only those of the dictionary and of the mark administer'
const TURNED = 'the mark can be turned off, which the audit log records; other choices are stored'
const FOUND = 'speech of this studio is recognised, also when it is played faster'

const FIELDS = 'the three requests have the fields of expression, with their limits'
const USUAL = 'an unknown format, bitrate, loudness or cover means the usual one'
const EVENTS = 'the events of a book have exactly the fields of the specification'
const FAR = 'a book that stopped says how far it came, is listed, and is resumed as a new job'
const STORY = 'an unknown format of a story is 400 and an unknown bitrate the usual one, however long'
const CHECKED = 'an entry is checked before it is looked for, and equal entries are allowed'
const SEARCHED = 'seven types of sound are searched, and the figures of a search are rounded'

const expression = here(
  FIELDS,
  'num_step 1 to 512',
  'guidance_scale 0 to 20',
  'temperatures 0 to 100',
  'seed 0 to 2^32 - 1',
  'emo_vector of exactly 8 numbers',
  'emo_text of 500',
  'emo_alpha 0 to 1',
  'null by default',
)
const admin = by(ACCESS, ADMIN, 'admin only')

/** By the method and path of the route. */
export const STATEMENTS: FactTable = {
  'POST /stories/encode': [
    ...by(
      STORIES,
      'a story becomes MP3, M4B or Ogg, with its channels and the bitrate',
      'three types',
      'attachment story.<ext>',
      'bitrate',
    ),
    ...by(STORIES, 'formats ignore case, and bitrates stay within what encoders accept', 'case of the format', 'NNk and NNNk, else 192k'),
    ...by(STORIES, 'unknown formats and files that are no audio are refused with 400', '400 unknown format', '422 without a file'),
    ...by(STORIES, 'without ffmpeg the answer is 501', '501'),
    ...here(STORY, '400 and 501 over the server', 'a long bitrate is no error'),
  ],
  'POST /audiobook/plan': [
    ...by(PLAN, PLANNED, '{chapters, chapter_count, char_count}', 'spans of four fields', 'default_voice', 'an empty text'),
    ...by(PLAN, 'limits are answered with 422 and the number', '422'),
    ...by(
      SCRIPT,
      'one mark and a blank begin a chapter; deeper headings are paragraphs',
      '# Title',
      'deeper headings',
      'text without headings',
    ),
    ...by(SCRIPT, 'a voice holds to the next switch or chapter', '[voice:NAME]', 'an empty name is the default'),
    ...by(SCRIPT, 'pauses follow what precedes them and add up', '[pause], [pause 500ms], [pause 1s]'),
    ...by(SCRIPT, 'styles nest, change the speed and end with their paragraph', '[slow] [fast] [emphasis] [spell]'),
  ],
  'POST /audiobook/import': [
    ...by(IMPORT, KINDS, '{text, chapters}', 'an unknown extension is plain text', 'txt, md, epub, pdf'),
    ...by(IMPORT, NO_BOOKS, '400 empty', '400 over 64 MB', '400 unparsable', '400 no text', '25 MB for each entry'),
    ...by(TEXT, 'short lines that begin with a chapter word are chapters, with each kind of line end', 'chapter words of plain text'),
  ],
  'POST /audiobook/cover': [
    ...by(IMPORT, COVERS, '{path}', '12 hex digits and the extension', '400 type', '400 empty', '400 over 8 MB', 'reduced to its name'),
    ...here(USUAL, 'another cover_path is ignored'),
  ],
  'POST /audiobook/preview': [
    ...by(BOOK, PREVIEW, '{output, duration_s, cached, title}', '400 no chapters', '400 index', 'warms the cache', 'output under /audio'),
    ...here(EVENTS, 'chapter_index', 'fields'),
    ...expression,
  ],
  'POST /audiobook': [
    ...by(BOOK, ORDER, 'events in order', 'started{job_id of 16 hex digits, chapters}', 'chapter', 'done', 'routing_notice', 'mastering'),
    ...by(BOOK, ORDER, 'job type and plain JSON events', 'output <type>_<job>.mp3', 'cached by content'),
    ...here(
      EVENTS,
      'fields of each event',
      'loudness of five fields',
      'acx -19 LUFS and -3 dBTP',
      'podcast -16 and -1.5',
      'unknown fields',
    ),
    ...here(USUAL, 'bitrate 128k', 'only mp3 gives mp3', 'other loudness is off', 'vary_repeats false'),
    ...here(FAR, 'stopped{rendered, total, cached_chapters, failed_chapters}'),
    ...by(STOPS, STOPPED, 'closing the stream cancels', 'the manifest is kept'),
    ...by(
      BOOK,
      REFUSED,
      'an empty plan is one error event',
      'no HTTP error once it streams',
      'failed, where the observed status stays running',
    ),
    ...by(
      VOICES,
      'a voice that is deleted in the middle of its book ends the book, and leaves none of its sound',
      'chapter_error',
      'error',
    ),
    ...by(FILES, 'an M4B has chapters, tags and cover, and the loudness of ACX', 'chapters in the file', 'metadata', 'cover_path', 'm4b'),
    ...by(FILES, 'an MP3 has the loudness of podcasts', 'loudness of podcasts'),
    ...by(SEGMENTS, 'a key names voice, speed, seed and text, and neither gap nor place', 'what a chapter is cached by'),
    ...by(CACHE, 'the least recently used segments go first, and those of an unfinished book stay', 'a cache of limited size, LRU'),
    ...by(RACES, HOSTILE, '422 lexicon, voice_map, metadata'),
    ...expression,
  ],
  'POST /longform/render': [
    ...by(
      BOOK,
      'a plan is rendered as a story; empty spans are dropped',
      'output story_<job>',
      'empty spans dropped',
      'pause and speed of a span',
    ),
    ...by(BOOK, REFUSED, 'over 10,000 chapters 422'),
    ...by(RACES, HOSTILE, 'limits of spans'),
    ...expression,
  ],
  'GET /audiobook/jobs': [
    ...here(FAR, 'seven fields', 'cancelled ones'),
    ...by(STOPS, STOPPED, 'interrupted ones', 'newest first'),
    ...by(BOOK, ORDER, 'an empty list'),
  ],
  'POST /audiobook/resume/{job_id}': [
    ...by(STOPS, STOPPED, 'a new job id', 'the old one is consumed', 'SSE of the same events', '404 of a continued book'),
    ...by(BOOK, REFUSED, '404 unknown'),
    ...by(BOOK, ORDER, 'what is rendered comes back as cached'),
    ...here(FAR, '409 while it runs', '404 of a finished one'),
    ...by(RACES, 'of two resumes at once one continues the book', 'one of two'),
  ],
  'GET /longform/jobs': [...by(BOOK, ORDER, 'newest first'), ...here(EVENTS, 'seven fields', 'limit 1 to 500')],
  'POST /watermark/detect': [
    ...by(MARK, FOUND, '{is_watermarked, confidence, message_bits, is_svc_engine, source}', 'VoiceStudio'),
    ...by(MARK, 'other sound has no mark', 'unknown'),
    ...by(MARK, 'files that cannot be searched are refused', '400', '422 without a file'),
    ...here(SEARCHED, 'seven extensions', 'is_watermarked above 0.5', 'four decimals'),
  ],
  'GET /watermark/status': by(MARK, TURNED, 'three booleans and the detector', 'defaults'),
  'POST /watermark/settings': by(MARK, TURNED, 'three booleans', 'absent ones stay', 'query parameters', '422'),
  'GET /pronunciation': [...by(ENTRIES, LIFE, 'bare array'), ...here(CHECKED, 'rows with scope'), ...admin],
  'POST /pronunciation': [
    ...by(ENTRIES, LIFE, 'returns the row', 'id of 12 digits', 'language of two letters', 'unknown fields'),
    ...by(ENTRIES, INVALID, 'blank term 400', 'type 400', 'ipa and cmu need a replacement', 'ARPABET'),
    ...by(MATCHING, 'phonetic entries are checked by alphabet', 'no brackets in ipa'),
    ...here(CHECKED, 'duplicates allowed', 'eight fields'),
    ...admin,
  ],
  'PUT /pronunciation/{entry_id}': [
    ...by(ENTRIES, LIFE, 'returns the row', 'auto is *', 'null leaves a field', 'enabled'),
    ...by(ENTRIES, INVALID, 'empty 400', 'blank term 400', '404'),
    ...here(CHECKED, 'order of checks'),
    ...admin,
  ],
  'DELETE /pronunciation/{entry_id}': [...by(ENTRIES, LIFE, '{deleted: bool}', 'never 404'), ...admin],
  'POST /pronunciation/test': [
    ...by(ENTRIES, LIFE, '{input, substituted, changed, applied_terms}', 'case', 'inline pronunciations', 'language'),
    ...by(MATCHING, 'a term matches whole words, in any case, where its own ends are letters or digits', 'word boundaries'),
    ...by(
      MATCHING,
      'the longest term wins, then the entry of the language, then the later one; nothing is replaced twice',
      'longest first',
      'single pass',
      'the language wins over *',
    ),
    ...by(MATCHING, 'an override is replaced by the text after the bar, or by the word itself', '[[text]]', '[[word|say]]', 'at most 256'),
    ...here(CHECKED, 'applied_terms longest first'),
    ...admin,
  ],
  'GET /pronunciation/export': [...by(ENTRIES, EXPORTED, '{entries}'), ...here(CHECKED, 'five fields'), ...admin],
  'POST /pronunciation/import': [
    ...by(
      ENTRIES,
      EXPORTED,
      '{imported, replaced}',
      'blank terms skipped',
      'replace deletes all first',
      'one invalid entry 400, nothing applied',
    ),
    ...admin,
  ],
}
