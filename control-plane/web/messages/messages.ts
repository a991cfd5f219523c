// The type of a catalogue. Another language is a folder beside `en` with the same files, whose `catalogue` is declared with this type: the compiler
// names each text that is missing, and each plural form. package.json says which folder the pages show.
import type { catalogue } from './en/catalogue.ts'

/** Another language has any text where the one has a certain one. */
type AnyText<T> = T extends string
  ? string
  : T extends (...values: infer Values) => infer Text
    ? (...values: Values) => AnyText<Text>
    : { [Key in keyof T]: AnyText<T[Key]> }

export type Messages = AnyText<typeof catalogue>
