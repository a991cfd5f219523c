// The frame of a page of the site: navigation by groups, search, the document, and its headings.
import { posix } from 'node:path'
import type { SiteGroup } from './pages.ts'
import { escapeHtml, type RenderedPage } from './render.ts'

type Framed = {
  readonly page: RenderedPage
  readonly address: string
  readonly groups: readonly SiteGroup[]
  readonly titleOf: (source: string) => string
}

/** Nothing of another host, and no script or style in a page. */
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'"
const DECISIONS = 'docs/adr/'

/** A whole page. All its addresses are relative to it. */
export function layout({ page, address, groups, titleOf }: Framed): string {
  const to = (target: string) => escapeHtml(posix.relative(posix.dirname(address), target))
  const item = ({ source, address: target }: SiteGroup['pages'][number]) =>
    `<li><a href="${to(target)}"${target === address ? ' aria-current="page"' : ''}>${escapeHtml(titleOf(source))}</a></li>`
  const list = (pages: SiteGroup['pages']) => `<ul>${pages.map(item).join('')}</ul>`
  const navigation = groups
    .map(({ title, pages }) => {
      const decisions = pages.filter(({ source }) => source.startsWith(DECISIONS))
      const isOpen = address.startsWith(DECISIONS) ? ' open' : ''
      const more = decisions.length > 0 ? `<details${isOpen}><summary>Decisions</summary>${list(decisions)}</details>` : ''
      return `<h2>${title}</h2>${list(pages.filter((each) => !decisions.includes(each)))}${more}`
    })
    .join('\n')
  const parts = page.headings.filter(({ depth }) => depth === 2)
  const contents =
    parts.length < 3
      ? ''
      : `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${parts.map(({ id, title }) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`).join('')}</ul></nav>`
  return `<!doctype html>
<html lang="en" data-root="${to('') || '.'}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(page.title)}${page.title === 'Voice Studio' ? '' : ' · Voice Studio'}</title>
<link rel="icon" href="${to('assets/icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${to('assets/site.css')}">
<script src="${to('assets/search.js')}" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header>
<a class="home" href="${to('index.html')}"><img src="${to('assets/icon.svg')}" alt="" width="24" height="24">Voice Studio</a>
<search hidden><label class="hidden" for="query">Search the documents</label><input id="query" type="search" placeholder="Search the documents" autocomplete="off"><ol id="results" hidden></ol><p id="found" class="hidden" role="status"></p></search>
</header>
<div class="columns">
<nav class="groups" aria-label="Documents"><details open><summary>Documents</summary>
${navigation}
</details></nav>
<main id="main">
${page.html}</main>
${contents}
</div>
</body>
</html>
`
}
