// Statements of the specification about the routes of voices (its section 4.9 and facts 09), and the test of each statement.
// conformance.test.ts holds the tests without a file here, and checks that every other one exists and that no route is without a statement.
import { by, type FactTable, here } from '#test/support/facts/statements.ts'

const PROFILES = 'test/scenarios/voices/profiles.test.ts'
const STATES = 'test/control-plane/features/voices/profiles/states.test.ts'
const ARCHETYPES = 'test/scenarios/voices/archetypes.test.ts'
const TAXONOMY = 'test/shared/voices/taxonomy.test.ts'
const GALLERY = 'test/scenarios/voices/gallery.test.ts'
const VIDEOS = 'test/control-plane/features/voices/gallery/videos.test.ts'
const COMMUNITY = 'test/control-plane/features/voices/community/community.test.ts'
const MANIFEST = 'test/control-plane/features/voices/community/manifest.test.ts'
const DOWNLOADS = 'test/control-plane/features/voices/archetypes/downloads.test.ts'
const PREVIEWS = 'test/control-plane/features/voices/archetypes/previews.test.ts'
const BUNDLES = 'test/scenarios/voices/bundles.test.ts'
const RULES = 'test/control-plane/features/voices/bundles/bundle-rules.test.ts'
const HOSTED = 'test/scenarios/voices/hosted.test.ts'
const PORTRAITS = 'test/control-plane/features/voices/profiles/portraits.test.ts'

const LIFE = 'a cloned voice is created, listed, read, changed and deleted'
const FORMS = 'contradictory forms and unusable recordings are refused and create nothing'
const DESIGN = 'a design without an engine is stored without a sample, and its sound says what to install'
const LOCK = 'a locked voice has the exact words of its take; unlocking restores the transcript'
const SAID = 'a statement belongs to one recording: it is stored, replaced, revoked, and ends with the recording'
const ONE_SAMPLE = 'a design has one sample, the same for the same description, and a lock and a bundle keep what it is'
const CLIP = 'an upload becomes a row and a preview, and search, category and limit find it'
const PATCH = 'PATCH changes what it is sent, and DELETE removes the clip'
const PAGE = 'a clip of a video page stays on this machine, and other addresses are refused'
const WHOLE = 'a persona bundle contains the voice, a marked preview and nothing of this machine'
const ROUND = 'export, import and export give the same bundle for all values of the columns'
const HOSTILE = 'a bundle that is hostile, damaged or no bundle is refused, and no file of it remains'
const INSPECT = 'inspection describes a bundle and stores nothing'
const FOLDER = 'the marketplace folder: publish, browse, install, delete'
const EVIDENCE = 'a statement counts with its words and a recording that can be heard'
const NO_MODEL = 'nothing stands in for a model that follows descriptions'
const SOURCES = 'without a list of sources the items of the program are shown'
const COPIED = 'sources of the list are shown from their copy, and a list that cannot be read changes nothing'

