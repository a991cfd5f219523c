// The pure functions that read texts of users, and texts that make careless ones slow.
import assert from 'node:assert/strict'
import { alignmentGrammar, dictionaryWords } from '#agent/engine/engines/asr/pocketsphinx/output.ts'
import { plainText } from '#agent/engine/engines/tts/espeak/speech.ts'
import { toFlitePieces } from '#agent/engine/engines/tts/flite/sentences.ts'
import { toSpeakable } from '#agent/engine/engines/tts/flite/speakable.ts'
import { toKittenRuns, withEndPunctuation } from '#agent/engine/engines/tts/kittentts/symbols.ts'
import { toKokoroSymbols } from '#agent/engine/engines/tts/kokoro/symbols.ts'
import { cleanMossText } from '#agent/engine/engines/tts/moss/text.ts'
import { cutHard, toChunks } from '#agent/engine/engines/tts/omnivoice/text/chunks.ts'
import { cleanText, splitTags, unwrap, withEnding } from '#agent/engine/engines/tts/omnivoice/text/clean.ts'
import { describeVoice } from '#agent/engine/engines/tts/omnivoice/text/instruct.ts'
import { preparedText } from '#agent/engine/engines/tts/pockettts/text.ts'
import { toParagraphs, toTaggedText } from '#agent/engine/engines/tts/supertonic/text.ts'
import { splitAtMarks } from '#agent/engine/speech/phonemes.ts'
import { toTextPieces } from '#agent/engine/speech/text-pieces.ts'
import { toTokenPieces } from '#agent/engine/text/token-pieces.ts'
import { cutAtPauses, cutAtSentences } from '#control-plane/areas/speech/script.ts'
import { GenerateForm } from '#control-plane/areas/speech/speech.schema.ts'
import { parseInput } from '#control-plane/http/input/validation.ts'
import { headerText } from '#control-plane/http/respond.ts'
import { createDictionary } from '#shared/text/pronunciation/dictionary.ts'
import { pronounce } from '#shared/text/pronunciation/pronounce.ts'
import { toSentences } from '#shared/text/sentences.ts'
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
export const ENTRANCES: Readonly<Record<string, (text: string) => unknown>> = {
  sentences: toSentences,
  overrides: (text: string) => pronounce(text, null),
  pronunciation: (text: string) => pronounce(text, DICTIONARY),
  pauses: cutAtPauses,
  'chunks of a take': (text) => cutAtSentences(text, 800),
  'text pieces': (text) => toTextPieces(text, 300),
  'token pieces': (text) => toTokenPieces(text, 50, (piece) => piece.length / 4),
  'pieces of Flite': (text) => toFlitePieces(toSpeakable(text).text),
  'text of eSpeak NG': plainText,
  'marks of phonemes': splitAtMarks,
  'symbols of Kokoro': (text) => toKokoroSymbols(text, 'en-us'),
  'symbols of KittenTTS': (text) => toKittenRuns(withEndPunctuation(text)),
  'text of Supertonic': (text) => toParagraphs(text).map((paragraph) => toTaggedText(paragraph, 'en')),
  'text of Pocket TTS': (text) => preparedText(text, RULES),
  'text of MOSS': cleanMossText,
  'a description of a voice': (text) => describeVoice(text.slice(0, 4_096)),
  'text of OmniVoice': (text) => [splitTags(cleanText(unwrap(text))), withEnding(text), weightOfText(text)],
  'chunks of OmniVoice': (text) => toChunks(text, 200).flatMap((chunk) => cutHard(chunk, 3)),
  'words of the aligner': (text) => alignmentGrammar(dictionaryWords(text)),
  'a response header': headerText,
  'a number of a form': formField('speed'),
  'a flag of a form': formField('denoise'),
  'a name in a form': formField('engine'),
}

const MARKS = [' ', '.', '?', ',', ';', '…', "'", '"', '(', ')', '[', '\n', '1', 'A', '。', '字']
export const PAIRS: readonly string[] = MARKS.flatMap((one) => MARKS.map((other) => one + other))
/** These and the pairs are repeated up to the length of a text. */
export const WORDS: readonly string[] = [
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
