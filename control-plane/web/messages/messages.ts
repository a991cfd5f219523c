// The type of a catalogue. Another language is a folder beside `en` with the same files, whose `catalogue` is declared with this type: the compiler
// names each text that is missing, and each plural form.
import type { catalogue } from './en/catalogue.ts'

export type Messages = typeof catalogue
