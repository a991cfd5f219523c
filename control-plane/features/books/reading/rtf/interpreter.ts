// Follows the tokens of an RTF document: which text is read, in which encoding, and what its paragraphs are.
import { UnreadableBook } from '../book.ts'
import { element } from '../markup/markup.ts'
import { PICTURE_CHARS, packedPicture } from '../markup/picture.ts'
import type { Node } from '../office/flow.ts'
import { decodeRtf, encodingOfPage } from './encodings.ts'
import { createHeader, levelOf } from './header.ts'
import { createRtfText, type ParagraphState, type RtfText } from './rtf-text.ts'
import type { RtfEvents } from './tokens.ts'
import { CHARACTERS, languageOfId, QUIET, UNREAD } from './words.ts'

/** Use of the text in a group. `quiet`: nothing, but groups in it may be read. */
type Destination = 'text' | 'unread' | 'quiet' | 'fonts' | 'styles' | 'title' | 'author' | 'label' | 'picture'
/** Properties that end with their group. */
type State = {
  destination: Destination
  /** Destination of the group around a quiet one. */
  outer: Destination
  target: RtfText
  /** Called when the group ends. */
  ended: (() => void) | null
  font: number
  /** Characters that follow each character in Unicode for programs that do not have it. */
  replacements: number
  isHidden: boolean
  isRaised: boolean
  language: number
  style: number
  outline: number | null
  isHanging: boolean
  isInTable: boolean
  depth: number
}

const DEEPEST_GROUP = 2000
const TOO_DEEP = 'The RTF file is damaged: its groups are nested too deeply. Open it in Word or LibreOffice and save it again.'
/** English (United States): see TEMPLATE_LANGUAGE. */
const TEMPLATE_LANGUAGE_ID = 1033
const PARAGRAPH = { style: 0, outline: null, isHanging: false, isInTable: false, depth: 0 } as const

