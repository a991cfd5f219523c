// Entries of the pronunciation dictionary as people type them, in texts as books have them.
import type { Case } from '../case.ts'

const BRIEN = { "O'Brien": 'oh bryan' }
const YORK = { 'New York': 'noo york' }
const MAIL = { 'e-mail': 'electronic mail' }

export const DICTIONARY: readonly Case[] = [
  { kind: 'the apostrophe of a book', with: BRIEN, text: 'Ask O’Brien.', entrance: 'dictionary', right: 'Ask oh bryan.' },
  { kind: 'an apostrophe that is a letter', with: BRIEN, text: 'Ask OʼBrien.', entrance: 'dictionary', right: 'Ask oh bryan.' },
  {
    kind: 'the apostrophe of a keyboard',
    with: { 'O’Brien': 'oh bryan' },
    text: "Ask O'Brien.",
    entrance: 'dictionary',
    right: 'Ask oh bryan.',
  },
  { kind: 'a line break in a name', with: YORK, text: 'In New\nYork.', entrance: 'dictionary', right: 'In noo york.' },
  { kind: 'two blanks in a name', with: YORK, text: 'In New  York.', entrance: 'dictionary', right: 'In noo york.' },
  { kind: 'a blank that does not break', with: YORK, text: 'In New\u00a0York.', entrance: 'dictionary', right: 'In noo york.' },
  { kind: 'the next paragraph', with: YORK, text: 'It is new\n\nYork is old.', entrance: 'dictionary', right: 'It is new\n\nYork is old.' },
  { kind: 'a hyphen that does not break', with: MAIL, text: 'By e‑mail.', entrance: 'dictionary', right: 'By electronic mail.' },
  { kind: 'a short dash for a hyphen', with: MAIL, text: 'By e–mail.', entrance: 'dictionary', right: 'By electronic mail.' },
  {
    kind: 'a hyphen for the end of a line',
    with: { mailbox: 'post' },
    text: 'The mail\u00adbox.',
    entrance: 'dictionary',
    right: 'The post.',
  },
  { kind: 'a dash between words', with: MAIL, text: 'An e – mail.', entrance: 'dictionary', right: 'An e – mail.' },
]
