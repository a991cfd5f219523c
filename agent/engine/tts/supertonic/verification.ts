// Figures that verification compares. The text is decomposed before its characters become ids, as in the unicode processor of the
// reference.

import { z } from 'zod'
import { ONNX_PACKAGE } from '#agent/engine/runtimes/onnx/library.ts'
import { readModelJson, requireFile } from '#agent/engine/seam/model-files.ts'
import { speaks, type Verification } from '#agent/engine/seam/verification.ts'
import { SUPERTONIC_CONTRACTS } from './graphs.ts'
import { toSupertonicIds, toTaggedText } from './text.ts'

const Table = z.union([z.array(z.number()), z.record(z.string(), z.number())])

export const SUPERTONIC_VERIFICATION: Verification = {
  reference: 'Supertonic 3 (supertone-inc/supertonic)',
  packages: [ONNX_PACKAGE],
  checks: () => [
    {
      kind: 'value',
      title: 'ids and unsupported characters of <en>Café.</en>, decomposed',
      expected: '15 ids, 0 unsupported',
      async find({ files }) {
        const table = await readModelJson(requireFile(files, 'supertonic3', 'unicode_indexer.json'), 'unicode_indexer.json', Table)
        const { ids, dropped } = toSupertonicIds(toTaggedText('Café', 'en'), table)
        return `${ids.length} ids, ${dropped} unsupported`
      },
    },
    ...Object.entries(SUPERTONIC_CONTRACTS).map(([name, contract]) => ({ kind: 'graph', file: `${name}.onnx`, contract }) as const),
    speaks(44_100),
  ],
}
