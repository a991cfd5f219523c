// EPUB books with everything that readers lose or read too much of. Words begin with `zn` in notes and with `zm` in what surrounds a text; all
// other words are text. Numbers, stars and daggers are marks, except in titles and in front of list items.
import type { EpubDocument } from './epub.ts'

export type GeneratedBook = {
  readonly documents: readonly EpubDocument[]
  /** Items of the navigation document. */
  readonly nav: string
  /** Names of documents that are no text of the book. */
  readonly around: ReadonlySet<string>
}
/** `[kind of title, kinds of blocks]` of each chapter, and kinds of pages around them: numbers that select from the lists below. */
export type Plan = { readonly chapters: readonly (readonly [number, readonly number[]])[]; readonly pages: readonly number[] }

const SYLLABLES = ['ka', 'lu', 'mo', 'ri', 'ta', 'sa', 'no', 'pe', 'vi', 'du']

/** Words that occur once in a book. */
function createWords() {
  let count = 10
  const next = (): string => [...String(count++)].map((digit) => SYLLABLES[Number(digit)]).join('')
  const some = (n: number, prefix = ''): string => Array.from({ length: n }, () => prefix + next()).join(' ')
  return { one: (prefix = '') => prefix + next(), some, sentence: (n = 5) => `${capital(next())} ${some(n - 1)}.` }
}
const capital = (word: string): string => word[0]!.toUpperCase() + word.slice(1)

type Writing = {
  readonly words: ReturnType<typeof createWords>
  /** Number of the chapter. */
  readonly at: number
  /** A new number for a note or a page of this chapter. */
  readonly number: () => number
  /** Notes that stand at the end of the document. */
  readonly foot: string[]
  /** Notes of the whole book, in a document of their own. */
  readonly end: string[]
}
type Form = (writing: Writing) => string

/** Marks of notes behind a word; `id`: of the note. */
const NOTE_MARKS: readonly ((n: number, href: string) => string)[] = [
  (n, href) => `<sup><a href="${href}" id="r${n}">${n}</a></sup>`,
  (n, href) => `<a href="${href}"><sup>${n}</sup></a>`,
  (n, href) => `<a href="${href}">[${n}]</a>`,
  (n, href) => `<a href="${href}" class="noteref">${n}</a>`,
  (n, href) => `<span class="super"><a href="${href}">${n}</a></span>`,
  (_, href) => `<a href="${href}">*</a>`,
  (_, href) => `<a href="${href}"><sup>†</sup></a>`,
  (n, href) => `<a href="${href}" epub:type="noteref">${n}</a>`,
  (n, href) => `<a href="${href}" class="calibre3"><span class="calibre5">${n}</span></a>`,
  (n, href) => `<sup class="c"><a href="${href}"><small>${n}</small></a></sup>`,
  (n, href) => `<a role="doc-noteref" href="${href}">${n}</a>`,
  (n, href) => ` <a href="${href}" title="note">(${n})</a>`,
]
const UNLINKED: readonly ((n: number) => string)[] = [
  (n) => `<sup>${n}</sup>`,
  (n) => `[${n}]`,
  () => '<sup>*</sup>',
  (n) => `<span class="footnote-ref">${n}</span>`,
]
const PAGE_MARKS: readonly ((n: number) => string)[] = [
  (n) => `<span class="pagenum" id="Page_${n}">[Pg ${n}]</span>`,
  (n) => `<span class="pagenum"><a id="Page_${n}">[${n}]</a></span>`,
  (n) => `<span epub:type="pagebreak" title="${n}">${n}</span>`,
  (n) => `<span role="doc-pagebreak" id="pg${n}">${n}</span>`,
  (n) => `[Pg ${n}]`,
  (n) => `<span class="pageno">${n}</span>`,
]
/** Places of the text of a note, by its number. */
const NOTE_PLACES: readonly ((n: number, writing: Writing) => { readonly href: string; readonly here: string })[] = [
  (n, { words }) => ({ href: `#fn${n}`, here: `<aside epub:type="footnote" id="fn${n}"><p>${words.some(3, 'zn')}.</p></aside>` }),
  (n, { words, foot }) => {
    foot.push(`<p id="n${n}"><a href="#r${n}">${n}</a> ${words.some(3, 'zn')}.</p>`)
    return { href: `#n${n}`, here: '' }
  },
  (n, { words, foot }) => {
    foot.push(`<div id="note${n}" class="x"><p>${n}. ${words.some(3, 'zn')}.</p><p>${words.some(2, 'zn')}.</p></div>`)
    return { href: `#note${n}`, here: '' }
  },
  (n, { words, foot }) => {
    foot.push(`<div class="footnotes"><p id="ft${n}"><sup>${n}</sup> ${words.some(3, 'zn')} <a href="#r${n}">↩</a></p></div>`)
    return { href: `#ft${n}`, here: '' }
  },
  (n, { words, end }) => {
    end.push(`<p id="e${n}">${n}. ${words.some(3, 'zn')}.</p>`)
    return { href: `notes.xhtml#e${n}`, here: '' }
  },
  (n, { words }) => ({ href: `#in${n}`, here: `<p class="footnote" id="in${n}">${words.some(3, 'zn')}.</p>` }),
]

