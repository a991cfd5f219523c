// Pronounces English in the symbols of Kokoro: tokens, parts of speech, dictionaries and rules. It serves all voices that were trained with
// them or with IPA.

import { mapAnnotated } from '#shared/text/pronunciation/annotation.ts'
import { createEnglishAssets, type EnglishAssets, type Variety } from './assets.ts'
import { symbolsOfIpa } from './notation.ts'
import { toGroups } from './sentence/parts.ts'
import { symbolsOfGroups } from './sentence/symbols.ts'
import { type Token, toTokens } from './sentence/tokens.ts'
import { createUnknownWords, type UnknownDeps } from './unknown.ts'
import { S } from './words/endings.ts'

export type EnglishOptions = {
  readonly signal?: AbortSignal
  /** Receives words whose annotated pronunciation has a sound that English does not have; they are spoken as they are written. */
  readonly refused?: (word: string) => void
}
export type English = {
  /** Reads the files of a variety, so that the first text does not wait for them. Throws MODEL_NOT_INSTALLED. */
  readonly load: (variety: Variety) => Promise<void>
  /**
   * `text`: words, punctuation and annotated pronunciations, as the normaliser makes it. Throws MODEL_NOT_INSTALLED, CANCELLED, and WORKER_FAILED if
   * a word is unknown and what pronounces it fails.
   */
  readonly symbols: (text: string, variety: Variety, options?: EnglishOptions) => Promise<string>
  readonly close: () => Promise<void>
}

const ENDS_SENTENCE = /^[.!?…]+$/
/** The ending after an annotated word. */
const POSSESSIVE = /^['’]s(?!\p{L})/u
const CLOSES = /^["”’)\]]+$/

export function createEnglish(deps: UnknownDeps): English {
  const assets = createEnglishAssets()
  const unknown = createUnknownWords(deps)
  return {
    load: async (variety) => void (await assets.open(variety)),
    async symbols(text, variety, { signal, refused = () => {} } = {}) {
      const { lexicon, tag, special } = await assets.open(variety)
      const tokens = tokensOf(text, special, variety === 'en-gb', refused)
      const tags = inSentences(tokens).flatMap((sentence) => tag(sentence.map((token) => token.text)))
      const groups = toGroups(tokens, tags)
      const missing = new Set<string>()
      const symbols = symbolsOfGroups(groups, lexicon, (word) => void missing.add(word))
      if (missing.size === 0) return symbols
      const found = await unknown.find([...missing], variety, signal)
      return symbolsOfGroups(groups, lexicon, (word) => found.get(word))
    },
    async close() {
      assets.forget()
      await unknown.close()
    },
  }
}

function tokensOf(text: string, special: EnglishAssets['special'], isBritish: boolean, refused: (word: string) => void): Token[] {
  const tokens: Token[] = []
  const add = (stretch: string) => {
    const last = tokens.pop()
    const possessive = last?.phonemes ? (POSSESSIVE.exec(stretch)?.[0] ?? '') : ''
    const phonemes = possessive === '' ? last?.phonemes : S.added(last!.phonemes!, isBritish, '')
    const rest = stretch.slice(possessive.length)
    if (last) tokens.push({ ...last, phonemes: phonemes ?? null, isSpaced: last.isSpaced || /^\s/.test(rest) })
    tokens.push(...toTokens(rest, special))
  }
  mapAnnotated(
    text,
    (stretch) => {
      add(stretch)
      return ''
    },
    (word, ipa) => {
      const phonemes = symbolsOfIpa(ipa, isBritish)
      if (phonemes === null) {
        refused(word)
        add(word)
      } else tokens.push({ text: word, isSpaced: false, phonemes })
      return ''
    },
  )
  return tokens
}

/** The tagger was trained with single sentences. */
function inSentences(tokens: readonly Token[]): Token[][] {
  const sentences: Token[][] = []
  let current: Token[] = []
  let isOver = false
  for (const token of tokens) {
    if (isOver && !CLOSES.test(token.text)) {
      sentences.push(current)
      current = []
      isOver = false
    }
    current.push(token)
    isOver ||= ENDS_SENTENCE.test(token.text)
  }
  return [...sentences, current]
}
