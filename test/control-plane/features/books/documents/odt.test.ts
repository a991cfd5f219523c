import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readFlatOdt } from '#control-plane/features/books/reading/odt/odt.ts'
import { flatOdt, odtEntries } from '#test/support/archive/office.ts'
import { odt, told, words } from './read.ts'

const read = (text: string, parts: Parameters<typeof odtEntries>[1] = {}) => odt(odtEntries(text, parts))
const h = (text: string, level = 1) => `<text:h text:outline-level="${level}">${text}</text:h>`
const p = (text: string, style = '') => `<text:p text:style-name="${style}">${text}</text:p>`
const style = (name: string, inside = '', attributes = '') =>
  `<style:style style:name="${name}" style:family="paragraph" ${attributes}>${inside}</style:style>`

test('chapters are at headings, by level, by the style and by the style that it is based on', () => {
  const styles = [
    style('Heading_20_1', '', 'style:display-name="Heading 1" style:default-outline-level="1"'),
    style('Circle', '', 'style:parent-style-name="Circle"'),
  ].join('')
  const automatic = style('P1', '', 'style:parent-style-name="Heading_20_1"')
  const { chapters } = read(`${h('One')}${p('First.', 'Circle')}${p('Two', 'P1')}${p('Second.')}${h('Inside', 2)}${p('Third.')}`, {
    styles,
    automatic,
  })
  assert.deepEqual(
    chapters.map(({ title }) => title),
    ['One', 'Two'],
  )
  assert.equal(words({ chapters }), 'One First. Two Second. Inside Third.')
})

test('removed and hidden text and remarks are not read; inserted text, fields and links are', () => {
  const automatic =
    '<style:style style:name="T1" style:family="text"><style:text-properties text:display="none"/></style:style><style:style style:name="T2" style:family="text"><style:text-properties text:text-position="super 58%"/></style:style>'
  const text = [
    '<text:tracked-changes><text:changed-region><text:deletion><office:change-info><dc:creator>Ann</dc:creator></office:change-info><text:p>gone</text:p></text:deletion></text:changed-region></text:tracked-changes>',
    p(
      [
        'Kept<text:change text:change-id="c"/>',
        '<text:change-start/> inserted<text:change-end/>',
        '<text:span text:style-name="T1"> hidden</text:span>',
        '<office:annotation><dc:creator>Bob</dc:creator><text:p>remark</text:p></office:annotation>',
        '<text:s text:c="3"/>blanks<text:tab/>tab<text:page-number>7</text:page-number>',
        ' <text:a xlink:href="https://example.org">link</text:a>',
        ' x<text:span text:style-name="T2">2</text:span>',
      ].join(''),
    ),
    '<text:section text:display="none"><text:p>secret</text:p></text:section>',
    '<text:section><text:p>seen</text:p></text:section>',
  ].join('')
  assert.equal(words(read(text, { automatic })), 'Kept inserted blanks tab link x2 seen')
})

test('line breaks, readings of characters, notes, frames and their pictures', () => {
  const note =
    '<text:note text:id="f1" text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>The note.</text:p></text:note-body></text:note>'
  const ruby = '<text:ruby><text:ruby-base>漢</text:ruby-base><text:ruby-text>かん</text:ruby-text></text:ruby>'
  const book = read(p(`One${note} line<text:line-break/>two ${ruby}`) + p('End.'))
  assert.equal(told(book), 'One line\ntwo [[漢|かん]]\n\nEnd.')
  assert.match(JSON.stringify(book.skipped), /otes are not read/)
  const box = '<draw:frame><draw:text-box><text:p>In the box.</text:p></draw:text-box></draw:frame>'
  const picture =
    '<draw:frame><draw:image xlink:href="Pictures/A.PNG"/><draw:image xlink:href="b.svm"/><svg:desc>A mill on a hill</svg:desc></draw:frame>'
  const framed = read(p(picture) + p(`Before ${box}and after.`))
  assert.equal(words(framed), 'A mill on a hill Before and after. In the box.')
  assert.equal(framed.cover, 'pictures/a.png')
})

test('lists, numbers of headings and tables', () => {
  const automatic =
    '<text:list-style style:name="L1"><text:list-level-style-bullet text:level="1"/><text:list-level-style-number text:level="2" style:num-format="1"/></text:list-style>'
  const styles =
    '<text:outline-style style:name="Outline"><text:outline-level-style text:level="1" style:num-format="I" style:num-suffix="."/><text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/></text:outline-style>'
  const list = `<text:list text:style-name="L1"><text:list-item><text:p>a</text:p><text:list><text:list-item><text:p>b</text:p></text:list-item></text:list></text:list-item></text:list>`
  const cell = (text: string, attributes = '') => `<table:table-cell ${attributes}><text:p>${text}</text:p></table:table-cell>`
  const table = `<table:table><table:table-header-rows><table:table-row>${cell('x')}${cell('y', 'table:number-columns-repeated="1000000"')}</table:table-row></table:table-header-rows><table:table-row table:number-rows-repeated="1000000">${cell('z')}<table:covered-table-cell/>${cell('w')}</table:table-row></table:table>`
  const book = read(`${h('One')}${list}${h('Sub', 2)}${table}${h('Two')}${p('End.')}`, { automatic, styles })
  assert.deepEqual(
    book.chapters.map(({ title }) => title),
    ['I. One', 'II. Two'],
  )
  assert.equal(words(book).replaceAll('- ', ''), 'I. One a b I.1 Sub x y z w II. Two End.')
})

test('generated parts are left out, and the properties name the book', () => {
  const contents =
    '<text:table-of-content><text:table-of-content-source/><text:index-body><text:p>One 1</text:p></text:index-body></text:table-of-content>'
  const meta = '<dc:title>The Book</dc:title><meta:initial-creator>Ann</meta:initial-creator><dc:creator>Bob</dc:creator>'
  const styles =
    '<style:default-style style:family="paragraph"><style:text-properties fo:language="pl" fo:country="PL"/></style:default-style>'
  const parts = { meta, styles }
  const text = `${p('The Book', 'Title')}${contents}${h('One')}${p('Text.')}`
  for (const book of [read(text, parts), readFlatOdt(flatOdt(text, parts))]) {
    assert.deepEqual([book.title, book.author, book.language], ['The Book', 'Ann', 'pl-PL'])
    assert.equal(words(book), 'One Text.')
  }
})

test('a cover inside of a flat document is returned as its content', () => {
  const picture = '<draw:frame><draw:image><office:binary-data>\nAAEC\nAwQF\n</office:binary-data></draw:image></draw:frame>'
  assert.equal(readFlatOdt(flatOdt(p(picture) + p('Text.'))).picture, 'AAECAwQF')
})

test('a document with a password, or without its text, is refused with the way out', () => {
  const manifest = '<manifest:manifest><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>'
  assert.throws(() => read(p('x'), { others: [{ name: 'META-INF/manifest.xml', content: manifest }] }), /password.*without one/)
  assert.throws(() => odt([{ name: 'content.xml', content: '<office:document-content/>' }]), /not an OpenDocument text.*Save it again/)
  assert.throws(() => odt([{ name: 'content.xml', content: '<office:document-content>' }]), /damaged.*save it again/)
})
