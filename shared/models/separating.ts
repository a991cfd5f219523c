// Models that tell a voice from what sounds around it.
import { MDX_9703, MDX_VOC } from './pins.ts'
import { from, known, row } from './rows.ts'

/** The program they were published with is under MIT; of the weights themselves it says nothing. */
const LICENCE = 'see repository'

export const SEPARATING = [
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
    note: 'The same from a smaller network, which hears nothing above 14.7 kHz.',
    sources: [from('seanghay/uvr_models', known(MDX_9703))],
  }),
]
