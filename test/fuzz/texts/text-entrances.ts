// The pure functions that read texts of users, and texts that make careless ones slow.
import assert from 'node:assert/strict'
import { alignmentGrammar, dictionaryWords } from '#agent/engine/asr/pocketsphinx/output.ts'
import { toKokoroSymbols } from '#agent/engine/speech/kokoro-symbols.ts'
import { splitAtMarks } from '#agent/engine/speech/phonemes.ts'
import { toTextPieces } from '#agent/engine/text/text-pieces.ts'
import { toTokenPieces } from '#agent/engine/text/token-pieces.ts'
import { plainText } from '#agent/engine/tts/espeak/speech.ts'
import { toFlitePieces } from '#agent/engine/tts/flite/sentences.ts'
import { toSpeakable } from '#agent/engine/tts/flite/speakable.ts'
import { toKittenRuns, withEndPunctuation } from '#agent/engine/tts/kittentts/symbols.ts'
import { cleanMossText } from '#agent/engine/tts/moss/text.ts'
import { cutHard, toChunks } from '#agent/engine/tts/omnivoice/text/chunks.ts'
import { cleanText, splitTags, unwrap, withEnding } from '#agent/engine/tts/omnivoice/text/clean.ts'
import { describeVoice } from '#agent/engine/tts/omnivoice/text/instruct.ts'
import { replacedIn } from '#agent/engine/tts/pockettts/languages.ts'
import { preparedText } from '#agent/engine/tts/pockettts/text.ts'
import { toParagraphs, toTaggedText } from '#agent/engine/tts/supertonic/text.ts'
import { fingerprintOf } from '#control-plane/features/base/tools/fingerprint.rules.ts'
import { cutAtPauses, cutAtSentences } from '#control-plane/features/speech/speech/script.ts'
import { GenerateForm } from '#control-plane/features/speech/speech/speech.schema.ts'
import { headerText } from '#control-plane/http/contract/respond.ts'
import { parseInput } from '#control-plane/http/input/validation.ts'
import { SEGMENT_CHARS } from '#shared/operations/tts.ts'
import { MAX_SUBTITLE_CHARS, readSubtitles } from '#shared/subtitles/read.ts'
import { UnreadableSubtitles } from '#shared/subtitles/unreadable.ts'
import { createDictionary } from '#shared/text/pronunciation/dictionary.ts'
import { pronounce } from '#shared/text/pronunciation/pronounce.ts'
import { scriptSteps } from '#shared/text/script/script.ts'
import { textSegments } from '#shared/text/script/segments.ts'
import { toSentences } from '#shared/text/sentences.ts'
import { parseSsml } from '#shared/text/ssml/parse.ts'
import { SsmlRefusal } from '#shared/text/ssml/refusal.ts'
import { composed } from '#shared/text/unicode/compose.ts'
import { weightOfText } from '#shared/text/weight.ts'