const noted = NOTE_MARKS.flatMap((mark) =>
  NOTE_PLACES.map<Form>((place) => (writing) => {
    const n = writing.number()
    const { href, here } = place(n, writing)
    return `<p>${writing.words.some(3)}${mark(n, href)} ${writing.words.some(2)}.</p>${here}`
  }),
)
const paged = PAGE_MARKS.flatMap((mark): Form[] => [
  ({ words, number }) => `<p>${mark(number())}${words.sentence()}</p>`,
  ({ words, number }) => `<p>${words.some(3)} ${mark(number())}${words.some(2)}.</p>`,
])
const breaks: readonly Form[] = [
  ...['* * *', '***', '⁂', '◇ ◇ ◇', '~~~', '—', '• • •', '❦', '#', '-----'].map((line) => () => `<p class="center">${line}</p>`),
  () => '<hr/>',
  () => '<p><img src="images/ornament.png" alt=""/></p>',
  () => '<div class="scene-break"> </div>',
]

/** Kinds of blocks. */
export const BLOCK_FORMS: readonly Form[] = [
  ...[...noted, ...paged],
  ...UNLINKED.map<Form>(
    (mark) =>
      ({ words, number }) =>
        `<p>${words.some(3)}${mark(number())} ${words.some(2)}.</p>`,
  ),
  ...breaks,
  ({ words }) => `<p>${words.sentence()}</p>`,
  ({ words }) =>
    `<p><span><b><i>${words.some(2)}</i></b></span> <span class="a">${words.one().slice(0, 2)}<em>${words.one()}</em></span>.</p>`,
  ({ words }) => `<div>${words.sentence()}<br/><br/>${words.sentence()}<br/>\n<br/>${words.sentence()}</div>`,
  ({ words }) => `<p>${words.some(3)}<br/>${words.some(3)}<br/>${words.some(3)}</p>`,
  ({ words }) => `<p><span class="drop">T</span>${words.one()} ${words.some(3)}.</p>`,
  ({ words }) => `<p><img src="t.png" alt="T"/>${words.one()} ${words.some(3)}.</p>`,
  ({ words }) => `<p><span class="dropcap">“W</span><span class="small">HEN</span> ${words.some(3)}.”</p>`,
  ({ words }) => `<div class="dc">Q</div><p>${words.one()} ${words.some(3)}.</p>`,
  ({ words }) => `<p>${words.some(2)} <ruby>漢字<rt>かんじ</rt></ruby> ${words.one()}.</p>`,
  ({ words }) =>
    `<p>${words.some(2)} <math xmlns="http://www.w3.org/1998/Math/MathML"><mi>${words.one()}</mi><mo>=</mo><mi>${words.one()}</mi></math>.</p>`,
  ({ words }) =>
    `<p>${words.some(2)} <m:math xmlns:m="http://www.w3.org/1998/Math/MathML" alttext="${words.some(2)}"><m:mi>q</m:mi></m:math>.</p>`,
  ({ words }) =>
    `<ul><li>${words.some(2)}</li><li><p>${words.some(2)}</p><p>${words.some(2)}</p></li><li>${words.one()}<ul><li>${words.one()}</li></ul></li></ul>`,
  ({ words }) => `<ol start="4"><li>${words.some(2)}</li><li>${words.some(2)}</li></ol>`,
  ({ words }) =>
    `<table><tr><th>${words.one()}</th><th>${words.one()}</th></tr><tr><td>${words.some(2)}</td><td><p>${words.one()}</p></td></tr></table>`,
  ({ words }) => `<table><tr><td><p>${words.sentence()}</p><p>${words.sentence()}</p></td></tr></table>`,
  ({ words }) => `<blockquote><p>${words.sentence()}</p><p>${words.some(2)}<br/>${words.some(2)}</p></blockquote>`,
  ({ words }) => `<div class="stanza"><div>${words.some(3)}</div><div>${words.some(3)}</div></div>`,
  ({ words }) => `<pre>${words.some(3)}\n  ${words.some(3)}\n\n${words.one()}</pre>`,
  ({ words }) => `<h2>${capital(words.one())} ${words.some(2)}</h2><p>${words.sentence()}</p>`,
  ({ words }) => `<h3><span>${capital(words.one())}</span> <span>${words.one()}</span></h3>`,
  ({ words }) => `<figure><img src="x.png" alt=""/><figcaption>${words.sentence()}</figcaption></figure>`,
  ({ words }) => `<dl><dt>${words.one()}</dt><dd>${words.sentence()}</dd></dl><aside><p>${words.sentence()}</p></aside>`,
  ({ words }) => `<p>${words.some(2)} <q>${words.some(2)}</q>, <sub>${words.one()}</sub> Ten<sup>th</sup>.</p>`,
  ({ words }) => `<p hidden="">zh${words.one()}</p><p style="display: none">zh${words.one()}</p><p>${words.sentence()}</p>`,
  ({ words }) => `${words.sentence()} <a href="b.xhtml#x">${words.some(2)}</a> ${words.one()}`,
]

