// Layouts of speech models, and the names under which their engines expect the files.
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { STYLE_WIDTH, STYLED_CONTRACT } from '#agent/engine/speech/styled-graph.ts'
import { heartAsset } from '#agent/engine/tts/heart/voices.ts'
import { ROWS } from '#agent/engine/tts/kokoro/voices.ts'
import { PiperConfig } from '#agent/engine/tts/piper/config.ts'
import { FRONT_ENDS } from '#agent/engine/tts/piper/describe.ts'
import { PIPER_CONTRACT } from '#agent/engine/tts/piper/network.ts'
import { SUPERTONIC_CONTRACTS } from '#agent/engine/tts/supertonic/graphs.ts'
import { fitsContract, lacks, type ModelLayout } from './layout.ts'
import { bare, type Offered } from './offered.ts'

const KOKORO_VOICE = /^[a-z][fm]_[a-z0-9_]{1,32}$/
const VOICE_BYTES = ROWS * STYLE_WIDTH * 4
const Vocabulary = z.record(z.string().min(1).max(16), z.int().min(0).max(10_000))
const Tokenizer = z.object({ model: z.object({ vocab: Vocabulary }) }).transform(({ model }) => model.vocab)
const Config = z.object({ vocab: Vocabulary }).transform(({ vocab }) => vocab)
const Aliases = z.object({
  voice_aliases: z.record(z.string().max(100), z.string().max(100)).optional(),
  speed_priors: z.record(z.string().max(100), z.number().min(0.1).max(10)).optional(),
})
const Style = z.object({ style_ttl: z.object({}), style_dp: z.object({}) })

/** The table of symbols of Kokoro 1.0, which the embedded voice shares. */
const kokoroVocabulary = (): Record<string, number> => Vocabulary.parse(JSON.parse(readFileSync(heartAsset('vocab.json'), 'utf8')))

/** Names of the configuration if no file has the name of the graph. */
const PIPER_CONFIG = /(?:\.onnx|^config)\.json$/i
const CONFIGS_READ = 4

const piper: ModelLayout = {
  engine: 'piper',
  kind: 'Piper voice',
  async find({ files, modelFor, jsonOf }) {
    const graphs = files.filter((file) => fitsContract(file, PIPER_CONTRACT))
    const [graph] = graphs
    if (!graph) return null
    if (graphs.length > 1) return lacks(`one network: there are ${graphs.length}, so add one voice at a time`)
    const beside = files.find(({ name }) => name.toLowerCase() === `${graph.name}.json`.toLowerCase())
    const candidates = beside ? [beside] : files.filter((file) => PIPER_CONFIG.test(bare(file))).slice(0, CONFIGS_READ)
    const read = []
    for (const file of candidates) read.push({ file, ...PiperConfig.safeParse(await jsonOf(file)) })
    const valid = beside ? read : read.filter(({ success }) => success)
    const [config] = valid
    if (!config || valid.length > 1) return lacks(`its configuration ${bare(graph)}.json`)
    const { file, data, error } = config
    if (!data) return lacks(`a valid configuration: ${bare(file)}: ${error.issues[0]?.path.join('.')}: ${error.issues[0]?.message}`)
    if (!FRONT_ENDS.includes(data.phoneme_type))
      return lacks(`symbols that can be made from text here: it reads ${data.phoneme_type.slice(0, 32)}`)
    const named = bare(graph).replace(/\.onnx$/i, '')
    const model = modelFor(named)
    return {
      named,
      files: [
        { to: `${model}.onnx`, from: graph },
        { to: `${model}.onnx.json`, from: file },
      ],
    }
  },
}

/** Kokoro and KittenTTS have the same inputs; their voices differ. */
const styledGraphs = (files: readonly Offered[]) => files.filter((file) => fitsContract(file, STYLED_CONTRACT))
const GRAPH_ORDER = ['model.onnx', 'model_fp16.onnx', 'model_quantized.onnx', 'model_q8f16.onnx']
const rankOf = (file: Offered) => (GRAPH_ORDER.includes(bare(file)) ? GRAPH_ORDER.indexOf(bare(file)) : GRAPH_ORDER.length)
const isKitten = ({ tables }: Offered) => tables?.some(({ name, columns }) => columns === STYLE_WIDTH && !KOKORO_VOICE.test(name)) === true

