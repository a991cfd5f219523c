// The words of the Files page, in Japanese.
import { plural } from '../language.ts'

export const strings = {
  find: 'ファイルを検索',
  kind: '種類',
  all: 'すべて',
  kinds: { take: 'テイク', book: 'オーディオブック', dub: '吹き替え', transcript: '文字起こし' },
  columns: { name: '名前', kind: '種類', voice: '使用ボイス', length: '長さ', size: 'サイズ', made: '作成日時', actions: '操作' },
  removed: '削除済み',
  none: 'ファイルはまだありません。テイク、完成した本、吹き替え、文字起こしがここに表示されます。',
  noneFound: '一致するファイルがありません。',
  showAll: '絞り込みを解除',
  foundSoFar: (count: number) => plural(count, { other: 'ここまで#件' }),
  found: (count: number) => plural(count, { other: 'ファイル#件' }),
  more: (count: number) => `さらに${count}件表示`,
  chapters: (chapters: number) => plural(chapters, { other: '#章' }),
  downloadOf: (name: string) => `${name}をダウンロード`,
  deleteOf: (name: string) => `${name}を削除`,
  deleteTitle: (name: string) => `「${name}」を削除しますか？`,
  deleteHints: {
    book: '本とそのファイルが削除されます。元に戻せません。',
    dub: '吹き替えが、動画、セリフ、音声トラックとともに削除されます。元に戻せません。',
  },
  deleteYes: '削除',
  keep: '残す',
  deleted: '削除しました。',
}
