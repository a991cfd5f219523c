// Reasons for which parts of a book are not read, as sentences for users.

export const WHY = {
  footnotes: 'Footnotes are not read.',
  endnotes: 'Endnotes are not read.',
  contents: 'A table of contents is not read.',
  pictures: 'A list of pictures is not read.',
  tables: 'A list of tables is not read.',
  index: 'An index is not read.',
  bibliography: 'A bibliography is not read.',
  titlePage: 'The title page is not read.',
  copyright: 'The copyright page is not read.',
  gutenberg: 'The licence around the book is not read.',
  cover: 'The cover is a picture.',
  shortPage: 'A short page before the first chapter is not read.',
  outside: 'It is outside of the order of reading.',
} as const
