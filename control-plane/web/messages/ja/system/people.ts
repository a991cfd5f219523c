// The words of People and keys, in Japanese.
import { plural } from '../language.ts'

export const strings = {
  invite: '利用者を招待',
  createKey: 'キーを作成',
  tabs: { all: 'すべて', person: '利用者', program: 'プログラム', ended: '終了' },
  columns: { name: '名前', used: '今月の使用量', may: '権限', last: '最終使用', ends: '終了' },
  you: '自分',
  owner: 'スタジオの所有者',
  kinds: { person: '利用者', program: 'プログラム' },
  keyCount: (count: number) => plural(count, { other: 'キー#個' }),
  none: 'ありません。',
  usageFile: '使用量のCSV',

  hours: (count: string) => `${count}時間`,
  ofLimit: (used: string, limit: string) => `${limit}のうち${used}`,
  unlimited: (used: string) => `${used}、制限なし`,
  nothing: '—',
  never: 'なし',

  for: '対象',
  roleHints: {
    listen: 'ライブラリの再生とダウンロード',
    create: '音声の生成、文字起こし、吹き替え。自分の作業のみ表示、設定は不可',
    operate: 'キー以外のすべて：マシン、モデル、設定',
    own: 'すべて。キーと全員の作業を含む',
  },
  on: '使用するマシン',
  sound: '1日の音声',
  gpu: '1か月のGPU時間',
  tasks: '同時タスク数',
  disk: 'ディスク',
  noLimit: '制限なし',
  inDays: (days: number) => plural(days, { other: '#日後' }),
  once: 'キーの表示は一度だけです。',
  onlyHere: 'このアドレスはこのマシンでのみ使えます。',
  invitation: (address: string, key: string) => `${address} を開き、このキーでサインインしてください：\n${key}`,

  keys: 'キー',
  firstKey: 'キー',
  created: '作成',
  fact: (name: string, value: string) => `${name}：${value}`,
  replace: '置き換える',
  oldEnds: '古いキーの終了',
  /** By seconds. */
  oldEndings: { 0: '直ちに', 86400: '24時間後', 604800: '7日後' },
  endKeyYes: 'キーを終了',
  taskCount: (count: number) => plural(count, { other: 'タスク#件' }),
  ofSound: (time: string) => `音声${time}`,
  ofGpu: (time: string) => `GPU ${time}`,
  endText: 'サインインは直ちに終了します。作成したものは残ります。',
  endYes: 'アクセスを終了',
}
