// Figures that verification compares. Sources: the ids that piper-tts 1.8 gives to these symbols (piper/phoneme_ids.py) with the table that
// voices with IPA share, and the rates that the list of the public voices states for each quality.

import { basename } from 'node:path'
import { ONNX_PACKAGE } from '#agent/engine/runtimes/onnx/library.ts'
import { type ModelFiles, requireFile } from '#agent/engine/seam/model-files.ts'
import { type Check, numbersOf, SENTENCE, speaks, type Verification } from '#agent/engine/seam/verification.ts'
import { isOwnModel } from '#shared/models/own.ts'
import { peekPiperConfig, readPiperConfig } from './config.ts'
import { PIPER_CONTRACT } from './network.ts'
import { configPath, PIPER_ID, piperLanguage } from './voices.ts'

const GRAPH = '.onnx'
const SYMBOLS = 'həlˈoʊ wˈɜːld.'
/** Its symbols are letters of Ukrainian. */
const OF_LETTERS = 'uk_UA-ukrainian_tts-medium'
const UKRAINIAN = 'Швидкий рудий лис стрибає через ледачого пса.'
const rateOf = (model: string): number => (/-(?:x_)?low$/.test(model) ? 16_000 : 22_050)

export const PIPER_VERIFICATION: Verification = {
  reference: 'piper-tts 1.8 (OHF-Voice/piper1-gpl)',
  packages: [ONNX_PACKAGE],
  checks(_model, files): Check[] {
    // The id `sherpa-onnx` names no model.
    const model = basename([...files.keys()].find((name) => name.endsWith(GRAPH)) ?? GRAPH, GRAPH)
    if (isOwnModel(model)) return ownChecks(model, files)
    return [
      ...(model === OF_LETTERS ? [] : [idsCheck(model)]),
      { kind: 'graph', file: `${model}.onnx`, contract: PIPER_CONTRACT },
      speaks(rateOf(model), piperLanguage(model.split('_')[0]!), model === OF_LETTERS ? UKRAINIAN : SENTENCE),
    ]
  },
}

/** Checks of a voice that the owner of the machine added. Nothing was published about it: it must speak as its configuration says. */
function ownChecks(model: string, files: ModelFiles): Check[] {
  const config = peekPiperConfig(configPath(files) ?? '')
  const language = piperLanguage((config?.language?.code ?? config?.espeak?.voice ?? 'en').toLowerCase().replaceAll('_', '-'))
  return [{ kind: 'graph', file: `${model}.onnx`, contract: PIPER_CONTRACT }, speaks(config?.audio.sample_rate ?? 0, language)]
}

const idsCheck = (model: string): Check => ({
  kind: 'value',
  title: `ids of ${SYMBOLS}`,
  expected: '1 0 20 0 59 0 24 0 120 0 27 0 100 0 3 0 35 0 120 0 62 0 122 0 24 0 17 0 10 0 2',
  async find({ files }) {
    const name = `${model}.onnx.json`
    const { toPiperIds } = await import('./symbols.ts')
    return numbersOf(toPiperIds(SYMBOLS, await readPiperConfig(requireFile(files, PIPER_ID, name), name)).ids)
  },
})