// Long factory: the control words of RTF change one state, which ends with its group.
export function createInterpreter() {
  const header = createHeader()
  const document = createRtfText()
  let encoding = 'windows-1252'
  const usual = { font: 0, language: 0 }
  let isText = false
  let hasText = false
  let isInNote = false
  let notes = 0
  let isStarred = false
  /** Characters that stand for the one before in Unicode. */
  let skipped = 0
  let pending: number[] = []
  const said = { title: '', author: '' }
  const letters = new Map<number, number>()
  let picture: string | null = null
  let drawn: { pieces: string[]; chars: number; isKnown: boolean } | null = null
  let state: State = {
    ...{ destination: 'text', outer: 'text', target: document, ended: null, font: 0, replacements: 1 },
    ...{ isHidden: false, isRaised: false, language: 0, ...PARAGRAPH },
  }
  const groups: State[] = []

  function paragraphState(): ParagraphState {
    const { style, outline, isHanging, isInTable, depth } = state
    const named = header.styleOf(style)
    const level = named.role === 'text' ? (outline ?? named.level) : 0
    return { level, role: named.role, isHanging, isInTable, depth }
  }

  /** Decodes the characters so far, with the properties that they have. */
  function flush(): void {
    if (pending.length === 0) return
    const bytes = Uint8Array.from(pending)
    pending = []
    const isHeader = state.destination !== 'text' && state.destination !== 'label'
    const used = (isHeader ? null : header.encodingOf(state.font)) ?? encoding
    say(decodeRtf(bytes, used, header.isGreek(state.font)))
  }
  function say(text: string): void {
    const { destination, target, isHidden, isRaised, language } = state
    if (destination === 'fonts') header.fontText(text)
    else if (destination === 'styles') header.styleText(text)
    else if (destination === 'title' || destination === 'author') said[destination] = (said[destination] + text).slice(0, 1000)
    else if (isHidden) return
    else if (destination === 'label') target.label(text)
    else if (destination === 'text') {
      if (text.trim() !== '') {
        hasText = true
        letters.set(language, (letters.get(language) ?? 0) + text.length)
      }
      target.say(text, isRaised)
    }
  }

  /** The rest of the group is a text of its own. */
  function begin(made: (nodes: readonly Node[]) => void): void {
    const target = createRtfText()
    Object.assign(state, PARAGRAPH, { destination: 'text', target, isRaised: false, ended: () => made(target.nodes(paragraphState())) })
  }
  function note(): void {
    if (isInNote) return set({ destination: 'unread' })
    const outer = state.target
    const id = `note-${++notes}`
    isInNote = true
    begin((nodes) => {
      isInNote = false
      outer.node(element('a', ['*'], { href: `#${id}`, 'epub:type': 'noteref' }))
      outer.block(element('aside', nodes, { id, 'epub:type': 'footnote' }))
    })
  }
  function box(): void {
    const outer = state.target
    begin((nodes) => outer.block(element('div', nodes)))
  }
  function draw(): void {
    state.destination = 'picture'
    const drawing = { pieces: [], chars: 0, isKnown: false }
    drawn = drawing
    state.ended = () => {
      drawn = null
      if (drawing.isKnown && !hasText) picture ??= packedPicture(Buffer.from(drawing.pieces.join(''), 'hex').toString('base64'))
    }
  }
  function drawBytes(hex: string): void {
    if (drawn === null || hasText || picture !== null || drawn.chars > PICTURE_CHARS * 2) return
    drawn.chars += hex.length
    drawn.pieces.push(hex)
  }

  /** True for a word that begins a group of another kind. */
  function isDestination(name: string): boolean {
    const isKnown = true
    if (UNREAD.has(name)) state.destination = 'unread'
    else if (QUIET.has(name)) {
      state.outer = state.destination
      state.destination = 'quiet'
    } else if (name === 'ud') state.destination = state.outer
    else if (name === 'fonttbl') state.destination = 'fonts'
    else if (name === 'stylesheet') state.destination = 'styles'
    else if (name === 'title' || name === 'author') state.destination = state.destination === 'quiet' ? name : 'unread'
    else if (name === 'listtext' || name === 'pntext') state.destination = 'label'
    else if (name === 'pict') draw()
    else if (name === 'footnote') note()
    else if (name === 'shptxt' || name === 'dptxbxtext') box()
    else return !isKnown
    return isKnown
  }

  const set = (change: Partial<State>): void => void Object.assign(state, change)
  const isOn = (value: number | null): boolean => value !== 0
  /** Words that change properties of text or make some. */
  const WORDS: Readonly<Record<string, (value: number | null) => void>> = {
    u: (value) => {
      say(String.fromCharCode((value ?? 0) & 0xffff))
      skipped = state.replacements
    },
    uc: (value) => set({ replacements: Math.max(0, Math.min(10, value ?? 1)) }),
    f: (value) => set({ font: value ?? 0 }),
    lang: (value) => set({ language: value ?? 0 }),
    plain: () => set({ font: usual.font, language: usual.language, isHidden: false, isRaised: false }),
    v: (value) => set({ isHidden: isOn(value) }),
    deleted: (value) => set({ isHidden: isOn(value) }),
    super: (value) => set({ isRaised: isOn(value) }),
    up: (value) => set({ isRaised: isOn(value) }),
    sub: () => set({ isRaised: false }),
    nosupersub: () => set({ isRaised: false }),
    pard: () => set(PARAGRAPH),
    s: (value) => set({ style: value ?? 0 }),
    outlinelevel: (value) => set({ outline: levelOf(value ?? 0) }),
    fi: (value) => set({ isHanging: (value ?? 0) < 0 }),
    ilvl: (value) => set({ depth: Math.max(0, Math.min(8, value ?? 0)) }),
    intbl: () => set({ isInTable: true }),
    par: () => state.target.endParagraph(paragraphState()),
    sect: () => state.target.break(paragraphState()),
    page: () => state.target.break(paragraphState()),
    nestcell: () => state.target.break(paragraphState()),
    line: () => state.target.node(element('br', [])),
    lbr: () => state.target.node(element('br', [])),
    cell: () => state.target.endCell(paragraphState()),
    row: () => state.target.endRow(),
  }
  /** Words that hold for the whole document. */
  function documentWord(name: string, value: number | null): void {
    if (name === 'rtf') isText = true
    else if (name === 'ansicpg') encoding = encodingOfPage(value ?? 1252)
    else if (name === 'mac') encoding = encodingOfPage(10000)
    else if (name === 'deff') {
      usual.font = value ?? 0
      state.font = usual.font
    } else if (name === 'deflang') {
      usual.language = value === null || value === TEMPLATE_LANGUAGE_ID ? 0 : value
      state.language = usual.language
    }
  }

  function word(name: string, value: number | null): void {
    flush()
    skipped = 0
    const wasStarred = isStarred
    isStarred = false
    const { destination } = state
    if (destination === 'unread') return
    if (isDestination(name)) return
    if (wasStarred) return set({ destination: 'unread' })
    if (destination === 'fonts') return header.fontWord(name, value ?? 0)
    if (destination === 'styles') return header.styleWord(name, value ?? 0)
    if (destination === 'picture') {
      if (drawn !== null && (name === 'jpegblip' || name === 'pngblip')) drawn.isKnown = true
      return
    }
    const text = CHARACTERS.get(name)
    if (text !== undefined) return say(text)
    if (destination !== 'text' && name !== 'u' && name !== 'uc') return
    if (Object.hasOwn(WORDS, name)) WORDS[name]!(value)
    else documentWord(name, value)
  }

  const events: RtfEvents = {
    open: () => {
      flush()
      skipped = 0
      isStarred = false
      if (groups.length >= DEEPEST_GROUP) throw new UnreadableBook(TOO_DEEP)
      groups.push(state)
      state = { ...state, ended: null }
      if (state.destination === 'styles') header.beginStyle()
    },
    close: () => {
      flush()
      skipped = 0
      isStarred = false
      state.ended?.()
      state = groups.pop() ?? state
    },
    word,
    symbol: (character) => {
      flush()
      if (character === '*') {
        isStarred = true
        return
      }
      if (character === '\n' || character === '\r') return word('par', null)
      const text = CHARACTERS.get(character)
      if (text === undefined) return
      if (skipped > 0) skipped--
      else if (state.destination !== 'unread') say(text)
    },
    byte: (value) => {
      if (skipped > 0) skipped--
      else if (state.destination !== 'unread' && state.destination !== 'picture') pending.push(value)
    },
    text: (bytes) => {
      if (state.destination === 'picture')
        return drawBytes(
          Buffer.from(bytes)
            .toString('latin1')
            .replaceAll(/[^0-9a-f]/gi, ''),
        )
      const isRead = state.destination !== 'unread'
      if (isRead) for (let at = skipped; at < bytes.length; at++) pending.push(bytes[at]!)
      skipped = Math.max(0, skipped - bytes.length)
    },
    binary: (bytes) => drawBytes(Buffer.from(bytes.subarray(0, PICTURE_CHARS)).toString('hex')),
  }
  return {
    events,
    end() {
      flush()
      // Groups that are not closed.
      while (groups.length > 0) events.close()
      const [most] = [...letters].toSorted(([, left], [, right]) => right - left)
      return { nodes: document.nodes(paragraphState()), ...said, language: languageOfId(most?.[0] ?? 0), picture, isText }
    },
  }
}