/** A chapter's title in the contents and its headings on the page. */
export const TITLE_FORMS: readonly ((writing: Writing) => { readonly listed: string; readonly page: string })[] = [
  ({ words }) => same(capital(words.some(3))),
  ({ at }) => same(`Chapter ${at}`),
  ({ words, at }) => ({ listed: `Chapter ${at}`, page: `<h1>Chapter ${at}: ${capital(words.some(8))}</h1>` }),
  ({ words, at }) => ({ listed: `Chapter ${at}`, page: `<h1>Chapter ${at}</h1><h2>${capital(words.some(3))}</h2>` }),
  ({ words, at }) => named(`${at}`, capital(words.some(3)), (title, name) => `<h2>${title}</h2><h3>${name}</h3>`),
  ({ words, at }) => named(`Chapter ${at}`, capital(words.some(3)), (title, name) => `<h1>${title}<br/>${name}</h1>`),
  ({ words, at }) => named(`Chapter ${at}`, capital(words.some(3)), (title, name) => `<h1><span>${title}</span><span>${name}</span></h1>`),
  ({ words, at }) => named(`Chapter ${at}`, capital(words.some(2)), (title, name) => `<hgroup><h2>${title}</h2><p>${name}</p></hgroup>`),
  ({ words, at }) => unnumbered(capital(words.some(3)), (name) => `<h1>Chapter ${at}. ${name}</h1>`),
  ({ words, at }) => unnumbered(capital(words.some(3)), (name) => `<h2>${at}</h2><h3>${name}</h3>`),
  ({ words }) => ({
    listed: 'I',
    page: `<h1>I</h1><h2>Incident ${words.some(3)}</h2><p>${words.sentence()}</p><h2>If ${words.some(2)}</h2>`,
  }),
  ({ words }) => ({ listed: 'May', page: `<h1>May</h1><h2>Maybe ${words.some(2)}</h2><h2>Mayors ${words.some(2)}</h2>` }),
  ({ words }) => ({
    listed: 'One',
    page: `<h1>One</h1><h2>${capital(words.some(2))} one thing, ${words.some(2)}.</h2><h2>Silence ${words.one()}.</h2>`,
  }),
  ({ words, at }) => ({ listed: `Part ${at}`, page: `<h1>Part ${at}</h1><h1>${capital(words.some(60))}</h1>` }),
  ({ words }) => same(`${capital(words.some(2))} [skip] ${words.one()}`),
]
const same = (title: string) => ({ listed: title, page: `<h1>${title}</h1>` })
const unnumbered = (name: string, page: (name: string) => string) => ({ listed: name, page: page(name) })
const named = (title: string, name: string, page: (title: string, name: string) => string) => ({
  listed: `${title}. ${name}`,
  page: page(title, name),
})

