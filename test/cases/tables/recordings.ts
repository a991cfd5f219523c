// Recordings whose words the recogniser must get to hear.
import type { Case } from '../case.ts'

export const RECORDINGS: readonly Case[] = [
  {
    kind: 'a channel that is upside down',
    file: 'opposite-phase.wav',
    entrance: 'transcript',
    right: { text: 'good morning to all', remark: '' },
  },
  {
    kind: 'a file that is cut off',
    file: 'cut-off.wav',
    entrance: 'transcript',
    right: { text: 'good morning to', remark: 'The file is cut off: 0.5 s of sound at its end are missing.' },
  },
]
