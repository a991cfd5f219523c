// Models that separate a voice from other sounds.
import { HTDEMUCS, MDX_9703, MDX_VOC } from './pins.ts'
import { from, known, pinned, row } from './rows.ts'

/** The program the MDX networks were published with is under MIT; it states no licence for the weights. */
const LICENCE = 'see repository'

export const SEPARATION_MODELS = [
  row({
    id: 'StemSplitio/htdemucs-onnx:fp16',
    label: 'HTDemucs',
    role: 'Separation',
    engine: 'htdemucs',
    precision: 'fp16',
    // The repository says MIT, which is the licence of the program: the authors release the weights for scientific purposes only
    // (facebookresearch/demucs, issues 327 and 508).
    licence: 'scientific purposes only',
    sizeGb: 0.166,
    note: 'A voice without the music and noise around it: better than MDX-Net, and slower. The weights are given for scientific purposes only.',
    sources: [pinned('StemSplitio/htdemucs-onnx', HTDEMUCS)],
  }),
  row({
    id: 'Politrees/UVR_resources:voc',
    label: 'MDX-Net Voc FT',
    role: 'Separation',
    engine: 'mdx-net',
    licence: LICENCE,
    sizeGb: 0.067,
    note: 'A voice without the music and noise around it.',
    sources: [from('Politrees/UVR_resources', known(MDX_VOC))],
  }),
  row({
    id: 'seanghay/uvr_models:9703',
    label: 'MDX-Net 9703',
    role: 'Separation',
    engine: 'mdx-net',
    model: '9703',
    licence: LICENCE,
    sizeGb: 0.03,
    note: 'The same from a smaller network, without anything above 14.7 kHz.',
    sources: [from('seanghay/uvr_models', known(MDX_9703))],
  }),
]
