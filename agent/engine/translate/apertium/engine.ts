// Rule-based translation with the program Apertium and the language pairs that are installed for it. It is under the GPL and therefore runs
// as a separate process.

import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { programMissing, programText } from '#agent/engine/runtimes/program/program.ts'
import { defineEngine, type EngineParts, type RunContext, withParams } from '#agent/engine/seam/define.ts'
import { type Capability, capability, type EngineEvent } from '#agent/engine/seam/engine.ts'
import { pairNotAvailable } from '#agent/engine/translate/no-pair.ts'
import { TranslateParams, type TranslateResult } from '#shared/operations/translate.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { findPair, type LanguagePair, pairName, parsePairs, shortCode } from './pairs.ts'

const ID = 'apertium'
const PACKAGE = 'apertium-eng-spa'
const PROGRAM = { program: ID, package: PACKAGE, wantsPipe: true }
const LISTING_MS = 10_000
const LISTING_BYTES = 100_000
const MEMORY_BYTES = 128 * 1024 ** 2
/** Characters per call: about a second of work, after which progress is reported and a cancellation takes effect. */
const BATCH_CHARACTERS = 8_000

/** Each text becomes one paragraph. The program keeps the blank lines between paragraphs. */
const asParagraph = (text: string): string => text.replace(/[\p{C}\s]+/gu, ' ').trim()
const hasWords = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)
/** The program puts a blank before punctuation. */
const tidy = (text: string): string => text.replace(/ +(?:([.,;:!?…])(?=\s|$))?/g, (_, mark?: string) => mark ?? ' ').trim()

function createApertium({ path }: { readonly path: string }): EngineParts {
  let pairs: Promise<readonly LanguagePair[]> | null = null
  const list = async (): Promise<readonly LanguagePair[]> => {
    const listing = await programText({ ...PROGRAM, args: ['-l'], input: '', signal: AbortSignal.timeout(LISTING_MS) }, LISTING_BYTES)
    return parsePairs(listing.split('\n').map((line) => `${line.trim()}.mode`))
  }
  const listed = () => {
    pairs ??= list().catch((error) => {
      pairs = null
      throw error
    })
    return pairs
  }

  async function* run({ texts, source, target }: TranslateParams, { signal }: RunContext): AsyncGenerator<EngineEvent> {
    const known = await listed()
    const pair = findPair(known, source, target)
    if (!pair && shortCode(source) !== shortCode(target)) throw pairNotAvailable(ID, source, target, known.map(pairName))
    const translated = [...texts]
    const translatable = pair ? texts.flatMap((text, index) => (hasWords(text) ? [{ index, text: asParagraph(text) }] : [])) : []
    for (let at = 0; at < translatable.length; ) {
      let end = at + 1
      for (
        let size = translatable[at]!.text.length;
        end < translatable.length && size + translatable[end]!.text.length < BATCH_CHARACTERS;
        end++
      )
        size += translatable[end]!.text.length
      const batch = translatable.slice(at, end)
      const answers = await translate(
        pair!,
        batch.map(({ text }) => text),
        signal,
      )
      for (const [k, { index }] of batch.entries()) translated[index] = answers[k]!
      at = end
      yield { kind: 'progress', progress: at / translatable.length, stage: 'translating' }
    }
    if (translatable.length === 0) yield { kind: 'progress', progress: 1, stage: 'translating' }
    const result: TranslateResult = { texts: translated, notices: [] }
    yield { kind: 'result', result }
  }

  return {
    describe: () => describe(path),
    load: async () => {
      if ((await listed()).length === 0) throw programMissing('apertium with a language pair', PACKAGE)
    },
    operations: { translate: withParams(TranslateParams, run) },
    unload: async () => {
      pairs = null
    },
  }
}

export const apertium = defineEngine({ id: ID, maxBlockSeconds: 10, create: createApertium })

/** One call for all texts; when paragraphs were merged or split, one call per text. */
async function translate(pair: LanguagePair, texts: readonly string[], signal: AbortSignal): Promise<string[]> {
  const call = async (input: string) => {
    const limit = 100_000 + input.length * 20
    return await programText({ ...PROGRAM, args: ['-u', pair.mode], input: `${input}\n`, signal }, limit)
  }
  const whole = (await call(texts.join('\n\n'))).trim().split('\n\n')
  if (whole.length === texts.length) return whole.map(tidy)
  const each: string[] = []
  for (const text of texts) each.push(tidy(await call(text)))
  return each
}

function modeFiles(program: string): string[] {
  try {
    return readdirSync(join(dirname(program), '../share/apertium/modes'))
  } catch {
    return []
  }
}

/** The default model supports every pair. Each pair is also a model, so that clients can list the pairs. */
function describe(path: string): Capability[] {
  const program = findProgram(ID, path)
  const pairs = program ? parsePairs(modeFiles(program)) : []
  const installed = pairs.length > 0
  const row: Capability = capability({
    engine: ID,
    operation: 'translate',
    implementation: ID,
    languages: [...new Set(pairs.flatMap(({ source, target }) => [source, target]))].sort(),
    installed,
    downloaded: installed,
    permits: 3,
    memoryBytes: MEMORY_BYTES,
    ...(!installed && {
      reason: program
        ? `Apertium has no language pair on this machine. Install one, such as the package ${PACKAGE}.`
        : `The program apertium is not installed. Run ${COMMAND} setup, or install a language pair such as the package ${PACKAGE}.`,
    }),
  })
  return [row, ...pairs.map((pair) => ({ ...row, model: pairName(pair), languages: [pair.source, pair.target] }))]
}
