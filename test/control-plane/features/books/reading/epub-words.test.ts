// Generated books are read as a reader sees them.
import { test } from 'node:test'
import fc from 'fast-check'
import { NOTES } from '#control-plane/features/books/reading/chapters/notes-setting.ts'
import { compareBook, everyForm } from '#test/support/archive/book-words.ts'
import { BLOCK_FORMS, PAGE_FORMS, TITLE_FORMS } from '#test/support/archive/generated-books.ts'

test('every form of title, block and page is read or listed, and nothing else is read', () => {
  for (const { plan, notes } of everyForm()) compareBook(plan, notes)
})

test('books of these forms lose no word, and no other word is read', () => {
  const block = fc.nat({ max: BLOCK_FORMS.length - 1 })
  const chapter = fc.tuple(fc.nat({ max: TITLE_FORMS.length - 1 }), fc.array(block, { maxLength: 12 }))
  const plan = fc.record({
    chapters: fc.array(chapter, { minLength: 2, maxLength: 6 }),
    pages: fc.array(fc.nat({ max: PAGE_FORMS.length - 1 }), { maxLength: 5 }),
  })
  fc.assert(fc.property(plan, fc.constantFrom(...NOTES), compareBook), { numRuns: 150 })
})