/** By the method and path of the route. */
export const STATEMENTS: FactTable = {
  'GET /personalities': [
    ...by(
      PROFILES,
      'thirteen personalities are listed, and every one is a description that engines follow',
      'bare array of 13',
      'five fields',
    ),
    ...here('the personalities have the ids of the specification', 'ids in order'),
  ],
  'GET /profiles': [
    ...by(PROFILES, LIFE, 'bare array', 'newest first'),
    ...here('a row has integer flags, a text of choices and bare file names', 'flags 0 or 1', 'vd_states is a text', 'bare names', 'nulls'),
  ],
  'POST /profiles': [
    ...by(PROFILES, LIFE, '200 with the row', 'id of 8 hex digits'),
    ...by(
      PROFILES,
      FORMS,
      'blank name 400',
      'bad kind 422',
      'clone without ref_audio 422',
      'vd_states missing or no object 422',
      'detail is a text',
    ),
    ...by(
      PROFILES,
      DESIGN,
      'missing categories are Auto',
      'unknown words dropped',
      'instruct rebuilt from vd_states',
      'saved without an engine',
    ),
    ...by(ARCHETYPES, ONE_SAMPLE, 'sample with seed 42'),
    ...here('a clone keeps the extension of its upload', 'extension kept'),
    ...by(
      'test/control-plane/features/voices/profiles/transcripts.test.ts',
      'the words of the recogniser become the transcript',
      'blank ref_text is transcribed',
    ),
  ],
  'GET /profiles/{profile_id}': by(PROFILES, LIFE, 'row', '404 Profile not found'),
  'PUT /profiles/{profile_id}': [
    ...by(PROFILES, LIFE, 'returns the row', 'empty body 400', 'blank name 400', 'null fields stay', '404'),
    ...by(PROFILES, DESIGN, 'instruct of a design re-derives vd_states'),
  ],
  'DELETE /profiles/{profile_id}': [
    ...by(PROFILES, LIFE, 'always 200 with the id'),
    ...by(
      'test/control-plane/features/voices/profiles/create.test.ts',
      'a profile has a canonical recording and the uploaded file, and both are deleted with the last profile that names them',
      'removes files',
    ),
    ...by(PROFILES, LOCK, 'takes lose the profile'),
  ],
  'GET /profiles/{profile_id}/usage': [
    ...by(PROFILES, LOCK, 'counts of takes and segments', 'zeros for an unknown profile'),
    ...here(
      'usage has at most twenty takes, the newest first, with five fields each',
      'at most 20',
      'fields of a take',
      'fields of a project',
    ),
  ],
  'GET /profiles/{profile_id}/audio': [
    ...by(PROFILES, LIFE, 'audio/wav', 'plain text 404 Profile not found'),
    ...by(PROFILES, LOCK, 'the locked take first'),
    ...by(PROFILES, DESIGN, '503 without an engine'),
    ...here('a voice whose file is missing says so in plain text, and in its bundles', 'plain text 404 Audio file missing'),
  ],
  'PUT /profiles/{profile_id}/audio': [
    ...by(PROFILES, SAID, 'clears lock and consent', '415 extension', '422 too short'),
    ...by(PROFILES, DESIGN, '409 design'),
    ...here('a recording over 128 MiB is refused with 413', '413'),
  ],
  'GET /profiles/{profile_id}/image': by(
    PROFILES,
    'a portrait without ffmpeg is refused with the way out, and what is no picture before that',
    '404',
  ),
  'PUT /profiles/{profile_id}/image': [
    ...by(PORTRAITS, 'a portrait is a JPEG of 512 x 512 pixels without the data of the camera', 'stored as JPEG'),
    ...by(BUNDLES, 'a portrait travels with its bytes; one that cannot be used is left out and named', 'image is served'),
  ],
  'POST /profiles/{profile_id}/lock': [
    ...by(PROFILES, LOCK, 'reply', 'name of the file', 'seed set, null if absent', 'ref_text of the take', '404 history'),
    ...here('a lock of what does not exist is 404 with the reason', '404 profile', '404 file'),
  ],
  'POST /profiles/{profile_id}/unlock': by(PROFILES, LOCK, 'reply', 'seed null', 'idempotent', '404'),
  'POST /profiles/{profile_id}/consent': [
    ...by(PROFILES, SAID, 'blank text 422', 'under 1000 bytes 422', 'reply', 'replaces'),
    ...here('a statement about an unknown voice is 404', '404'),
    ...by(
      STATES,
      'in every order of changes, a live statement belongs to the recording that the voice has, and a lock ends with it',
      'independent of the lock',
    ),
  ],
  'DELETE /profiles/{profile_id}/consent': by(PROFILES, SAID, 'reply', 'idempotent', '404'),
  'POST /profiles/{profile_id}/hosted-sync': [
    ...by(HOSTED, 'refusals come in the order of the interface', '409', '503', '404', '422', 'order'),
    ...by(
      HOSTED,
      'a voice with a statement is copied once, without the recording of the statement',
      'synced',
      'already_synced',
      '502',
      'what is sent',
    ),
    ...by(HOSTED, 'a voice that stays here and a designed voice are not copied', 'designs never pass'),
    ...here('a voice whose file is missing says so in plain text, and in its bundles', 'no reference file 422'),
  ],
  'GET /gallery/categories': by(GALLERY, CLIP, 'empty array'),
  'GET /gallery/voices': by(
    GALLERY,
    CLIP,
    'bare array, newest first',
    'tags are an array',
    'search in name, character, description',
    'limits',
  ),
  'GET /gallery/voices/{voice_id}': by(GALLERY, CLIP, 'row').concat(by(GALLERY, PATCH, '404')),
  'PATCH /gallery/voices/{voice_id}': by(GALLERY, PATCH, 'reply', 'unknown fields give no key', '404'),
  'DELETE /gallery/voices/{voice_id}': by(GALLERY, PATCH, 'reply', '404'),
  'POST /gallery/search/youtube': by(GALLERY, PAGE, 'reply').concat(
    by(VIDEOS, 'the reason of a failure has no path, and a missing program has a hint', '500'),
  ),
  'POST /gallery/download': by(GALLERY, PAGE, 'reply', 'limits').concat(
    by(VIDEOS, 'the program receives fixed arguments, one text after --, and an environment of its own', 'the part that was asked for'),
  ),
  'POST /gallery/upload': [
    ...by(GALLERY, CLIP, 'reply', 'tags'),
    ...here('an upload without labels has those of the specification', 'defaults'),
  ],
  'POST /gallery/voices/{voice_id}/save-as-profile': [
    ...by(GALLERY, 'to-profile makes one profile however often and however often at once; save-as-profile makes another', 'name required'),
    ...by(GALLERY, PATCH, '404'),
    ...here('a clip becomes a profile that says where it came from, and a new one after that was deleted', 'reply'),
  ],
  'POST /gallery/voices/{voice_id}/to-profile': [
    ...by(
      GALLERY,
      'to-profile makes one profile however often and however often at once; save-as-profile makes another',
      'reply',
      'idempotent',
      'first name wins',
    ),
    ...here('a clip becomes a profile that says where it came from, and a new one after that was deleted', 'personality', 'heals'),
  ],
  'GET /gallery/voices/{voice_id}/preview': by(GALLERY, CLIP, 'type of the clip').concat(by(GALLERY, PATCH, '404')),
  'POST /gallery/voices/batch-delete': by(GALLERY, PATCH, 'reply', 'empty list', 'unknown ids ignored'),
  'GET /archetypes/categories': [
    ...by(ARCHETYPES, 'one archetype, the use cases, and an unknown id', 'bare array of seven'),
    ...here('the seven use cases have the names and icons of the specification', 'ids, names, icons'),
  ],
  'GET /archetypes/previews/status': by(
    ARCHETYPES,
    'without a publisher, downloads can be turned on and nothing is available',
    'twelve fields',
    'off by default',
  ),
  'PUT /archetypes/previews': by(
    ARCHETYPES,
    'without a publisher, downloads can be turned on and nothing is available',
    'status',
    'enabled required',
  ),
  'POST /archetypes/previews/check': [
    ...by(ARCHETYPES, 'without a publisher, downloads can be turned on and nothing is available', 'while disabled a plain status'),
    ...by(DOWNLOADS, 'a check within 24 hours is only made when it is asked for', 'bypasses the throttle', 'refreshed'),
    ...by(DOWNLOADS, 'a wrong signature, another key, an older list and a foreign form change nothing', 'signature'),
  ],
  'GET /archetypes': [
    ...by(
      ARCHETYPES,
      'the list has pages and filters',
      'page',
      'featured first',
      'accent is a whole token',
      'lang is a name',
      'unknown values are empty',
      'limits',
    ),
    ...by(TAXONOMY, '1,126 archetypes: 51 featured first, then 571 English and 504 Chinese ones', '1126', '51 featured'),
    ...by(TAXONOMY, 'ids, names within a language, and recipes are unique', 'ids', 'featured pairs once'),
    ...by(TAXONOMY, 'nine languages have three roles with texts of their own', '27 of nine languages'),
    ...by(TAXONOMY, 'implausible voices are left out', 'pruned'),
    ...by(TAXONOMY, 'names, use cases and icons of generated archetypes', 'rule of use cases'),
    ...here('an archetype has exactly the fields of the specification', 'fields', 'six attrs', 'facets', 'q in name or instruct'),
  ],
  'GET /archetypes/{archetype_id}': by(ARCHETYPES, 'one archetype, the use cases, and an unknown id', 'item', '404 Archetype not found'),
  'GET /archetypes/{archetype_id}/preview/state': by(PREVIEWS, 'where the next preview comes from', 'four values', 'no model, no network'),
  'GET /archetypes/{archetype_id}/preview': [
    ...by(
      ARCHETYPES,
      'a hundred listeners cause one task, and a listener who leaves does not end it',
      'wav',
      'source header',
      'no-cache',
      'local',
    ),
    ...by(
      DOWNLOADS,
      'nothing is requested before the owner turns downloads on; then clips of the present recipes are used',
      'gallery clip',
    ),
    ...by(ARCHETYPES, NO_MODEL, '503'),
  ],
  'POST /archetypes/{archetype_id}/use': [
    ...by(ARCHETYPES, 'one profile for each archetype, with a sample that was rendered here', 'reply', 'idempotent', 'first name wins'),
    ...by(ARCHETYPES, NO_MODEL, '503'),
  ],
  'POST /design/describe': by(ARCHETYPES, 'a description gives choices', 'reply').concat(
    by('test/shared/voices/describe.test.ts', 'descriptions by hand', 'rules'),
  ),
  'GET /community/sources': by(GALLERY, SOURCES, 'reply').concat(by(GALLERY, COPIED, 'list of the data folder')),
  'GET /community/manifest': [
    ...by(GALLERY, SOURCES, 'reply'),
    ...by(
      COMMUNITY,
      'a manifest is fetched every six hours with its validator, and its copy is used without a network',
      'six hours',
      'offline',
      '4 MiB',
    ),
    ...by(MANIFEST, 'items are completed, and unknown fields do not pass', 'attrs', 'is_community', 'preview_url'),
    ...by(MANIFEST, 'invalid items are dropped with the reason', 'invalid items are dropped'),
    ...by(MANIFEST, 'an id counts once, and ids that are names of object members are ordinary ones', 'first id wins'),
  ],
  'GET /community/items': by(GALLERY, SOURCES, 'reply', 'limits').concat(
    here('the search of community items is for names only', 'q matches the name only'),
  ),
  'GET /community/submit-url': by(GALLERY, COPIED, 'form of the source').concat(by(GALLERY, SOURCES, 'type')),
  'GET /community/items/{item_id}/preview': [
    ...by(GALLERY, SOURCES, '404'),
    ...by(GALLERY, COPIED, '503'),
    ...by(COMMUNITY, 'a recording must have the stated digest, or the one that it had first', '502'),
  ],
  'POST /community/items/{item_id}/use': [
    ...by(COMMUNITY, 'a voice becomes one profile that stays here; what cannot be read is refused', 'idempotent', 'clone', 'personality'),
    ...by(COMMUNITY, 'an item is an archetype only if it says the same; other presets are rendered', 'archetype delegated', 'preset'),
    ...by(GALLERY, COPIED, '503'),
  ],
  'POST /marketplace/export/{profile_id}': [
    ...by(BUNDLES, 'an unknown profile is not exported or published', '404'),
    ...by(BUNDLES, ROUND, 'members and columns'),
    ...here('a voice whose file is missing says so in plain text, and in its bundles', '400 missing file'),
    ...here(
      'a legacy bundle has its members and metadata; a design without a sample cannot come back',
      'type',
      'metadata',
      'design without a clip',
    ),
  ],
  'POST /marketplace/import': [
    ...by(BUNDLES, HOSTILE, '400 extension', '400 archive'),
    ...here('a legacy bundle has its members and metadata; a design without a sample cannot come back', 'reply', '400 without ref_audio'),
    ...by(BUNDLES, 'a bundle over 100 MB is refused with 413', '413'),
  ],
  'POST /marketplace/publish/{profile_id}': by(BUNDLES, FOLDER, 'reply', 'overwrites').concat(
    by(BUNDLES, 'an unknown profile is not exported or published', '404'),
  ),
  'GET /marketplace/browse': by(BUNDLES, FOLDER, 'reply', 'ten fields', 'search'),
  'POST /marketplace/install/{filename}': by(BUNDLES, FOLDER, 'reply', '400', '404'),
  'DELETE /marketplace/{filename}': by(BUNDLES, FOLDER, 'reply', '400', '404'),
  'POST /personas/export/{profile_id}': [
    ...by(BUNDLES, WHOLE, 'members', 'manifest', 'attachment', 'preview of 24 kHz, marked'),
    ...by(BUNDLES, 'a preview has 8 s at most and fades out', '8 s'),
    ...by(RULES, 'a licence outside of the list is replaced and named', 'licences', 'default licence'),
    ...by(BUNDLES, 'an unknown profile is not exported or published', '404'),
    ...here('a voice whose file is missing says so in plain text, and in its bundles', '503 without audio'),
    ...here('a designed voice states its synthesis in its bundle', 'method designed-synthetic'),
  ],
  'POST /personas/import': [
    ...by(BUNDLES, HOSTILE, '400 extension, archive, manifest, audio'),
    ...by(BUNDLES, 'a bundle over 100 MB is refused with 413', '413'),
    ...by(BUNDLES, EVIDENCE, 'verified only with text and recording'),
    ...here('an import answers with exactly these fields', 'reply'),
  ],
  'POST /personas/inspect': by(BUNDLES, INSPECT, 'reply', 'legacy', 'schema_version_ahead', 'consent'),
  '/ws/events': [
    ...by(PROFILES, LIFE, 'created', 'updated', 'deleted'),
    ...here('each change of a voice is an event with its action', 'locked', 'unlocked', 'consent_recorded', 'consent_revoked'),
  ],
}
