// Aligns words with a recording by a CTC letter network (wav2vec2): audio in, the probability of each letter every 20 ms out.
import { readFile } from 'node:fs/promises'
import { floatOutput, floats, type GraphContract, type GraphFactory } from '#agent/engine/runtimes/onnx/session.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { alignTokens, cellCount, logSoftmax, MAX_CELLS, WILDCARD, wildcardOf } from './trellis.ts'
import { type AlignedWord, parseLetters, spellWords, timedWords } from './words.ts'

export const CTC_CONTRACT: GraphContract = {
  inputs: [{ name: 'input_values', type: 'float32', rank: 2 }],
  outputs: [{ name: 'logits', type: 'float32', rank: 3 }],
}
export const CTC_SAMPLE_RATE = 16_000
/** Fewer samples give no frame. */
const MIN_SAMPLES = 400
const GRAPHS = ['onnx/model.onnx', 'model.onnx', 'onnx/model_quantized.onnx']

export type Aligner = {
  /** The words of `text` with their times. `samples`: at CTC_SAMPLE_RATE; `from`: their start in seconds. */
  readonly words: (samples: Float32Array, text: string, from: number) => Promise<AlignedWord[]>
  readonly close: () => Promise<void>
}

/** Throws MODEL_NOT_DOWNLOADED. */
export async function openAligner(files: ReadonlyMap<string, string>, open: GraphFactory): Promise<Aligner> {
  const name = GRAPHS.find((one) => files.has(one))
  const vocabulary = files.get('vocab.json')
  if (!name || !vocabulary) throw new Failure('MODEL_NOT_DOWNLOADED', 'The alignment model is not complete. Download it again.')
  const letters = parseLetters(
    await readFile(vocabulary, 'utf8')
      .then(JSON.parse)
      .catch(() => null),
  )
  if (!letters)
    throw new Failure('MODEL_NOT_DOWNLOADED', 'The file vocab.json of the alignment model is not valid. Download the model again.')
  const graph = await open(files.get(name)!, { device: 'cpu', threads: 0, contract: CTC_CONTRACT })
  return {
    async words(samples, text, from) {
      const spelling = spellWords(text, letters)
      const seconds = samples.length / CTC_SAMPLE_RATE
      if (spelling.words.length === 0) return []
      if (samples.length < MIN_SAMPLES || spelling.tokens.length === 0) return timedWords(spelling, [], 0, from, from + seconds)
      const outputs = await graph.run({ input_values: floats(normalised(samples), [1, samples.length]) })
      const [, frames = 0, width = 0] = outputs['logits']!.dims
      if (cellCount(frames, spelling.tokens.length) > MAX_CELLS)
        throw new Failure('INVALID_TASK_PARAMS', 'The text and the recording are too long to be aligned at once. Cut them into pieces.')
      const logits = floatOutput(outputs, 'logits')
      if (!logits.every(Number.isFinite))
        throw new Failure('NON_FINITE_OUTPUT', 'The alignment model returned values that are not numbers.')
      const { blank, delimiter } = letters
      const logProbabilities = logSoftmax(Float32Array.from(logits), width)
      const wildcard = spelling.tokens.includes(WILDCARD) && wildcardOf(logProbabilities, width, delimiter)
      const emissions = { logProbabilities, frames, vocabulary: width, blank, ...(wildcard && { wildcard }) }
      const spans = spelling.tokens.every((token) => token < width) ? alignTokens(emissions, spelling.tokens) : null
      // More letters than frames: spread the words evenly.
      if (!spans) return timedWords({ ...spelling, owner: [] }, [], 0, from, from + seconds)
      return timedWords(spelling, spans, seconds / frames, from, from + seconds)
    },
    close: graph.close,
  }
}

/** Mean 0 and variance 1, as in training. */
function normalised(samples: Float32Array): Float32Array {
  const mean = samples.reduce((sum, sample) => sum + sample, 0) / samples.length
  const variance = samples.reduce((sum, sample) => sum + (sample - mean) ** 2, 0) / samples.length
  const scale = 1 / Math.sqrt(variance + 1e-7)
  return samples.map((sample) => (sample - mean) * scale)
}
