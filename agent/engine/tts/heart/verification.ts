// Figures that verification compares. Source: hibari-tts 0.2.1, which has the same files, the phonemes of the sentence and the number of
// frames that its network returns for them; misaki 0.9.4 has the same phonemes.

import { ONNX_PACKAGE } from '#agent/engine/runtimes/onnx/library.ts'
import { openGraph } from '#agent/engine/runtimes/onnx/session.ts'
import { sha256Of } from '#agent/engine/seam/packaged-files.ts'
import { type Check, SENTENCE, speaks, type Verification } from '#agent/engine/seam/verification.ts'
import { toKokoroIds } from '#agent/engine/speech/kokoro-symbols.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { HEART_CONTRACT, openHeart, readHeartTable, spectraOf } from './network.ts'
import { HEART_SAMPLE_RATE } from './sound.ts'
import { EMBEDDED_GRAPH, HEART_DIGEST, HEART_GRAPHS, HEART_ID, heartAsset } from './voices.ts'

const SYMBOLS = 'ðə kwˈɪk bɹˈWn fˈɑks ʤˈʌmps ˈOvəɹ ðə lˈAzi dˈɔɡ.'
/** Another processor may round a duration to another frame. */
const FRAMES = { count: 246, tolerance: 5 }

const EMBEDDED: readonly Check[] = [
  { kind: 'value', title: 'digest of the network', expected: HEART_DIGEST, find: ({ files }) => sha256Of(files.get(EMBEDDED_GRAPH)) },
  {
    kind: 'value',
    title: 'phonemes of a sentence',
    expected: SYMBOLS,
    async find({ signal }) {
      const { createEnglish } = await import('#agent/engine/speech/english/english.ts')
      const english = createEnglish({ clock: systemClock })
      try {
        return await english.symbols(SENTENCE, 'en-us', { signal })
      } finally {
        await english.close()
      }
    },
  },
  {
    kind: 'value',
    title: 'frames of these phonemes',
    expected: `${FRAMES.count} (within ${FRAMES.tolerance})`,
    async find({ files }) {
      const graph = await openHeart(files.get(EMBEDDED_GRAPH) ?? '', openGraph)
      try {
        const { ids } = toKokoroIds(SYMBOLS, await readHeartTable())
        const { frames } = await spectraOf(graph, ids, 1)
        return Math.abs(frames - FRAMES.count) <= FRAMES.tolerance ? `${FRAMES.count} (within ${FRAMES.tolerance})` : String(frames)
      } finally {
        await graph.close()
      }
    },
  },
]

export const HEART_VERIFICATION: Verification = {
  reference: 'hibari-tts 0.2.1 (maureesewilliams/hibari)',
  packages: [ONNX_PACKAGE],
  filesOf: (filesOf, model) => (model === '' ? new Map([[EMBEDDED_GRAPH, heartAsset(EMBEDDED_GRAPH)]]) : filesOf(HEART_ID, model)),
  checks: (model) => [
    ...(model === '' ? EMBEDDED : []),
    ...[EMBEDDED_GRAPH, ...HEART_GRAPHS].map((file) => ({ kind: 'graph', file, contract: HEART_CONTRACT, isOptional: true }) as const),
    speaks(HEART_SAMPLE_RATE),
  ],
}
