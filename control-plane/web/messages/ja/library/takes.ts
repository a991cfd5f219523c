// The words about takes that Speak, Files, Settings and the palette share, in Japanese.
import { grouped, plural } from '../language.ts'

export const strings = {
  count: (takes: number) => grouped(takes),
  find: 'テイクを検索',
  from: '表示するテイク',
  all: 'すべて',
  starred: 'スター付き',
  noneFound: '一致するテイクがありません。',
  showAll: '絞り込みを解除',
  more: 'さらに表示',
  deleteAll: 'すべて削除',
  deleteAllHint: 'スターのないテイクをすべて削除',
  deleted: (name: string) => `削除しました：${name}`,
  deletedAll: (count: number) => plural(count, { other: 'テイクを#件削除しました。' }),
  tooLate: 'これらのテイクはもうありません。削除したテイクを戻せるのは1分以内です。',
  downloadAs: '形式を選んでダウンロード…',
  downloadOf: (name: string) => `ダウンロード：${name}`,
  formats: {
    mp3: ['MP3', 'どこでも再生可能'],
    wav: ['WAV', '生成時のまま'],
    m4a: ['M4A', 'スマートフォン・タブレット向け'],
    flac: ['FLAC', '劣化なし、サイズは半分'],
    opus: ['Opus', '最小サイズ'],
  },
  needsTools: 'メディアツールが必要です。セットアップを開く',
  /** `cap`: takes that are kept */
  nextRemoves: (count: number, cap: number) =>
    `${grouped(cap)}件まで保存されます。${plural(count, { other: '次のテイクで最も古い#件が削除されます。' })}`,
  keeps: (cap: number) => `最新の${grouped(cap)}件が保存されます。`,
  keepsAll: 'すべて保存されます。',
  change: '変更',
  keptNow: (takes: number, starred: number) =>
    `${plural(takes, { other: '現在のテイク：#件' })}${starred > 0 ? `（うちスター付き${grouped(starred)}件）` : ''}。`,
  compareTakes: '2つのテイクを比較',
  compareOf: (name: string) => `比較：${name}`,
  compareWith: '比較する2つ目のテイクを選んでください。',
  compareEnd: '比較を終了',
}
