// Statements of the specification about translation, glossaries, the batch and other routes.
import { by, type FactTable, here } from '#test/support/facts/statements.ts'
import { BATCH, BATCH_UNIT, CONTEXT, REFUSALS, SONI, TRANSLATE } from './files.ts'

const TERMS = 'the glossary of a project'
const REFUSED = 'a translator that cannot be used is refused with the way out, as a sentence in `error`'
const LOCAL = 'a translator of this machine translates without a network'
const MODEL = 'a language model translates, reviews, shortens and finds terms; its answers are only ever texts of their lines'
const WHOLE = 'a film is dubbed without edits, downloaded in parts, and deleted with its files'
const IMPOSSIBLE = 'what cannot work is refused at once, and a film without speech fails with the reason'
const QUEUE = 'one film is worked on at a time; it continues after a kill, and the next is cancelled or deleted'

const BEGIN = 'a transcription that cannot begin is an event of the stream, and a status of the other route'
const EXTRACTED = 'a language model reads the first 12,000 characters, and its failure is status 502'
const EVENTS = 'each change of dubs is an event; deleting all of them has neither action nor id'

const STARTED = 'it is started once, answers on this machine, and ends with everything that it started'
const MISSING = 'without it the API tells how to install it'

export const OTHER_STATEMENTS: FactTable = {
  'POST /dub/translate': [
    ...by(
      TRANSLATE,
      REFUSED,
      'errors have {error: string}',
      '400 package missing',
      '400 no language model',
      '422 as {error}',
      'providers by name',
      'without one the translators of this machine, and not Google',
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
    ...by(REFUSALS, 'a hundred films wait, and the next is refused until one of them is cancelled', 'a large limit'),
    ...by(BATCH, IMPOSSIBLE, 'an unknown status is empty', '422 limit'),
  ],
  'GET /batch/jobs/{job_id}': [
    ...by(BATCH, WHOLE, 'fields of a job', 'outputs by language', 'progress of a finished one', 'times in seconds'),
    ...by(BATCH, WHOLE, 'translated by the translator that is chosen, and not always by Google'),
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
  'GET /engines/sonitranslate/status': by(SONI, STARTED, 'five fields').concat(by(SONI, MISSING, 'url http://127.0.0.1:7860')),
  'POST /engines/sonitranslate/install': by(SONI, MISSING, '501 with the way out, because the studio does not install it'),
  'POST /engines/sonitranslate/start': [
    ...by(SONI, STARTED, '{started, and the state}', '{started false, reason already_running, and the state}'),
    ...by(SONI, 'a program that ends at its start, one that never answers, and a used port are reported', 'did not come up'),
  ],
  'POST /engines/sonitranslate/stop': by(SONI, STARTED, '{stopped: true}', '{stopped: false, reason: not_running}'),
  '/ws/events': here(EVENTS, 'dub_history saved', 'deleted', 'no action when cleared'),
}