const kokoro: ModelLayout = {
  engine: 'kokoro',
  kind: 'Kokoro',
  async find({ files, jsonOf }) {
    const [graph] = styledGraphs(files).sort((left, right) => rankOf(left) - rankOf(right))
    if (!graph || files.some(isKitten)) return null
    const single = files.filter((file) => KOKORO_VOICE.test(bare(file).replace(/\.bin$/i, '')) && file.size === VOICE_BYTES)
    const archive = files.find(({ tables }) => tables?.some(({ name }) => KOKORO_VOICE.test(name)))
    const wrong = archive?.tables?.find(({ rows, columns }) => rows !== ROWS || columns !== STYLE_WIDTH)
    if (wrong) return lacks(`voices of ${ROWS} × ${STYLE_WIDTH} values: ${wrong.name.slice(0, 40)} has ${wrong.rows} × ${wrong.columns}`)
    if (single.length === 0 && !archive) return lacks('its voices: voices-v1.0.bin, or a folder voices with one file each')
    const tableOf = async (name: string, schema: typeof Tokenizer | typeof Config) => {
      const file = files.find((each) => bare(each).toLowerCase() === name)
      return file && schema.safeParse(await jsonOf(file)).data
    }
    const vocabulary = (await tableOf('tokenizer.json', Tokenizer)) ?? (await tableOf('config.json', Config)) ?? kokoroVocabulary()
    return {
      named: bare(graph).replace(/\.onnx$/i, ''),
      files: [
        { to: 'onnx/model.onnx', from: graph },
        { to: 'tokenizer.json', text: JSON.stringify({ model: { vocab: vocabulary } }) },
        ...(archive ? [] : single.map((from) => ({ to: `voices/${bare(from)}`, from }))),
      ],
      ...(archive && { voices: { archive, wanted: KOKORO_VOICE } }),
    }
  },
}

const kitten: ModelLayout = {
  engine: 'kittentts',
  kind: 'KittenTTS',
  async find({ files, jsonOf }) {
    const [graph, ...others] = styledGraphs(files)
    const voices = files.find(isKitten)
    if (!graph || !voices) return null
    if (others.length > 0) return lacks(`one network: there are ${others.length + 1}`)
    const config = files.find((file) => bare(file) === 'config.json')
    const { data = {} } = Aliases.safeParse(config && (await jsonOf(config)))
    return {
      named: bare(graph).replace(/\.onnx$/i, ''),
      files: [
        { to: 'model.onnx', from: graph },
        { to: 'voices.npz', from: voices },
        { to: 'config.json', text: JSON.stringify({ ...data, model_file: 'model.onnx', voices: 'voices.npz' }) },
      ],
    }
  },
}

const SUPERTONIC_FILES = ['tts.json', 'unicode_indexer.json']
const STYLE_NAME = /^[A-Za-z0-9_-]{1,32}\.json$/
const supertonic: ModelLayout = {
  engine: 'supertonic3',
  kind: 'Supertonic',
  async find({ files, jsonOf }) {
    const graphs = Object.entries(SUPERTONIC_CONTRACTS).map(([name, contract]) => ({
      name,
      from: files.find((file) => fitsContract(file, contract)),
    }))
    if (graphs.filter(({ from }) => from !== undefined).length < 2) return null
    const others = SUPERTONIC_FILES.map((name) => ({ name, from: files.find((file) => bare(file) === name) }))
    const styles: Offered[] = []
    for (const file of files)
      if (STYLE_NAME.test(bare(file)) && !SUPERTONIC_FILES.includes(bare(file)) && Style.safeParse(await jsonOf(file)).success)
        styles.push(file)
    const parts = [
      ...graphs.map(({ name, from }) => ({ to: `onnx/${name}.onnx`, from })),
      ...others.map(({ name, from }) => ({ to: `onnx/${name}`, from })),
    ]
    const missing = parts.filter(({ from }) => !from).map(({ to }) => to)
    if (missing.length > 0 || styles.length === 0)
      return lacks([...missing, ...(styles.length === 0 ? ['its voices (voice_styles/*.json)'] : [])].join(', '))
    return {
      named: 'supertonic',
      files: [
        ...parts.flatMap(({ to, from }) => (from ? [{ to, from }] : [])),
        ...styles.map((from) => ({ to: `voice_styles/${voiceFile(from)}`, from })),
      ],
    }
  },
}
/** A zip file has lower-case names; the voices are called F1, M1. */
const voiceFile = (file: Offered): string =>
  `${bare(file)
    .slice(0, -'.json'.length)
    .replace(/^[fm](?=\d)/, (letter) => letter.toUpperCase())}.json`

export const SPEECH_LAYOUTS: readonly ModelLayout[] = [piper, kokoro, kitten, supertonic]
