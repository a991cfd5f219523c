import assert from 'node:assert/strict'
import { test } from 'node:test'
import { docxEntries, docxParagraph as p, docxRun as r } from '#test/support/archive/office.ts'
import { docx, told, words } from './read.ts'

const read = (body: string, parts: Parameters<typeof docxEntries>[1] = {}) => docx(docxEntries(body, parts))
const style = (id: string, name: string, properties = '', basedOn = '') =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${basedOn === '' ? '' : `<w:basedOn w:val="${basedOn}"/>`}${properties}</w:style>`
const level = (ilvl: number, format: string, text: string) =>
  `<w:lvl w:ilvl="${ilvl}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`
const list = (numId: number, ilvl = 0) => `<w:numPr><w:ilvl w:val="${ilvl}"/><w:numId w:val="${numId}"/></w:numPr>`
const NUMBERING = `<w:abstractNum w:abstractNumId="1">${level(0, 'bullet', '·')}${level(1, 'bullet', '-')}</w:abstractNum><w:abstractNum w:abstractNumId="2">${level(0, 'decimal', '%1.')}</w:abstractNum><w:abstractNum w:abstractNumId="3">${level(0, 'decimal', 'Chapter %1')}${level(1, 'lowerRoman', '%1.%2')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="2"/></w:num><w:num w:numId="3"><w:abstractNumId w:val="3"/></w:num>`

test('headings are found by name, by outline level, by the style that a style is based on, and by the paragraph itself', () => {
  const styles = [
    style('berschrift1', 'heading 1'),
    style('Kapitel', 'Mein Kapitel', '<w:pPr><w:outlineLvl w:val="0"/></w:pPr>'),
    style('Eigen', 'Eigene', '', 'berschrift1'),
    style('Kreis', 'Kreis', '', 'Kreis2'),
    style('Kreis2', 'Kreis 2', '', 'Kreis'),
  ].join('')
  const body = [
    p('One', 'berschrift1') + p('First.', 'Kreis'),
    p('Two', 'Kapitel') + p('Second.'),
    p('Three', 'Eigen') + p('Third.'),
    p('Four', '', '<w:outlineLvl w:val="0"/>') + p('Fourth.', '', '<w:outlineLvl w:val="9"/>'),
    p('Five', 'Heading1') + p('Fifth.', 'missing'),
  ]
  const { chapters } = read(body.join(''), { styles })
  assert.deepEqual(
    chapters.map(({ title, text }) => [title, text]),
    [
      ['One', 'First.'],
      ['Two', 'Second.'],
      ['Three', 'Third.'],
      ['Four', 'Fourth.'],
      ['Five', 'Fifth.'],
    ],
  )
})

test('deleted, hidden and moved-away text, instructions of fields and comments are not read; inserted text and results are', () => {
  const body = p(
    [
      r('Kept'),
      '<w:del><w:r><w:delText> deleted</w:delText></w:r></w:del>',
      `<w:moveFrom>${r(' moved')}</w:moveFrom>`,
      `<w:ins>${r(' inserted')}</w:ins>`,
      r(' hidden', '<w:vanish/>'),
      r(' shown', '<w:vanish w:val="0"/>'),
      '<w:r><w:fldChar w:fldCharType="begin"/><w:instrText> PAGE </w:instrText><w:fldChar w:fldCharType="separate"/></w:r>',
      r(' result'),
      '<w:r><w:commentReference w:id="1"/></w:r>',
      `<w:sdt><w:sdtContent>${r(' control')}</w:sdtContent></w:sdt>`,
      `<w:smartTag>${r(' tagged')}</w:smartTag>`,
    ].join(''),
  )
  assert.equal(words(read(body)), 'Kept inserted shown result control tagged')
})

test('a paragraph whose end was deleted goes on in the next one', () => {
  const body = p(r('One '), '', '<w:rPr><w:del w:id="1"/></w:rPr>') + p(r('two.')) + p(r('Three.'))
  assert.equal(told(read(body)), 'One two.\n\nThree.')
})

test('breaks, tabs, soft hyphens, symbols and readings of characters', () => {
  const run = '<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>hy</w:t><w:softHyphen/><w:t>phen</w:t><w:noBreakHyphen/><w:t>c</w:t></w:r>'
  const symbol = '<w:r><w:sym w:font="Symbol" w:char="F061"/><w:sym w:font="Wingdings" w:char="F04A"/></w:r>'
  const ruby = '<w:r><w:ruby><w:rt><w:r><w:t>かん</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>漢</w:t></w:r></w:rubyBase></w:ruby></w:r>'
  assert.equal(told(read(p(run))), 'a b\nhyphen\u2011c')
  assert.equal(told(read(p(r('x ') + symbol + ruby))), 'x α[[漢|かん]]')
})

test('notes stand apart from the text, and a note that names itself is read once', () => {
  const note = (id: string, text: string, inner = '') =>
    `<w:footnote w:id="${id}"><w:p><w:r><w:footnoteRef/></w:r>${r(text)}${inner}</w:p></w:footnote>`
  const mark = (id: string) => `<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:footnoteReference w:id="${id}"/></w:r>`
  const footnotes = `<w:footnote w:type="separator" w:id="0"><w:p>${r('line')}</w:p></w:footnote>${note('2', 'The note.', mark('2'))}`
  const book = read(p(r('Text') + mark('2') + r(' goes on.') + mark('9')) + p('End.'), { footnotes })
  assert.equal(words(book), 'Text goes on. End.')
  assert.match(JSON.stringify(book.skipped), /otes are not read/)
})

