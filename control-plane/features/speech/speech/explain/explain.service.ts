// The text of a speech request after each stage on its way to the engine: the functions that requests and engines use, in their order.

import type { PronunciationApi } from '#control-plane/features/base/pronunciation/api.ts'
import { SPEECH_ALIASES } from '#control-plane/inference/aliases.ts'
import type { Synthesis } from '#control-plane/inference/synthesis.ts'
import { type EngineRow, engineRow } from '#shared/engines.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import { detectLanguage } from '#shared/text/language.ts'
import { NORMALISE_PARTS } from '#shared/text/normalise/parts.ts'
import { mapAnnotated } from '#shared/text/pronunciation/annotation.ts'
import { toSentences } from '#shared/text/sentences.ts'
import { composed } from '#shared/text/unicode/compose.ts'
import { cutAtPauses } from '../script.ts'
import { textForSpeech } from '../text/text-for-speech.ts'
import type { STAGES } from './explain.contract.ts'

type Deps = { readonly pronunciation: PronunciationApi; readonly synthesis: Pick<Synthesis, 'alphabetFor'> }
type Asked = { readonly text: string } & { readonly [K in 'language' | 'engine' | 'voice']?: string | null | undefined }
type Stage = { readonly stage: (typeof STAGES)[number]; readonly changed: boolean; readonly lines: readonly string[] }

export function createExplain({ pronunciation, synthesis }: Deps) {
  return {
    test: pronunciation.test,

    /** Throws INVALID_TASK_PARAMS for SSML that is not read. */
    async stages({ text: written, language: asked, engine: model, voice }: Asked) {
      // The tables of languages are not loaded at the start of a studio, and one in each turn.
      for (const part of NORMALISE_PARTS) {
        await nextTurn()
        await part()
      }
      const { spelledFor } = await import('#shared/text/normalise/for-engine.ts')
      const { tablesOf } = await import('#shared/text/normalise/normalise.ts')
      const input = composed(written)
      const spoken = await textForSpeech(input, null, asked ?? null)
      const named = asked ?? spoken.language
      const speaking = () =>
        synthesis.alphabetFor(
          model || SPEECH_ALIASES[0]!,
          { language: named, voice: spoken.voice ?? voice ?? null, segments: [{ text: spoken.text }] },
          null,
          false,
        )
      const { engine } = speaking()
      const row = engineRow(engine)
      const language = named || (onlyLanguageOf(row) ?? detectLanguage(spoken.text)?.code ?? '')
      const pronounced = pronunciation.pronounced(spoken.text, named, speaking)
      const segments = cutAtPauses(pronounced.text)?.segments ?? [{ text: pronounced.text }]
      const sentences = segments.flatMap(({ text }) => toSentences(text, language))
      const expanded = segments.flatMap(({ text }) => toSentences(spelledFor(row?.spells, text, language), language))
      const stage = (name: Stage['stage'], changed: boolean, lines: readonly string[]): Stage => ({
        stage: name,
        changed,
        lines: lines.map(shown),
      })
      const isSpelled = expanded.join(' ') !== sentences.join(' ')
      return {
        ...pronunciation.test(written, named),
        explained: {
          engine,
          engine_name: row?.name ?? engine,
          language,
          stages: [
            stage('clean', spoken.text !== input, [spoken.text]),
            stage('pronounce', pronounced.text !== spoken.text, [pronounced.text]),
            stage('segment', sentences.length > 1, sentences),
            stage('expand', isSpelled, expanded),
          ],
          notices: [
            ...spoken.notices,
            ...pronounced.notices,
            ...figuresNotice(row, sentences, { language, hasTables: tablesOf(language) !== undefined }),
          ],
        },
      }
    },
  }
}

/** The language of an engine that speaks one only. */
function onlyLanguageOf(row: EngineRow | undefined): string | null {
  const [only, ...others] = row?.languages ?? []
  return only !== undefined && only !== '*' && others.length === 0 ? only : null
}

/** Pronunciations in IPA as they are written inline. */
const shown = (text: string): string =>
  mapAnnotated(
    text,
    (stretch) => stretch,
    (word, ipa) => `[[${word}|/${ipa}/]]`,
  )

function figuresNotice(
  row: EngineRow | undefined,
  sentences: readonly string[],
  { language, hasTables }: { readonly language: string; readonly hasTables: boolean },
): string[] {
  if (!sentences.some((sentence) => /\p{N}/u.test(sentence))) return []
  const name = row?.name ?? 'The engine'
  if (row?.spells === undefined) return [`${name} reads figures and abbreviations itself.`]
  if (hasTables) return []
  if (language === '') return ['The language of the text is unknown, so its figures are left to the engine. Name the language.']
  return row.spells === 'tables'
    ? [`${name} reads the figures of this language itself.`]
    : ['The studio spells out only whole numbers in this language; everything else is left to the engine.']
}