/** Pages that are no text of the book: before its chapters, or behind them. */
export const PAGE_FORMS: readonly ((words: Writing['words']) => {
  readonly isBehind: boolean
  readonly listed: string | null
  readonly body: string
})[] = [
  (words) => ({
    isBehind: false,
    listed: 'Copyright',
    body: `<p>Copyright © 2020 by ${words.some(2, 'zm')}. All rights reserved. ISBN 978-3-16-148410-0. Printed in ${words.some(60, 'zm')}.</p>`,
  }),
  (words) => ({
    isBehind: false,
    listed: null,
    body: `<section epub:type="titlepage"><h1>${words.some(2, 'zm')}</h1><p>${words.some(60, 'zm')}</p></section>`,
  }),
  (words) => ({
    isBehind: false,
    listed: 'Contents',
    body: `<h1>Contents</h1>${[1, 2, 3].map((n) => `<p><a href="c${n}.xhtml">${words.some(2, 'zm')}</a></p>`).join('')}`,
  }),
  (words) => ({ isBehind: false, listed: null, body: `<nav><p>${words.some(60, 'zm')}</p></nav>` }),
  (words) => ({
    isBehind: true,
    listed: 'Index',
    body: `<h1>Index</h1><p>${words.one('zm')}, 3, 7, 12–14</p><p>${words.one('zm')}, 2</p><p>${words.one('zm')}, see ${words.one('zm')}</p>`,
  }),
  (words) => ({ isBehind: true, listed: null, body: `<h1>Index</h1><p>${words.one('zm')}, 3</p><p>${words.one('zm')}, 2</p>` }),
  (words) => ({ isBehind: true, listed: 'Words', body: `<section epub:type="index-group"><p>${words.some(9, 'zm')}</p></section>` }),
  (words) => ({
    isBehind: true,
    listed: 'Bibliography',
    body: `<h1>Bibliography</h1><p>${words.some(2, 'zm')} (2001). ${words.some(2, 'zm')}.</p>`,
  }),
  (words) => ({
    isBehind: true,
    listed: 'THE FULL LICENSE',
    body: `<section class="pg-boilerplate pgfooter" id="pg-footer"><div>*** END OF THE PROJECT GUTENBERG EBOOK ***</div><div>${words.some(9, 'zm')}</div></section>`,
  }),
]

export function generateBook({ chapters, pages }: Plan): GeneratedBook {
  const words = createWords()
  const end: string[] = []
  let count = 100
  const texts = chapters.map(([title, blocks], index) => {
    const foot: string[] = []
    const writing: Writing = { words, at: index + 1, number: () => count++, foot, end }
    const { listed, page } = TITLE_FORMS[title % TITLE_FORMS.length]!(writing)
    const inside = blocks.map((block) => BLOCK_FORMS[block % BLOCK_FORMS.length]!(writing)).join('\n')
    const body = `${page}<p>${words.sentence(12)}</p>${inside}<p>${words.sentence()}</p>${foot.join('')}`
    return { name: `c${index + 1}.xhtml`, body, listed: listed as string | null }
  })
  const around = pages.map((page, at) => ({ ...PAGE_FORMS[page % PAGE_FORMS.length]!(words), name: `p${at}.xhtml` }))
  const notes = end.length === 0 ? [] : [{ name: 'notes.xhtml', body: `<h1>Notes</h1>${end.join('')}`, listed: 'Notes' as string | null }]
  const all = [...around.filter(({ isBehind }) => !isBehind), ...texts, ...notes, ...around.filter(({ isBehind }) => isBehind)]
  return {
    documents: all.map(({ name, body }) => ({ name, body })),
    nav: all.map(({ name, listed }) => (listed === null ? '' : `<li><a href="${name}">${listed}</a></li>`)).join(''),
    around: new Set([...around, ...notes].map(({ name }) => name)),
  }
}
