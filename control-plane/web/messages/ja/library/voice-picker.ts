// The words of the list from which a voice is chosen, in Japanese.
import { plural } from '../language.ts'

export const strings = {
  find: 'ボイスを検索',
  results: 'ボイス',
  byDefault: 'デフォルト',
  language: '言語',
  allLanguages: 'すべての言語',
  showAll: 'すべて表示',
  showAllOf: (group: string) => `${group}をすべて表示`,
  nothing: 'この名前のボイスはありません。',
  nothingHere: 'この言語を話すボイスはありません。',
  found: (count: number) => plural(count, { other: 'ボイス#件' }),
  /** Sample of a built-in voice of this language. */
  spoken: 'こんばんは。塔に明かりがともり、最後の船が港に帰ってきました。',
  newVoice: '新しいボイス…',
  keys: { play: '再生', choose: '選択' },
  spaceKey: 'Space',
  keyHelp: '矢印キーで移動、Spaceキーでサンプルを再生、Enterキーで選択、Escキーで閉じます。',
  playing: (name: string) => `${name}のサンプルを再生中です。`,
}
