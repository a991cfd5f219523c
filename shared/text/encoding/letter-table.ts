/** `language`: code of ISO 639-1. `letters`: lower case where the script has cases. */
export type LetterTable = { readonly language: string; readonly script: WritingSystem; readonly letters: string }
export type WritingSystem = 'Latin' | 'Cyrillic' | 'Greek' | 'Hebrew' | 'Arabic' | 'Thai' | 'Chinese' | 'Japanese' | 'Korean'