test('a text box is read once, behind its paragraph', () => {
  const box = (text: string) => `<w:txbxContent>${p(text)}</w:txbxContent>`
  const drawing = `<w:r><mc:AlternateContent><mc:Choice><w:drawing><wps>${box('In the box.')}</wps></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox>${box('In the box.')}</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>`
  assert.equal(words(read(p(r('Before ') + drawing + r('and after.')))), 'Before and after. In the box.')
})

test('tables are rows, and a table of one column is text', () => {
  const cell = (inside: string) => `<w:tc>${inside}</w:tc>`
  const table = `<w:tbl><w:tr>${cell(p('a'))}${cell(p('b') + p('c'))}</w:tr><w:tr><w:trPr><w:del/></w:trPr>${cell(p('gone'))}${cell(p('too'))}</w:tr></w:tbl>`
  const layout = `<w:tbl><w:tr>${cell(p('Alone.'))}</w:tr></w:tbl>`
  assert.equal(words(read(p('Start.') + table + layout + p('End.'))), 'Start. a b c Alone. End.')
})

test('numbers of headings are read, and items of lists keep theirs', () => {
  const styles = style('Heading1', 'heading 1', `<w:pPr><w:outlineLvl w:val="0"/>${list(3)}</w:pPr>`)
  const body = [
    p('Storm', 'Heading1') + p('Text.') + p('Sub', '', `<w:outlineLvl w:val="1"/>${list(3, 1)}`) + p('More.'),
    p('Calm', 'Heading1') + p('End.') + p('Plain', '', list(0)),
  ]
  const { chapters } = read(body.join(''), { styles, numbering: NUMBERING })
  assert.deepEqual(
    chapters.map(({ title }) => title),
    ['Chapter 1 Storm', 'Chapter 2 Calm'],
  )
  assert.match(chapters[0]!.text, /1\.i Sub/)
  const items = read(p('x', '', list(1)) + p('y', '', list(1, 1)) + p('z', '', list(2)), { numbering: NUMBERING })
  assert.equal(words(items).replaceAll('- ', ''), 'x y z')
})

test('the title page and generated parts are left out, and the properties name the book', () => {
  const part = (gallery: string, inside: string) =>
    `<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="${gallery}"/></w:docPartObj></w:sdtPr><w:sdtContent>${inside}</w:sdtContent></w:sdt>`
  const body = [
    p('The Book', 'Title') + p('By Ann', 'Subtitle'),
    part('Table of Contents', p('Contents', 'TOCHeading') + p('One ..... 5', 'TOC1')),
    p('One ..... 5', 'Verzeichnis1'),
    p('One', 'Heading1') + p('Text.'),
  ].join('')
  const book = read(body, { styles: style('Verzeichnis1', 'toc 1'), core: '<dc:creator>Ann</dc:creator><dc:language>de</dc:language>' })
  assert.deepEqual([book.title, book.author, book.language], ['The Book', 'Ann', 'de'])
  assert.equal(words(book), 'One Text.')
})

test('a title style that several paragraphs have is that of the chapters', () => {
  const { chapters } = read(p('One', 'Title') + p('First.') + p('Two', 'Title') + p('Second.'))
  assert.deepEqual(
    chapters.map(({ title }) => title),
    ['One', 'Two'],
  )
})

test('the language is that of most of the text, and the cover a picture before the first words', () => {
  const picture = '<w:r><w:drawing><wp:docPr id="1" descr=""/><a:blip r:embed="rId7"/></w:drawing></w:r>'
  const relations =
    '<Relationship Id="rId7" Type="image" Target="media/Cover.PNG"/><Relationship Id="rId8" Type="image" Target="media/b.png"/>'
  const german = r('Das ist ein längerer deutscher Text.', '<w:lang w:val="de-DE"/>')
  const book = read(p(picture) + p(r('Short.', '<w:lang w:val="en-GB"/>') + german) + p(picture.replace('rId7', 'rId8')), { relations })
  assert.deepEqual([book.cover, book.language], ['word/media/cover.png', 'de-DE'])
  const defaults = (language: string) => ({
    styles: `<w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val="${language}"/></w:rPr></w:rPrDefault></w:docDefaults>`,
  })
  // The language of the templates of programs says nothing.
  assert.deepEqual([read(p('Text.'), defaults('fr-FR')).language, read(p('Text.'), defaults('en-US')).language], ['fr-FR', null])
  const late = read(p('Text.') + p(picture), { relations })
  assert.equal(late.cover, null)
})

test('a document without its text, or with a part that is no XML, is refused with the way out', () => {
  assert.throws(() => docx([{ name: '[Content_Types].xml', content: '<Types/>' }]), /not a Word document.*Save it again/)
  assert.throws(() => docx([{ name: 'word/document.xml', content: '<w:document><w:body>' }]), /damaged.*save it again/)
  const bomb =
    '<!DOCTYPE x [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;">]><w:document><w:body><w:p><w:r><w:t>A&b;B</w:t></w:r></w:p></w:body></w:document>'
  assert.equal(words(docx([{ name: 'word/document.xml', content: bomb }])), 'AB')
})