const DICTIONARY = createDictionary(
  [
    { term: 'a', replacement: 'b', language: '*' },
    { term: 'aaaa', replacement: 'c', language: '*' },
  ],
  '',
)
const RULES = { remove_semicolons: true, pad_with_spaces_for_short_inputs: true, model_recommended_frames_after_eos: null }
const formField = (name: string) => (text: string) => {
  assert.throws(() => parseInput(GenerateForm, { text: 'a', [name]: text }, 'body'))
}
/** `chars`: the longest text that reaches it, in UTF-16 units. */
type Entrance = { readonly read: (text: string) => unknown; readonly chars: number }
/** Limit of `/generate` and `/pronunciation/test`. */
const TAKE_CHARS = 200_000
const ofTakes = (read: Entrance['read']): Entrance => ({ read, chars: TAKE_CHARS })
/** Entrance of the segments of a task. */
const ofSegments = (read: Entrance['read']): Entrance => ({ read, chars: SEGMENT_CHARS })
const ofNames = (read: Entrance['read'], chars = 4_096): Entrance => ({ read, chars })
const MANUSCRIPT_CHARS = 8 * 1024 ** 2
const ofManuscripts = (read: Entrance['read']): Entrance => ({ read, chars: MANUSCRIPT_CHARS })
const steps = (generator: Generator<unknown>) => {
  for (const _ of generator);
}
/** A refusal is an answer too. */
const readAsSubtitles = (text: string) => {
  try {
    readSubtitles(`1\n00:00:01,000 --> 00:00:02,000\n${text}`)
  } catch (error) {
    assert.ok(error instanceof UnreadableSubtitles, String(error))
  }
}
const readSsml = (text: string) => {
  try {
    parseSsml(text, 'en')
  } catch (error) {
    assert.ok(error instanceof SsmlRefusal, String(error))
  }
}
export const ENTRANCES: Readonly<Record<string, Entrance>> = {
  'a manuscript': ofManuscripts((text) => steps(scriptSteps(text, 10_000))),
  'segments of a manuscript': ofManuscripts((text) => steps(textSegments(text, [], 'en'))),
  'composed text': ofManuscripts((text) => composed(text)),
  'compatible text': ofTakes((text) => composed(text, 'NFKC')),
  subtitles: { read: readAsSubtitles, chars: MAX_SUBTITLE_CHARS },
  'a fingerprint': { read: (text) => fingerprintOf({ id: 1, text }, { lang: null, voiceMatch: null }), chars: 20_000 },
  sentences: ofTakes((text) => toSentences(text, '')),
  'sentences of German': ofTakes((text) => toSentences(text, 'de')),
  overrides: ofTakes((text) => pronounce(text, null)),
  pronunciation: ofTakes((text) => pronounce(text, DICTIONARY)),
  pauses: ofTakes(cutAtPauses),
  SSML: ofTakes(readSsml),
  'SSML in an element': ofTakes((text) => readSsml(`<speak><say-as interpret-as="date">${text}</say-as></speak>`)),
  'chunks of a take': ofTakes((text) => cutAtSentences(text, 800, 'en')),
  'text pieces': ofSegments((text) => toTextPieces(text, 300, 'en')),
  'token pieces': ofSegments((text) => toTokenPieces(text, 50, (piece) => piece.length / 4, 'en')),
  'pieces of Flite': ofSegments((text) => toFlitePieces(toSpeakable(text).text)),
  'text of eSpeak NG': ofSegments(plainText),
  'marks of phonemes': ofSegments(splitAtMarks),
  'symbols of Kokoro': ofSegments((text) => toKokoroSymbols(text, 'en-us')),
  'symbols of KittenTTS': ofSegments((text) => toKittenRuns(withEndPunctuation(text))),
  'text of Supertonic': ofSegments((text) => toParagraphs(text).map((paragraph) => toTaggedText(paragraph, 'en'))),
  'text of Pocket TTS': ofSegments((text) => preparedText(text, RULES, replacedIn('fr'))),
  'text of MOSS': ofSegments(cleanMossText),
  'a description of a voice': ofNames((text) => describeVoice(text)),
  'text of OmniVoice': ofSegments((text) => [splitTags(cleanText(unwrap(text))), withEnding(text), weightOfText(text)]),
  'chunks of OmniVoice': ofSegments((text) => toChunks(text, 200).flatMap((chunk) => cutHard(chunk, 3))),
  'words of the aligner': ofSegments((text) => alignmentGrammar(dictionaryWords(text))),
  'a response header': ofTakes(headerText),
  'a number of a form': ofTakes(formField('speed')),
  'a flag of a form': ofTakes(formField('denoise')),
  'a name in a form': ofTakes(formField('engine')),
}

const MARKS = [' ', '.', '?', ',', ';', '…', "'", '"', '(', ')', '[', '\n', '1', 'A', '。', '字']
export const PAIRS: readonly string[] = MARKS.flatMap((one) => MARKS.map((other) => one + other))
/** Without words of their own, and in long runs. */
export const LINES_AND_MARKS: readonly string[] = ['\n', '\r', ' \t\n', '# t\n', '\u0323\u0307\u0315\u0300', '\u0301', '\ud800']
/** These and the pairs are repeated up to the length of a text. */
export const WORDS: readonly string[] = [
  ...LINES_AND_MARKS,
  'Mr. ',
  'a? ',
  'A. ',
  'A.B.',
  'e.g. ',
  'No. 5 ',
  '[pause] ',
  '[pause',
  '[[a|b]]',
  '[[a',
  '[pause 1s]a',
  '[pause 1.',
  '1.2',
  'a.\n\n',
  ' ...x',
  '[laughter',
  '"a," ',
]
export const repeated = (word: string, bytes: number): string => word.repeat(Math.ceil(bytes / Buffer.byteLength(word)))

/** Processor time of this thread in milliseconds. */
export function cpuMs(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
